// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: echo '[1, 2, 3] 10' | ferry-interpret %s placed | FileCheck %s --check-prefix=PLACED
// RUN: echo '[1, 2, 3]' | not ferry-interpret %s view_of_host 2>&1 | FileCheck %s --check-prefix=VIOLATION
// RUN: echo '[1, 2, 3]' | ferry-interpret %s pinned | FileCheck %s --check-prefix=PINNED

!host = tensor<?xi32, #array.side<host>>
!device = tensor<?xi32, #array.side<device>>

// PLACED:      [11i32, 99i32, 13i32]
// PLACED-NEXT: 13i32
func.func @placed(%xs: !host, %by: i32) -> (!host, i32) {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %x = arith.constant 99 : i32
  %n = array.dim %xs, 0 : !host
  %up = array.transfer %xs : !host -> !device
  %k = array.launch "map" {
    %r = array.map (%n) ins(%up : !device) {
    ^bb0(%i: i64, %a: i32):
      %b = arith.addi %a, %by : i32
      array.yield %b : i32
    } : !device
    array.yield %r : !device
  } : !device
  %peeked = array.peek %k[%two] : !device
  %poked = array.poke %k[%one] = %x : !device, i32
  %time = arith.constant 5 : i64
  array.tick %time
  %down = array.transfer %poked : !device -> !host
  return %down, %peeked : !host, i32
}

// An array without a side in its type still has one.
// VIOLATION: error: 'array.element' runs on the device, but the array is on the host
func.func @view_of_host(%xs: !host) -> i32 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %rows = array.replicate (%one) %xs : !host -> tensor<?x?xi32, #array.side<host>>
  %r = array.map (%one) ins(%rows : tensor<?x?xi32, #array.side<host>>) {
  ^bb0(%i: i64, %row: tensor<?xi32>):
    %k = array.launch "read" {
      %x = array.element %row[%zero] : tensor<?xi32>
      %s = array.from_scalar %x : i32 -> tensor<i32, #array.side<device>>
      array.yield %s : tensor<i32, #array.side<device>>
    } : tensor<i32, #array.side<device>>
    array.yield %i : i64
  } : tensor<?xi64>
  %c = arith.constant 0 : i32
  return %c : i32
}

// PINNED: 6i32
func.func @pinned(%xs: tensor<?xi32>) -> i32 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = arith.constant 0 : i32
  %r = array.pin #array.side<host> "total" {
    %n = array.dim %xs, 0 : tensor<?xi32>
    %s = scf.for %i = %zero to %n step %one iter_args(%acc = %none) -> i32 : i64 {
      %x = array.element %xs[%i] : tensor<?xi32>
      %y = arith.addi %acc, %x : i32
      scf.yield %y : i32
    }
    array.yield %s : i32
  } : i32
  return %r : i32
}
