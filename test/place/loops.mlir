// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: ferry-opt %s -split-input-file -array-rotate -array-place="args=1000000,1000000,10 plan=soacs-on-device" -array-check-placed | FileCheck %s
// RUN: ferry-opt %s -split-input-file -array-rotate -array-place="args=1000000,1000000,? plan=soacs-on-device" -array-check-placed | FileCheck %s --check-prefix=GUARDED
// RUN: ferry-opt %s -split-input-file -array-rotate -array-place="args=1000000,1000000,0 plan=soacs-on-device" -array-check-placed | FileCheck %s --check-prefix=ZERO

// A map over an array that does not change: one copy, before the loop and behind its guard, and none in it.
// CHECK-LABEL: func @invariant
// CHECK-SAME:  %[[XS:[^:]+]]: tensor<?xf32, #array.side<host>>
// CHECK:       array.assert
// CHECK:       %[[UP:.*]] = array.transfer %[[XS]]
// CHECK:       scf.for
// CHECK-NEXT:    array.launch "reduce"
// CHECK:           ins(%[[UP]]
// CHECK-NOT:   array.transfer %[[XS]]
// GUARDED-LABEL: func @invariant
// GUARDED:       scf.if
// GUARDED:         array.transfer %arg0
// GUARDED:         scf.for
// GUARDED-NOT:     array.transfer %arg0
// No trip, no copy.
// ZERO-LABEL: func @invariant
// ZERO-NOT:   array.transfer
// ZERO-NOT:   scf.for
// ZERO:       return
func.func @invariant(%xs: tensor<?xf32>, %n: i64, %k: i64) -> f32 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%acc = %z) -> f32 : i64 {
    %s = array.reduce (%n) ins(%xs : tensor<?xf32>) neutral(%z : f32) {
    ^bb0(%j: i64, %x: f32):
      %y = arith.addf %x, %acc : f32
      array.yield %y : f32
    } operator {
    ^bb0(%a: f32, %b: f32):
      %c = arith.maximumf %a, %b : f32
      array.yield %c : f32
    } : f32
    scf.yield %s : f32
  }
  return %r : f32
}

// -----

// A loop-carried array stays on the device for all trips; it comes over before the first and goes back after the last.
// CHECK-LABEL: func @carried
// CHECK:       array.assert
// CHECK-NEXT:  %[[UP:.*]] = array.transfer %arg0
// CHECK-NEXT:  %[[L:.*]] = scf.for {{.*}} iter_args(%[[P:.*]] = %[[UP]]) -> (tensor<?xf32, #array.side<device>>)
// CHECK-NEXT:    %[[M:.*]] = array.launch "map"
// CHECK-NOT:     array.transfer
// CHECK:         scf.yield %[[M]]
// CHECK:       %[[DOWN:.*]] = array.transfer %[[L]]
// CHECK-NEXT:  return %[[DOWN]]
// GUARDED-LABEL: func @carried
// GUARDED:       scf.if
// GUARDED-NEXT:    array.transfer %arg0
// GUARDED:         scf.for
// GUARDED:       } else {
// ZERO-LABEL: func @carried
// ZERO-NOT:   array.transfer
// ZERO:       return %arg0
func.func @carried(%xs: tensor<?xf32>, %n: i64, %k: i64) -> tensor<?xf32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%a = %xs) -> tensor<?xf32> : i64 {
    %m = array.map (%n) ins(%a : tensor<?xf32>) {
    ^bb0(%j: i64, %x: f32):
      %y = arith.addf %x, %x : f32
      array.yield %y : f32
    } : tensor<?xf32>
    scf.yield %m : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// Two arrays that swap names each trip: both stay on the device, and nothing is copied between trips.
// CHECK-LABEL: func @swap
// CHECK-DAG:     %[[A:.*]] = array.transfer %arg0
// CHECK:         %[[L:.*]]:2 = scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}, %[[Y:.*]] = %{{.*}}) -> (tensor<?xf32, #array.side<device>>, tensor<?xf32, #array.side<device>>)
// CHECK-NEXT:      %[[M:.*]] = array.launch "map"
// CHECK-NOT:       array.transfer
// CHECK:           scf.yield %[[Y]], %[[M]]
// CHECK-COUNT-2: array.transfer %{{.*}} : tensor<?xf32, #array.side<device>> -> tensor<?xf32, #array.side<host>>
// GUARDED-LABEL: func @swap
// ZERO-LABEL: func @swap
func.func @swap(%xs: tensor<?xf32>, %n: i64, %k: i64) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%a = %xs, %b = %xs) -> (tensor<?xf32>, tensor<?xf32>) : i64 {
    %m = array.map (%n) ins(%a : tensor<?xf32>) {
    ^bb0(%j: i64, %x: f32):
      %y = arith.addf %x, %x : f32
      array.yield %y : f32
    } : tensor<?xf32>
    scf.yield %b, %m : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// Host and device take turns: one copy each way a trip, the one back to the device only if there is a next trip.
// CHECK-LABEL: func @turns
// CHECK:         %[[W:.*]]:2 = scf.while
// CHECK:           array.launch "map"
// CHECK:           %[[H:.*]] = array.transfer %{{.*}} : tensor<?xf32, #array.side<device>> -> tensor<?xf32, #array.side<host>>
// CHECK:           %[[C:.*]] = array.copy %[[H]] : tensor<?xf32, #array.side<host>>
// CHECK:           scf.condition({{.*}}) %{{.*}}, %[[C]]
// CHECK:         } do {
// CHECK-NEXT:    ^bb0(%{{.*}}: i64, %[[N:.*]]: tensor<?xf32, #array.side<host>>):
// CHECK-NEXT:      array.transfer %[[N]]
// CHECK-NEXT:      scf.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[W]]#1
// GUARDED-LABEL: func @turns
// ZERO-LABEL: func @turns
func.func @turns(%xs: tensor<?xf32>, %n: i64, %k: i64) -> tensor<?xf32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%a = %xs) -> tensor<?xf32> : i64 {
    %m = array.map (%n) ins(%a : tensor<?xf32>) {
    ^bb0(%j: i64, %x: f32):
      %y = arith.addf %x, %x : f32
      array.yield %y : f32
    } : tensor<?xf32>
    %c = array.pin <host> "host_step" {
      %q = array.copy %m : tensor<?xf32>
      array.yield %q : tensor<?xf32>
    } : tensor<?xf32>
    scf.yield %c : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
