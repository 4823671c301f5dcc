// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of a program are results of the interpreter: a place, a reason, and exit status 1; programs and input that
// cannot be run give status 2.
// RUN: echo '[1, 2, 3] 3' | not ferry-interpret %s index 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: echo '[1, 2, 3] 3' | not ferry-interpret %s update 2>&1 | FileCheck %s --check-prefix=UPDATE
// RUN: echo '[1, 2, 3] 2' | not ferry-interpret %s slice 2>&1 | FileCheck %s --check-prefix=SLICE
// RUN: echo '7 0' | not ferry-interpret %s divide 2>&1 | FileCheck %s --check-prefix=DIVIDE
// RUN: echo '-1' | not ferry-interpret %s assert 2>&1 | FileCheck %s --check-prefix=ASSERT
// RUN: echo '3' | not ferry-interpret %s irregular 2>&1 | FileCheck %s --check-prefix=IRREGULAR
// RUN: echo '[1, 2]' | not ferry-interpret %s index 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: echo '[1, 2] 3 4' | not ferry-interpret %s index 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: echo '[[1], [2, 3]]' | not ferry-interpret %s dim 2>&1 | FileCheck %s --check-prefix=RAGGED
// RUN: echo '1' | not ferry-interpret %s nowhere 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: echo '1' | not ferry-interpret %s unknown 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// INDEX: interpret-errors.mlir:[[# @LINE + 2]]:8: error: Index [3] out of bounds for array of shape [3].
func.func @index(%xs: tensor<?xi32>, %i: i64) -> i32 {
  %r = array.element %xs[%i] : tensor<?xi32>
  return %r : i32
}

// UPDATE: error: Index [3] out of bounds for array of shape [3].
func.func @update(%xs: tensor<?xi32>, %i: i64) -> tensor<?xi32> {
  %x = arith.constant 0 : i32
  %r = array.update %xs[%i] = %x : tensor<?xi32>, i32
  return %r : tensor<?xi32>
}

// SLICE: error: Slice of length 2 from 2 by 1 out of bounds for array of shape [3].
func.func @slice(%xs: tensor<?xi32>, %i: i64) -> tensor<?xi32> {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %r = array.slice %xs[%i] [%two] [%one] : tensor<?xi32> -> tensor<?xi32>
  return %r : tensor<?xi32>
}

// DIVIDE: error: division by zero
func.func @divide(%x: i32, %y: i32) -> i32 {
  %r = arith.divsi %x, %y : i32
  return %r : i32
}

// ASSERT: error: Range 0..<-1 is invalid; unsigned: 18446744073709551615
func.func @assert(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %fine = arith.cmpi sge, %n, %zero : i64
  array.assert %fine, "Range 0..<{0} is invalid; unsigned: {0:u}" (%n)
  return %n : i64
}

// IRREGULAR: error: rows of different shape
func.func @irregular(%n: i64) -> tensor<?x?xi64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r = array.map (%n) {
  ^bb0(%i: i64):
    %row = array.iota %i, %zero, %one : i64 -> tensor<?xi64>
    array.yield %row : tensor<?xi64>
  } : tensor<?x?xi64>
  return %r : tensor<?x?xi64>
}

// RAGGED: error: argument 0: rows of different length at
func.func @dim(%xs: tensor<?x?xi32>) -> i64 {
  %r = array.dim %xs, 1 : tensor<?x?xi32>
  return %r : i64
}

// UNKNOWN: error: the interpreter has no function 'mystery'
func.func private @mystery(f32) -> f32
func.func @unknown(%x: f32) -> f32 {
  %r = call @mystery(%x) : (f32) -> f32
  return %r : f32
}

// MISSING: ferry-interpret: error: argument 1: expected an integer at the end of the input
// LEFT: ferry-interpret: error: values are left after the 2 arguments
// NAME: ferry-interpret: error: no function 'nowhere' in the module
