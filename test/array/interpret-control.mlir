// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: echo '10' | ferry-interpret %s fibonacci | FileCheck %s --check-prefix=FIBONACCI
// RUN: echo '27' | ferry-interpret %s collatz | FileCheck %s --check-prefix=COLLATZ
// RUN: echo '[5, 3, 9, 1]' | ferry-interpret %s sort | FileCheck %s --check-prefix=SORT
// RUN: echo '3f64 4f64 0.5f32' | ferry-interpret %s library | FileCheck %s --check-prefix=LIBRARY
// RUN: echo '3 2' | ferry-interpret %s branches | FileCheck %s --check-prefix=BRANCHES

// FIBONACCI: 55i64
func.func @fibonacci(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %zero, %b = %one) -> (i64, i64) : i64 {
    %c = arith.addi %a, %b : i64
    scf.yield %b, %c : i64, i64
  }
  return %r#0 : i64
}

// COLLATZ: 111i64
func.func @collatz(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %r:2 = scf.while (%x = %n, %steps = %zero) : (i64, i64) -> (i64, i64) {
    %more = arith.cmpi ne, %x, %one : i64
    scf.condition(%more) %x, %steps : i64, i64
  } do {
  ^bb0(%x: i64, %steps: i64):
    %rest = arith.remsi %x, %two : i64
    %even = arith.cmpi eq, %rest, %zero : i64
    %next = scf.if %even -> i64 {
      %half = arith.divsi %x, %two : i64
      scf.yield %half : i64
    } else {
      %triple = arith.muli %x, %three : i64
      %up = arith.addi %triple, %one : i64
      scf.yield %up : i64
    }
    %count = arith.addi %steps, %one : i64
    scf.yield %next, %count : i64, i64
  }
  return %r#1 : i64
}

// A function called twice a round, whose array is carried by nested loops and updated in place.
// SORT:      [1i32, 3i32, 5i32, 9i32]
func.func private @order(%xs: tensor<?xi32>, %i: i64, %j: i64) -> tensor<?xi32> {
  %x = array.element %xs[%i] : tensor<?xi32>
  %y = array.element %xs[%j] : tensor<?xi32>
  %wrong = arith.cmpi sgt, %x, %y : i32
  %r = scf.if %wrong -> tensor<?xi32> {
    %a = array.update %xs[%i] = %y : tensor<?xi32>, i32
    %b = array.update %a[%j] = %x : tensor<?xi32>, i32
    scf.yield %b : tensor<?xi32>
  } else {
    scf.yield %xs : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}
func.func @sort(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = array.dim %xs, 0 : tensor<?xi32>
  %r = scf.for %i = %zero to %n step %one iter_args(%as = %xs) -> tensor<?xi32> : i64 {
    %next = arith.addi %i, %one : i64
    %s = scf.for %j = %next to %n step %one iter_args(%bs = %as) -> tensor<?xi32> : i64 {
      %cs = func.call @order(%bs, %i, %j) : (tensor<?xi32>, i64, i64) -> tensor<?xi32>
      scf.yield %cs : tensor<?xi32>
    }
    scf.yield %s : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}

// LIBRARY:      5f64
// LIBRARY-NEXT: 0.572364{{.*}}f32
func.func private @hypot(f64, f64) -> f64
func.func private @lgammaf(f32) -> f32
func.func @library(%x: f64, %y: f64, %z: f32) -> (f64, f32) {
  %r = call @hypot(%x, %y) : (f64, f64) -> f64
  %s = call @lgammaf(%z) : (f32) -> f32
  return %r, %s : f64, f32
}

// BRANCHES: 30i32
func.func @branches(%which: i64, %x: i32) -> i32 {
  %ten = arith.constant 10 : i32
  %thirty = arith.constant 30 : i32
  %at = arith.index_cast %which : i64 to index
  %r = scf.index_switch %at -> i32
  case 1 {
    scf.yield %ten : i32
  }
  case 3 {
    scf.yield %thirty : i32
  }
  default {
    scf.yield %x : i32
  }
  return %r : i32
}
