// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: ferry-opt %s -split-input-file -array-rotate -array-place="args=1000000,1000000 plan=soacs-on-device" -array-check-placed | FileCheck %s

// A pivot: the scalar made from a reduction and an element never visits the host.
// CHECK-LABEL: func @pivot
// CHECK:         scf.for
// CHECK-NEXT:      %[[M:.*]] = array.launch "reduce"
// CHECK:           %[[S:.*]] = array.launch "element" sequential
// CHECK:             array.to_scalar %[[M]]
// CHECK:           array.launch "map"
// CHECK-NEXT:        array.to_scalar %[[S]]
// CHECK-NOT:       array.peek
// CHECK-NOT:       array.transfer
// CHECK:           scf.yield
func.func @pivot(%a: tensor<?xf32>, %n: i64) -> tensor<?xf32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c9 = arith.constant 9 : i64
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%x = %a) -> tensor<?xf32> : i64 {
    %m = array.reduce (%n) ins(%x : tensor<?xf32>) neutral(%z : f32) {
    ^bb0(%j: i64, %e: f32):
      array.yield %e : f32
    } operator {
    ^bb0(%p: f32, %q: f32):
      %c = arith.maximumf %p, %q : f32
      array.yield %c : f32
    } : f32
    %e0 = array.element %x[%i] : tensor<?xf32>
    %s = arith.divf %e0, %m : f32
    %t = array.map (%n) ins(%x : tensor<?xf32>) {
    ^bb0(%j: i64, %e: f32):
      %f = arith.mulf %e, %s : f32
      array.yield %f : f32
    } : tensor<?xf32>
    scf.yield %t : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// An index found by a device reduction, then one element updated in place: no download before the end.
// CHECK-LABEL: func @update
// CHECK:       %[[M:.*]] = array.launch "map"
// CHECK:       %[[I:.*]] = array.launch "reduce"
// CHECK:       %[[U:.*]] = array.launch "update" sequential
// CHECK:         array.update %[[M]]
// CHECK:       array.transfer %[[U]]
// CHECK-NOT:   array.transfer
func.func @update(%a: tensor<?xi64>, %n: i64) -> tensor<?xi64> {
  %z = arith.constant 0 : i64
  %m = array.map (%n) ins(%a : tensor<?xi64>) {
  ^bb0(%j: i64, %e: i64):
    %f = arith.muli %e, %e : i64
    array.yield %f : i64
  } : tensor<?xi64>
  %i = array.reduce (%n) ins(%m : tensor<?xi64>) neutral(%z : i64) {
  ^bb0(%j: i64, %e: i64):
    array.yield %e : i64
  } operator {
  ^bb0(%p: i64, %q: i64):
    %c = arith.minsi %p, %q : i64
    array.yield %c : i64
  } : i64
  %u = array.update %m[%i] = %z : tensor<?xi64>, i64
  return %u : tensor<?xi64>
}

// -----

// The host updates one element in one arm, between two device maps: it pokes, or a kernel does; no array crosses there.
// CHECK-LABEL: func @arm
// CHECK:       array.launch "map"
// CHECK:       scf.if
// CHECK-NOT:     array.transfer
// CHECK:       } else {
// CHECK-NOT:     array.transfer
// CHECK:       array.launch "map"
func.func @arm(%a: tensor<?xi64>, %n: i64, %c: i1, %v: i64) -> tensor<?xi64> {
  %z = arith.constant 0 : i64
  %m = array.map (%n) ins(%a : tensor<?xi64>) {
  ^bb0(%j: i64, %e: i64):
    %f = arith.muli %e, %e : i64
    array.yield %f : i64
  } : tensor<?xi64>
  %b = scf.if %c -> tensor<?xi64> {
    %u = array.update %m[%z] = %v : tensor<?xi64>, i64
    scf.yield %u : tensor<?xi64>
  } else {
    scf.yield %m : tensor<?xi64>
  }
  %r = array.map (%n) ins(%b : tensor<?xi64>) {
  ^bb0(%j: i64, %e: i64):
    %f = arith.addi %e, %e : i64
    array.yield %f : i64
  } : tensor<?xi64>
  return %r : tensor<?xi64>
}

// -----

// The host needs the length that a filter finds, and nothing else of it.
// CHECK-LABEL: func @filter
// CHECK:       %[[F:.*]]:2 = array.launch "filter"
// CHECK:       %[[C:.*]] = array.transfer %[[F]]#0 : tensor<i64, #array.side<device>>
// CHECK-NEXT:  %[[N:.*]] = array.to_scalar %[[C]]
// CHECK-NEXT:  %[[V:.*]] = array.slice %[[F]]#1[{{.*}}] [%[[N]]]
// CHECK:       %[[M:.*]] = array.launch "map"
// CHECK-NEXT:    array.map(%[[N]]) ins(%[[V]]
// CHECK:       array.transfer %[[M]]
func.func @filter(%a: tensor<?xi64>, %n: i64) -> tensor<?xi64> {
  %z = arith.constant 0 : i64
  %o = arith.constant 1 : i64
  %count, %f = array.filter (%n) ins(%a : tensor<?xi64>) {
  ^bb0(%i: i64, %x: i64):
    %k = arith.cmpi sgt, %x, %z : i64
    array.yield %k, %x : i1, i64
  } : tensor<?xi64>
  %v = array.slice %f[%z] [%count] [%o] : tensor<?xi64> -> tensor<?xi64>
  %r = array.map (%count) ins(%v : tensor<?xi64>) {
  ^bb0(%j: i64, %e: i64):
    %q = arith.addi %e, %e : i64
    array.yield %q : i64
  } : tensor<?xi64>
  return %r : tensor<?xi64>
}

// -----

// A while loop that carries an array with a test on one element: the test peeks, the array stays.
// CHECK-LABEL: func @converge
// CHECK:         scf.while (%{{.*}} = %{{.*}}) : (tensor<?xf32, #array.side<device>>) -> tensor<?xf32, #array.side<device>>
// CHECK:           %[[K:.*]] = array.launch "map"
// CHECK:           array.peek %[[K]]
// CHECK-NOT:       array.transfer
// CHECK:           scf.condition
func.func @converge(%xs: tensor<?xf32>, %n: i64) -> tensor<?xf32> {
  %c0 = arith.constant 0 : i64
  %one = arith.constant 1.0 : f32
  %r = scf.while (%a = %xs) : (tensor<?xf32>) -> tensor<?xf32> {
    %x = array.element %a[%c0] : tensor<?xf32>
    %c = arith.cmpf olt, %x, %one : f32
    scf.condition(%c) %a : tensor<?xf32>
  } do {
  ^bb0(%b: tensor<?xf32>):
    %m = array.map (%n) ins(%b : tensor<?xf32>) {
    ^bb1(%i: i64, %x: f32):
      %y = arith.addf %x, %x : f32
      array.yield %y : f32
    } : tensor<?xf32>
    scf.yield %m : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
