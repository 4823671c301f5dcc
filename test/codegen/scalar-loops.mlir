// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: echo '[1, 2, 3, 4]' | ferry-run-mlir %s sum | FileCheck %s --check-prefix=SUM
// RUN: echo 10 | ferry-run-mlir %s fibonacci | FileCheck %s --check-prefix=FIB
// RUN: echo 1 | not ferry-run-mlir %s fibonacci 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: echo '48 18' | ferry-run-mlir %s gcd | FileCheck %s --check-prefix=GCD
// RUN: ferry-run-mlir %s --stage=buffers | FileCheck %s --check-prefix=BUFFERS

// SUM: 10i32
// The index runs over the array: no check is left.
// BUFFERS-LABEL: llvm.func @ferry_entry_sum
// BUFFERS: scf.for
// BUFFERS-NOT: ferry_rt_fail
// BUFFERS: scf.yield
func.func @sum(%xs: tensor<?xi32>) -> i32 {
  %n = array.dim %xs, 0 : tensor<?xi32>
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %z = arith.constant 0 : i32
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z) -> i32 : i64 {
    %x = array.element %xs[%i] : tensor<?xi32>
    %y = arith.addi %acc, %x : i32
    scf.yield %y : i32
  }
  return %s : i32
}

// FIB: [1i64, 1i64, 2i64, 3i64, 5i64, 8i64, 13i64, 21i64, 34i64, 55i64]
// BOUNDS: scalar-loops.mlir:[[#]]:[[#]]: error: Index [1] out of bounds for array of shape [1].
// The array that is updated in place is not carried by the loop, and no reference is counted in it.
// BUFFERS-LABEL: llvm.func @ferry_entry_fibonacci
// BUFFERS: scf.for {{.*}} step %{{[a-z0-9_]+}} : i64 {
// BUFFERS-NOT: ferry_rt_re
// BUFFERS: llvm.return
func.func @fibonacci(%n: i64) -> tensor<?xi64> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %ones = array.replicate (%n) %c1 : i64 -> tensor<?xi64>
  %first = array.update %ones[%c1] = %c1 : tensor<?xi64>, i64
  %r = scf.for %i = %c2 to %n step %c1 iter_args(%f = %first) -> tensor<?xi64> : i64 {
    %i1 = arith.subi %i, %c1 : i64
    %i2 = arith.subi %i, %c2 : i64
    %x = array.element %f[%i1] : tensor<?xi64>
    %y = array.element %f[%i2] : tensor<?xi64>
    %z = arith.addi %x, %y : i64
    %g = array.update %f[%i] = %z : tensor<?xi64>, i64
    scf.yield %g : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}

// GCD: 6i64
func.func @gcd(%a: i64, %b: i64) -> i64 {
  %c0 = arith.constant 0 : i64
  %r:2 = scf.while (%x = %a, %y = %b) : (i64, i64) -> (i64, i64) {
    %more = arith.cmpi ne, %y, %c0 : i64
    scf.condition(%more) %x, %y : i64, i64
  } do {
  ^bb0(%x: i64, %y: i64):
    %m = arith.remsi %x, %y : i64
    scf.yield %y, %m : i64, i64
  }
  return %r#0 : i64
}
