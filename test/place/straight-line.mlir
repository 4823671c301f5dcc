// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: ferry-opt %s -split-input-file -array-place="args=1000000,1000000" -array-check-placed | FileCheck %s
// RUN: ferry-opt %s -split-input-file -array-place="args=10,10" -array-check-placed | FileCheck %s --check-prefix=SMALL
// RUN: ferry-opt %s -split-input-file -array-place="args=1000000,1000000 plan=soacs-on-device" | FileCheck %s --check-prefix=PINNED
// RUN: ferry-opt %s -split-input-file -array-place="args=10,10" -array-place="args=1000000,1000000 plan=all-device" | FileCheck %s --check-prefix=SMALL

// The array comes over once and goes back once. A small one stays on the host, also when it is placed again for the device.
// CHECK-LABEL: func @heavy
// CHECK-SAME:  %[[XS:[^:]+]]: tensor<?xf32, #array.side<host>>
// CHECK:       %[[UP:.*]] = array.transfer %[[XS]]
// CHECK-NOT:   array.transfer
// CHECK:       %[[A:.*]] = array.launch "map"
// CHECK-NEXT:    array.map{{.*}} ins(%[[UP]]
// CHECK-NOT:   array.transfer
// CHECK:       %[[B:.*]] = array.launch "map"
// CHECK:       %[[R:.*]] = array.transfer %[[B]] : tensor<?xf32, #array.side<device>> -> tensor<?xf32, #array.side<host>>
// CHECK-NEXT:  return %[[R]]
// SMALL-LABEL: func @heavy
// SMALL-NOT:   array.launch
// SMALL-NOT:   array.transfer
// SMALL:       return
func.func @heavy(%xs: tensor<?xf32>, %n: i64) -> tensor<?xf32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c100 = arith.constant 100 : i64
  %r = array.map (%n) ins(%xs : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %d = scf.for %j = %c0 to %c100 step %c1 iter_args(%a = %x) -> f32 : i64 {
      %e = math.exp %a : f32
      scf.yield %e : f32
    }
    array.yield %d : f32
  } : tensor<?xf32>
  %s = array.map (%n) ins(%r : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %d = scf.for %j = %c0 to %c100 step %c1 iter_args(%a = %x) -> f32 : i64 {
      %e = math.exp %a : f32
      scf.yield %e : f32
    }
    array.yield %d : f32
  } : tensor<?xf32>
  return %s : tensor<?xf32>
}

// -----

// One input wanted on both sides: one copy. The host reads the copy it has.
// PINNED-LABEL: func @both_sides
// PINNED-SAME:  %[[XS:[^:]+]]: tensor<?xf32, #array.side<host>>
// PINNED:       %[[UP:.*]] = array.transfer %[[XS]]
// PINNED-NOT:   array.transfer
// PINNED:       array.launch "map"
// PINNED:         ins(%[[UP]]
// PINNED:       array.launch "map"
// PINNED:         ins(%[[UP]]
// PINNED:       array.element %[[XS]]
// CHECK-LABEL: func @both_sides
// SMALL-LABEL: func @both_sides
func.func @both_sides(%xs: tensor<?xf32>, %n: i64) -> (tensor<?xf32>, tensor<?xf32>, f32) {
  %c0 = arith.constant 0 : i64
  %r = array.map (%n) ins(%xs : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %a = math.exp %x : f32
    array.yield %a : f32
  } : tensor<?xf32>
  %s = array.map (%n) ins(%xs : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %a = math.sin %x : f32
    array.yield %a : f32
  } : tensor<?xf32>
  %e = array.element %xs[%c0] : tensor<?xf32>
  return %r, %s, %e : tensor<?xf32>, tensor<?xf32>, f32
}

// -----

// An index table is cheaper to make on each side than to copy.
// PINNED-LABEL: func @table
// PINNED-NEXT:  arith.constant
// PINNED-NEXT:  arith.constant
// PINNED-NEXT:  %[[T:.*]] = array.iota {{.*}} -> tensor<?xi64, #array.side<host>>
// PINNED-NEXT:  array.launch "iota" {
// PINNED-NEXT:    array.iota {{.*}} -> tensor<?xi64, #array.side<device>>
// PINNED-NOT:   array.transfer %[[T]]
// PINNED:       array.element %[[T]]
// CHECK-LABEL: func @table
// SMALL-LABEL: func @table
func.func @table(%xs: tensor<?xf32>, %n: i64) -> (tensor<?xi64>, i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %t = array.iota %n, %c0, %c1 : i64 -> tensor<?xi64>
  %r = array.map (%n) ins(%t : tensor<?xi64>) {
  ^bb0(%i: i64, %x: i64):
    %a = arith.addi %x, %x : i64
    array.yield %a : i64
  } : tensor<?xi64>
  %e = array.pin <host> "table_sum" {
    %u = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c0) -> i64 : i64 {
      %x = array.element %t[%i] : tensor<?xi64>
      %y = arith.addi %acc, %x : i64
      scf.yield %y : i64
    }
    array.yield %u : i64
  } : i64
  return %r, %e : tensor<?xi64>, i64
}

// -----

// A view of a device array needs no kernel, and a scalar comes back by itself.
// CHECK-LABEL: func @views
// PINNED-LABEL: func @views
// PINNED:       %[[UP:.*]] = array.transfer
// PINNED:       %[[K:.*]] = array.launch "map"
// PINNED:       array.slice %[[K]]{{.*}}#array.side<device>
// PINNED:       array.launch "reduce"
// PINNED:       %[[S:.*]] = array.transfer %{{.*}} : tensor<f32, #array.side<device>> -> tensor<f32, #array.side<host>>
// PINNED-NEXT:  %[[R:.*]] = array.to_scalar %[[S]]
// PINNED-NEXT:  return %[[R]]
// SMALL-LABEL: func @views
func.func @views(%xs: tensor<?xf32>, %n: i64) -> f32 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %z = arith.constant 0.0 : f32
  %h = arith.divsi %n, %c2 : i64
  %r = array.map (%n) ins(%xs : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %a = math.exp %x : f32
    array.yield %a : f32
  } : tensor<?xf32>
  %v = array.slice %r[%c0] [%h] [%c2] : tensor<?xf32> -> tensor<?xf32>
  %s = array.reduce (%h) ins(%v : tensor<?xf32>) neutral(%z : f32) {
  ^bb0(%i: i64, %x: f32):
    array.yield %x : f32
  } operator {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    array.yield %c : f32
  } : f32
  return %s : f32
}
