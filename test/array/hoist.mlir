// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: ferry-opt %s --array-hoist | FileCheck %s
// RUN: echo '[1, 2, 3] 4' | ferry-interpret %s invariant --passes=array-hoist
// RUN: echo '[1, 2, 3] 0' | ferry-interpret %s invariant --passes=array-hoist
// RUN: echo '[1, 2, 3] 4 2' | ferry-interpret %s stays --passes=array-hoist
// RUN: echo '[1, 2, 3] 4 0' | not ferry-interpret %s stays --passes=array-hoist
// RUN: echo '[1, 2, 3] 0 0' | ferry-interpret %s stays --passes=array-hoist
// RUN: echo '3' | ferry-interpret %s consumed --passes=array-hoist

// Both, and the extent that they use, are evaluated once, if the loop is entered at all.
// CHECK-LABEL: func.func @invariant
// CHECK:         scf.if
// CHECK:         array.map
// CHECK:         array.reduce
// CHECK:         scf.for
// CHECK-NOT:     array.reduce
// CHECK:         array.element
func.func @invariant(%xs: tensor<?xf32>, %rounds: i64) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = scf.for %k = %c0 to %rounds step %c1 iter_args(%total = %zero) -> f32 : i64 {
    %n = array.dim %xs, 0 : tensor<?xf32>
    %a = array.map (%n) ins(%xs : tensor<?xf32>) {
    ^bb0(%i: i64, %x: f32):
      %y = math.exp %x : f32
      array.yield %y : f32
    } : tensor<?xf32>
    %sum = array.reduce (%n) ins(%a : tensor<?xf32>) neutral(%zero : f32) {
    ^bb0(%i: i64, %x: f32):
      array.yield %x : f32
    } operator {
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      array.yield %z : f32
    } : f32
    %at = arith.remsi %k, %n : i64
    %x = array.element %a[%at] : tensor<?xf32>
    %t = arith.addf %total, %sum : f32
    %u = arith.mulf %t, %x : f32
    scf.yield %u : f32
  }
  return %r : f32
}

// What may fail, what relies on a check in the loop, what varies, and what is so cheap that fusion computes it in its
// reader.
// CHECK-LABEL: func.func @stays
// CHECK:         scf.for
// CHECK-COUNT-4: array.map
func.func @stays(%xs: tensor<?xi64>, %rounds: i64, %by: i64) -> i64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = array.dim %xs, 0 : tensor<?xi64>
  %r = scf.for %k = %c0 to %rounds step %c1 iter_args(%total = %c0) -> i64 : i64 {
    %fine = arith.cmpi ne, %by, %c0 : i64
    %cheap = array.map (%n) ins(%xs : tensor<?xi64>) {
    ^bb0(%i: i64, %x: i64):
      %y = arith.addi %x, %x : i64
      array.yield %y : i64
    } : tensor<?xi64>
    %checked = array.map (%n) ins(%xs : tensor<?xi64>) {
    ^bb0(%i: i64, %x: i64):
      %positive = arith.cmpi sgt, %x, %c0 : i64
      array.assert %positive, "not positive"
      %y = math.ctpop %x : i64
      array.yield %y : i64
    } : tensor<?xi64>
    array.assert %fine, "division by zero"
    %divided = array.map (%n) ins(%xs : tensor<?xi64>) {
    ^bb0(%i: i64, %x: i64):
      %y = arith.divsi %x, %by : i64
      array.yield %y : i64
    } : tensor<?xi64>
    %varies = array.map (%n) ins(%xs : tensor<?xi64>) {
    ^bb0(%i: i64, %x: i64):
      %y = math.ctpop %k : i64
      array.yield %y : i64
    } : tensor<?xi64>
    %sum = array.reduce (%n) ins(%cheap, %checked, %divided, %varies : tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) neutral(%c0 : i64) {
    ^bb0(%i: i64, %x: i64, %y: i64, %z: i64, %w: i64):
      %s = arith.addi %x, %y : i64
      %t = arith.addi %z, %w : i64
      %u = arith.addi %s, %t : i64
      array.yield %u : i64
    } operator {
    ^bb0(%x: i64, %y: i64):
      %z = arith.addi %x, %y : i64
      array.yield %z : i64
    } : i64
    %t = arith.addi %total, %sum : i64
    scf.yield %t : i64
  }
  return %r : i64
}

// Each round writes into the array.
// CHECK-LABEL: func.func @consumed
// CHECK:         scf.for
// CHECK:         array.map
func.func @consumed(%n: i64) -> i64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%total = %c0) -> i64 : i64 {
    %a = array.map (%n) {
    ^bb0(%i: i64):
      %y = math.ctpop %i : i64
      array.yield %y : i64
    } : tensor<?xi64>
    %b = array.update %a[%k] = %total : tensor<?xi64>, i64
    %x = array.element %b[%c0] : tensor<?xi64>
    %t = arith.addi %total, %x : i64
    scf.yield %t : i64
  }
  return %r : i64
}
