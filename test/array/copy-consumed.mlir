// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: ferry-opt %s --array-copy-consumed | FileCheck %s
// What was copied gives the same results compiled as interpreted.
// RUN: echo '[1, 2, 3]' | ferry-interpret %s kept > %t.expected
// RUN: echo '[1, 2, 3]' | ferry-run-mlir %s kept | diff %t.expected -
// RUN: echo '[1, 2, 3]' | ferry-interpret %s through_loop > %t.expected
// RUN: echo '[1, 2, 3]' | ferry-run-mlir %s through_loop | diff %t.expected -
// RUN: echo '[1, 2, 3] true' | ferry-interpret %s joined > %t.expected
// RUN: echo '[1, 2, 3] true' | ferry-run-mlir %s joined | diff %t.expected -
// RUN: echo '[1, 2, 3] false' | ferry-interpret %s joined > %t.expected
// RUN: echo '[1, 2, 3] false' | ferry-run-mlir %s joined | diff %t.expected -
// RUN: echo '[[1, 2], [3, 4]]' | ferry-interpret %s overlapping > %t.expected
// RUN: echo '[[1, 2], [3, 4]]' | ferry-run-mlir %s overlapping | diff %t.expected -
// RUN: echo '4' | ferry-interpret %s each_round > %t.expected
// RUN: echo '4' | ferry-run-mlir %s each_round | diff %t.expected -
// RUN: echo '4' | ferry-interpret %s swapped > %t.expected
// RUN: echo '4' | ferry-run-mlir %s swapped | diff %t.expected -
// RUN: echo '4' | ferry-interpret %s returns_to > %t.expected
// RUN: echo '4' | ferry-run-mlir %s returns_to | diff %t.expected -
// RUN: echo '1' | ferry-interpret %s returns_to > %t.expected
// RUN: echo '1' | ferry-run-mlir %s returns_to | diff %t.expected -

// An argument that is the caller's is copied; one that may be consumed is not.
// CHECK-LABEL: func.func @kept
// CHECK:         array.copy
// CHECK-NEXT:    array.update
// CHECK-NOT:     array.copy
// CHECK-LABEL: func.func @given
// CHECK-NOT:     array.copy
func.func @kept(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : i64
  %c9 = arith.constant 9 : i32
  %a = array.update %xs[%c0] = %c9 : tensor<?xi32>, i32
  %b = array.update %a[%c0] = %c9 : tensor<?xi32>, i32
  return %b : tensor<?xi32>
}
func.func @given(%xs: tensor<?xi32> {array.unique}) -> tensor<?xi32> {
  %c0 = arith.constant 0 : i64
  %c9 = arith.constant 9 : i32
  %a = array.update %xs[%c0] = %c9 : tensor<?xi32>, i32
  return %a : tensor<?xi32>
}

// Read after the loop: the copy is before the loop, not in it.
// CHECK-LABEL: func.func @through_loop
// CHECK:         %[[MADE:.*]] = array.iota
// CHECK:         %[[COPY:.*]] = array.copy %[[MADE]]
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %[[COPY]])
// CHECK-NOT:     array.copy
func.func @through_loop(%ys: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1 : i32
  %n = array.dim %ys, 0 : tensor<?xi32>
  %xs = array.iota %n, %one, %one : i32 -> tensor<?xi32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %xs) -> tensor<?xi32> : i64 {
    %y = array.element %ys[%i] : tensor<?xi32>
    %x = array.element %a[%i] : tensor<?xi32>
    %s = arith.addi %x, %y : i32
    %b = array.update %a[%i] = %s : tensor<?xi32>, i32
    scf.yield %b : tensor<?xi32>
  }
  return %xs, %r : tensor<?xi32>, tensor<?xi32>
}

// The result of the branch may be the array that is read later.
// CHECK-LABEL: func.func @joined
// CHECK:         scf.if
// CHECK:         array.copy
// CHECK-NEXT:    array.update
func.func @joined(%ys: tensor<?xi32>, %c: i1) -> (tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : i64
  %one = arith.constant 1 : i32
  %n = array.dim %ys, 0 : tensor<?xi32>
  %xs = array.iota %n, %one, %one : i32 -> tensor<?xi32>
  %j = scf.if %c -> tensor<?xi32> {
    scf.yield %xs : tensor<?xi32>
  } else {
    %z = array.replicate (%n) %one : i32 -> tensor<?xi32>
    scf.yield %z : tensor<?xi32>
  }
  %c9 = arith.constant 9 : i32
  %u = array.update %j[%c0] = %c9 : tensor<?xi32>, i32
  return %xs, %u : tensor<?xi32>, tensor<?xi32>
}

// The loop consumes the array in each round, and nothing else reads it.
// CHECK-LABEL: func.func @each_round
// CHECK:         scf.for
// CHECK:         array.copy
// CHECK-NEXT:    array.update
func.func @each_round(%n: i64) -> i64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %xs = array.iota %n, %c0, %c1 : i64 -> tensor<?xi64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %c1) -> i64 : i64 {
    %a = array.update %xs[%i] = %sum : tensor<?xi64>, i64
    %e = array.element %a[%c0] : tensor<?xi64>
    %s = arith.addi %e, %sum : i64
    scf.yield %s : i64
  }
  return %r : i64
}

// A matrix whose row is replaced by one of its columns.
// CHECK-LABEL: func.func @overlapping
// CHECK:         array.permute
// CHECK:         array.copy
// CHECK-NEXT:    array.update
func.func @overlapping(%xs: tensor<?x?xi32> {array.unique}) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %t = array.permute %xs [1, 0] : tensor<?x?xi32> -> tensor<?x?xi32>
  %column = array.row %t[%c1] : tensor<?x?xi32> -> tensor<?xi32>
  %r = array.update %xs[%c0] = %column : tensor<?x?xi32>, tensor<?xi32>
  return %r : tensor<?x?xi32>
}

// Two arrays that swap names are never copied.
// CHECK-LABEL: func.func @swapped
// CHECK-NOT:     array.copy
// CHECK:         return
func.func @swapped(%n: i64) -> (tensor<?xi64>, tensor<?xi64>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = array.iota %n, %c0, %c1 : i64 -> tensor<?xi64>
  %b = array.replicate (%n) %c0 : i64 -> tensor<?xi64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<?xi64>, tensor<?xi64>) : i64 {
    %e = array.element %x[%i] : tensor<?xi64>
    %f = arith.addi %e, %c1 : i64
    %z = array.update %y[%i] = %f : tensor<?xi64>, i64
    scf.yield %z, %x : tensor<?xi64>, tensor<?xi64>
  }
  return %r#0, %r#1 : tensor<?xi64>, tensor<?xi64>
}

// A loop that begins with what was updated and goes on with what it was made from: one copy, before the update.
// CHECK-LABEL: func.func @returns_to
// CHECK:         array.copy
// CHECK-NEXT:    array.update
// CHECK-NOT:     array.copy
// CHECK:         return
func.func @returns_to(%n: i64) -> (tensor<?xi64>, tensor<?xi64>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = array.iota %n, %c0, %c1 : i64 -> tensor<?xi64>
  %u = array.update %a[%c0] = %n : tensor<?xi64>, i64
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%x = %u) -> (tensor<?xi64>) : i64 {
    scf.yield %a : tensor<?xi64>
  }
  return %r, %u : tensor<?xi64>, tensor<?xi64>
}
