// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: echo '[1, 2, 3]' | ferry-run-mlir %s there_and_back --sim --report | FileCheck %s --check-prefix=BACK
// RUN: echo 'empty([0]i32)' | ferry-run-mlir %s there_and_back --sim --report | FileCheck %s --check-prefix=EMPTY
// RUN: echo '[1, 2, 3]' | ferry-run-mlir %s region --sim --report | FileCheck %s --check-prefix=REGION
// RUN: echo '[5, 6, 7] 1' | ferry-run-mlir %s across --sim --report | FileCheck %s --check-prefix=ACROSS
// RUN: echo '[5, 6, 7] 3' | not ferry-run-mlir %s across --sim 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: echo '[1, 2, 3]' | not ferry-run-mlir %s there_and_back 2>&1 | FileCheck %s --check-prefix=NONE

!host = tensor<?xi32, #array.side<host>>
!device = tensor<?xi32, #array.side<device>>

// BACK:      [10i32, 20i32, 30i32]
// BACK-NEXT: 60i32
// BACK-NEXT: uploads 1 (12 bytes), downloads 1 (12 bytes), peeks 1, pokes 0, launches 2, device peak 24 bytes
// EMPTY:      empty([0]i32)
// EMPTY-NEXT: 0i32
// EMPTY-NEXT: uploads 0 (0 bytes), downloads 0 (0 bytes), peeks 1,
// NONE: error: {{.*}} device
func.func @there_and_back(%xs: tensor<?xi32>) -> (!host, i32) {
  %n = array.dim %xs, 0 : tensor<?xi32>
  %h = array.copy %xs : tensor<?xi32>
  %m = array.map (%n) ins(%h : tensor<?xi32>) {
  ^bb0(%i: i64, %x: i32):
    array.yield %x : i32
  } : !host
  %d = array.transfer %m : !host -> !device
  %ten = arith.constant 10 : i32
  %e = array.launch "times ten" {
    %r = array.map (%n) ins(%d : !device) {
    ^bb0(%i: i64, %x: i32):
      %y = arith.muli %x, %ten : i32
      array.yield %y : i32
    } : !device
    array.yield %r : !device
  } : !device
  %zero = arith.constant 0 : i32
  %s = array.launch "sum" {
    %r = array.reduce (%n) ins(%e : !device) neutral(%zero : i32) {
    ^bb0(%i: i64, %x: i32):
      array.yield %x : i32
    } operator {
    ^bb0(%a: i32, %b: i32):
      %c = arith.addi %a, %b : i32
      array.yield %c : i32
    } : i32
    %boxed = array.from_scalar %r : i32 -> tensor<i32, #array.side<device>>
    array.yield %boxed : tensor<i32, #array.side<device>>
  } : tensor<i32, #array.side<device>>
  %back = array.transfer %e : !device -> !host
  %sum = array.peek %s[] : tensor<i32, #array.side<device>>
  return %back, %sum : !host, i32
}

// A kernel that updates an array from outside in place gives the same array.
// REGION:      [1i32, 3i32, 6i32]
// REGION-NEXT: uploads 1 (12 bytes), downloads 1 (12 bytes), peeks 0, pokes 0, launches 1, device peak 12 bytes
func.func @region(%xs: !host) -> !host {
  %n = array.dim %xs, 0 : !host
  %c1 = arith.constant 1 : i64
  %d = array.transfer %xs : !host -> !device
  %e = array.launch "prefix sums" sequential {
    %r = scf.for %i = %c1 to %n step %c1 iter_args(%a = %d) -> !device : i64 {
      %j = arith.subi %i, %c1 : i64
      %x = array.element %a[%j] : !device
      %y = array.element %a[%i] : !device
      %s = arith.addi %x, %y : i32
      %b = array.update %a[%i] = %s : !device, i32
      scf.yield %b : !device
    }
    array.yield %r : !device
  } : !device
  %h = array.transfer %e : !device -> !host
  return %h : !host
}

// ACROSS:      [5i32, 16i32, 7i32]
// ACROSS-NEXT: uploads 1 (12 bytes), downloads 1 (12 bytes), peeks 1, pokes 1, launches 0, device peak 12 bytes
// BOUNDS: launches.mlir:[[# @LINE + 4]]:8: error: Index [3] out of bounds for array of shape [3].
func.func @across(%xs: !host, %i: i64) -> !host {
  %ten = arith.constant 10 : i32
  %d = array.transfer %xs : !host -> !device
  %x = array.peek %d[%i] : !device
  %y = arith.addi %x, %ten : i32
  %e = array.poke %d[%i] = %y : !device, i32
  %h = array.transfer %e : !device -> !host
  return %h : !host
}
