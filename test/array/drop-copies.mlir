// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: ferry-opt %s --array-drop-copies | FileCheck %s
// What is left gives the same results compiled, after array-copy-consumed, as interpreted before.
// RUN: ferry-opt %s --array-drop-copies > %t.mlir
// RUN: echo '[1, 2, 3] true' | ferry-interpret %s one_arm > %t.expected
// RUN: echo '[1, 2, 3] true' | ferry-run-mlir %t.mlir one_arm | diff %t.expected -
// RUN: echo '[1, 2, 3] false' | ferry-interpret %s one_arm > %t.expected
// RUN: echo '[1, 2, 3] false' | ferry-run-mlir %t.mlir one_arm | diff %t.expected -
// RUN: echo '[1, 2, 3] true' | ferry-interpret %s both_arms > %t.expected
// RUN: echo '[1, 2, 3] true' | ferry-run-mlir %t.mlir both_arms | diff %t.expected -
// RUN: echo '[1, 2, 3]' | ferry-interpret %s arguments > %t.expected
// RUN: echo '[1, 2, 3]' | ferry-run-mlir %t.mlir arguments | diff %t.expected -
// RUN: echo '[[1, 2], [3, 4]]' | ferry-interpret %s views > %t.expected
// RUN: echo '[[1, 2], [3, 4]]' | ferry-run-mlir %t.mlir views | diff %t.expected -
// RUN: echo '4' | ferry-interpret %s loops > %t.expected
// RUN: echo '4' | ferry-run-mlir %t.mlir loops | diff %t.expected -
// RUN: echo '4' | ferry-interpret %s rounds > %t.expected
// RUN: echo '4' | ferry-run-mlir %t.mlir rounds | diff %t.expected -
// RUN: echo '[1, 2, 3]' | ferry-interpret %s pinned > %t.expected
// RUN: echo '[1, 2, 3]' | ferry-run-mlir %t.mlir pinned | diff %t.expected -
// RUN: echo '[1, 2, 3]' | ferry-interpret %s points > %t.expected
// RUN: echo '[1, 2, 3]' | ferry-run-mlir %t.mlir points | diff %t.expected -

// The array is not needed once one arm has copied it, nor does the other arm run then.
// CHECK-LABEL: func.func @one_arm
// CHECK-NOT:     array.copy
// CHECK:         return
func.func @one_arm(%ys: tensor<?xi32>, %change: i1) -> tensor<?xi32> {
  %c0 = arith.constant 0 : i64
  %n = array.dim %ys, 0 : tensor<?xi32>
  %xs = array.map (%n) ins(%ys : tensor<?xi32>) {
  ^bb0(%i: i64, %y: i32):
    %z = arith.addi %y, %y : i32
    array.yield %z : i32
  } : tensor<?xi32>
  %r = scf.if %change -> tensor<?xi32> {
    %c9 = arith.constant 9 : i32
    %copy = array.copy %xs : tensor<?xi32>
    %new = array.update %copy[%c0] = %c9 : tensor<?xi32>, i32
    scf.yield %new : tensor<?xi32>
  } else {
    scf.yield %xs : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}

// Here it is read after the branch.
// CHECK-LABEL: func.func @both_arms
// CHECK-COUNT-2: array.copy
// CHECK:         return
func.func @both_arms(%ys: tensor<?xi32>, %change: i1) -> (tensor<?xi32>, i32) {
  %c0 = arith.constant 0 : i64
  %c9 = arith.constant 9 : i32
  %n = array.dim %ys, 0 : tensor<?xi32>
  %xs = array.replicate (%n) %c9 : i32 -> tensor<?xi32>
  %r = scf.if %change -> tensor<?xi32> {
    %copy = array.copy %xs : tensor<?xi32>
    %new = array.update %copy[%c0] = %c9 : tensor<?xi32>, i32
    scf.yield %new : tensor<?xi32>
  } else {
    %c8 = arith.constant 8 : i32
    %copy = array.copy %xs : tensor<?xi32>
    %new = array.update %copy[%c0] = %c8 : tensor<?xi32>, i32
    scf.yield %new : tensor<?xi32>
  }
  %x = array.element %xs[%c0] : tensor<?xi32>
  return %r, %x : tensor<?xi32>, i32
}

// What is only read needs no copy. The caller keeps an argument, so neither an update nor a result is in its memory;
// one that is given away may be both.
// CHECK-LABEL: func.func @read_only
// CHECK-NOT:     array.copy
// CHECK-LABEL: func.func @arguments
// CHECK-COUNT-2: array.copy
// CHECK-LABEL: func.func @given
// CHECK-NOT:     array.copy
// CHECK-LABEL: func.func @given_twice
// CHECK:         array.copy
// CHECK-LABEL: func.func @views
func.func @read_only(%xs: tensor<?xi32>) -> i32 {
  %c0 = arith.constant 0 : i64
  %copy = array.copy %xs : tensor<?xi32>
  %x = array.element %copy[%c0] : tensor<?xi32>
  %y = array.element %xs[%c0] : tensor<?xi32>
  %z = arith.addi %x, %y : i32
  return %z : i32
}
func.func @arguments(%xs: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : i64
  %c9 = arith.constant 9 : i32
  %copy = array.copy %xs : tensor<?xi32>
  %new = array.update %copy[%c0] = %c9 : tensor<?xi32>, i32
  %same = array.copy %xs : tensor<?xi32>
  return %new, %same : tensor<?xi32>, tensor<?xi32>
}
func.func @given(%xs: tensor<?xi32> {array.unique}, %ys: tensor<?xi32> {array.unique}) -> (tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : i64
  %c9 = arith.constant 9 : i32
  %copy = array.copy %xs : tensor<?xi32>
  %new = array.update %copy[%c0] = %c9 : tensor<?xi32>, i32
  %same = array.copy %ys : tensor<?xi32>
  return %new, %same : tensor<?xi32>, tensor<?xi32>
}
func.func @given_twice(%xs: tensor<?xi32> {array.unique}) -> (tensor<?xi32>, tensor<?xi32>) {
  %copy = array.copy %xs : tensor<?xi32>
  return %xs, %copy : tensor<?xi32>, tensor<?xi32>
}

// A view is laid out anew by its copy. An array that is only read through a view afterwards is still needed.
// CHECK-COUNT-2: array.copy
// CHECK:         return
func.func @views(%arg: tensor<?x?xi32>) -> (tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>) {
  %c0 = arith.constant 0 : i64
  %c9 = arith.constant 9 : i32
  %n = array.dim %arg, 0 : tensor<?x?xi32>
  %t = array.permute %arg [1, 0] : tensor<?x?xi32> -> tensor<?x?xi32>
  %u = array.copy %t : tensor<?x?xi32>
  %m = array.replicate (%n, %n) %c9 : i32 -> tensor<?x?xi32>
  %v = array.permute %m [1, 0] : tensor<?x?xi32> -> tensor<?x?xi32>
  %w = array.copy %m : tensor<?x?xi32>
  %x = array.update %w[%c0, %c0] = %c9 : tensor<?x?xi32>, i32
  return %u, %v, %x : tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>
}

// Copied before a loop that updates it, and dead: the loop updates it itself. Copied in a loop and needed in the next
// round: not. Carried, copied and replaced: the copy is the next round's array.
// CHECK-LABEL: func.func @loops
// CHECK:         %[[A:.*]] = array.iota
// CHECK:         %[[B:.*]] = array.iota
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %[[A]])
// CHECK-NOT:     array.copy
// CHECK:         scf.for
// CHECK:         array.copy %[[B]]
// CHECK:         scf.for
// CHECK-NOT:     array.copy
// CHECK:         return
func.func @loops(%n: i64) -> (tensor<?xi64>, i64, tensor<?xi64>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = array.iota %n, %c0, %c1 : i64 -> tensor<?xi64>
  %b = array.iota %n, %c1, %c1 : i64 -> tensor<?xi64>
  %copy = array.copy %a : tensor<?xi64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %copy) -> tensor<?xi64> : i64 {
    %y = array.update %x[%i] = %c1 : tensor<?xi64>, i64
    scf.yield %y : tensor<?xi64>
  }
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %c0) -> i64 : i64 {
    %each = array.copy %b : tensor<?xi64>
    %y = array.update %each[%i] = %sum : tensor<?xi64>, i64
    %e = array.element %y[%c0] : tensor<?xi64>
    %t = arith.addi %sum, %e : i64
    scf.yield %t : i64
  }
  %u = scf.for %i = %c0 to %n step %c1 iter_args(%x = %r) -> tensor<?xi64> : i64 {
    %next = array.copy %x : tensor<?xi64>
    %y = array.update %next[%i] = %i : tensor<?xi64>, i64
    scf.yield %y : tensor<?xi64>
  }
  return %u, %s, %b : tensor<?xi64>, i64, tensor<?xi64>
}

// Nothing but the copies reads the array, each in its round or at its point.
// CHECK-LABEL: func.func @rounds
// CHECK-COUNT-2: array.copy
// CHECK:         return
func.func @rounds(%n: i64) -> (i64, tensor<?xi64>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = array.iota %n, %c0, %c1 : i64 -> tensor<?xi64>
  %b = array.iota %n, %c0, %c1 : i64 -> tensor<?xi64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %c1) -> i64 : i64 {
    %mine = array.copy %a : tensor<?xi64>
    %new = array.update %mine[%i] = %sum : tensor<?xi64>, i64
    %e = array.element %new[%c0] : tensor<?xi64>
    %s = arith.addi %e, %sum : i64
    scf.yield %s : i64
  }
  %m = array.map (%n) {
  ^bb0(%i: i64):
    %mine = array.copy %b : tensor<?xi64>
    %new = array.update %mine[%i] = %c0 : tensor<?xi64>, i64
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%sum = %c0) -> i64 : i64 {
      %e = array.element %new[%j] : tensor<?xi64>
      %t = arith.addi %sum, %e : i64
      scf.yield %t : i64
    }
    array.yield %sum : i64
  } : tensor<?xi64>
  return %r, %m : i64, tensor<?xi64>
}

// A pin is no border: what it yields is the array that is updated afterwards.
// CHECK-LABEL: func.func @pinned
// CHECK:         array.pin
// CHECK-NOT:     array.copy
// CHECK:         }
// CHECK:         array.copy
// CHECK-NOT:     array.copy
// CHECK:         return
func.func @pinned(%arg: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : i64
  %c9 = arith.constant 9 : i32
  %n = array.dim %arg, 0 : tensor<?xi32>
  %xs = array.replicate (%n) %c9 : i32 -> tensor<?xi32>
  %p = array.pin #array.side<host> "f" {
    %copy = array.copy %xs : tensor<?xi32>
    %new = array.update %copy[%c0] = %c9 : tensor<?xi32>, i32
    array.yield %new : tensor<?xi32>
  } : tensor<?xi32>
  %needed = array.copy %p : tensor<?xi32>
  %new = array.update %needed[%c0] = %c9 : tensor<?xi32>, i32
  return %p, %new : tensor<?xi32>, tensor<?xi32>
}

// Each point of a grid needs an array of its own.
// CHECK-LABEL: func.func @points
// CHECK:         array.map
// CHECK:         array.copy
func.func @points(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %c9 = arith.constant 9 : i32
  %n = array.dim %xs, 0 : tensor<?xi32>
  %template = array.replicate (%n) %c9 : i32 -> tensor<?xi32>
  %r = array.map (%n) ins(%xs : tensor<?xi32>) {
  ^bb0(%i: i64, %x: i32):
    %c0 = arith.constant 0 : i64
    %mine = array.copy %template : tensor<?xi32>
    %new = array.update %mine[%i] = %x : tensor<?xi32>, i32
    %e = array.element %new[%c0] : tensor<?xi32>
    array.yield %e : i32
  } : tensor<?xi32>
  return %r : tensor<?xi32>
}

// What a loop hands on may be an array that is needed later, and the caller's.
// CHECK-LABEL: func.func @handed_on
// CHECK:         array.copy
func.func @handed_on(%xs: tensor<?xi64>, %c: i1, %k: i64) -> (tensor<?xi64>, tensor<?xi64>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = array.iota %k, %c0, %c1 : i64 -> tensor<?xi64>
  %b = array.replicate (%k) %c1 : i64 -> tensor<?xi64>
  %x = scf.for %i = %c0 to %k step %c1 iter_args(%x = %a) -> (tensor<?xi64>) : i64 {
    %next = arith.select %c, %b, %x : tensor<?xi64>
    scf.yield %next : tensor<?xi64>
  }
  %mine = array.copy %x : tensor<?xi64>
  %new = array.update %mine[%c0] = %c1 : tensor<?xi64>, i64
  return %new, %b : tensor<?xi64>, tensor<?xi64>
}

// A copy that the caller's array needs, next to one that nobody does: the second going makes no room for the first.
// CHECK-LABEL: func.func @one_of_two
// CHECK:         %[[MINE:.*]] = array.copy %arg0
// CHECK-NEXT:    array.update %[[MINE]]
func.func @one_of_two(%xs: tensor<?xi64>, %c: i1) -> (tensor<?xi64>, tensor<?xi64>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %mine = array.copy %xs : tensor<?xi64>
  %new = array.update %mine[%c0] = %c1 : tensor<?xi64>, i64
  %either = arith.select %c, %xs, %new : tensor<?xi64>
  return %new, %either : tensor<?xi64>, tensor<?xi64>
}
