// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: echo '[1, 2, 3, 4]' | ferry-interpret %s map | FileCheck %s --check-prefix=MAP
// RUN: echo '[[1, 2], [3, 4]] 10' | ferry-interpret %s map_rows | FileCheck %s --check-prefix=ROWS
// RUN: echo '[[1, 2, 3], [4, 5, 6]]' | ferry-interpret %s grid | FileCheck %s --check-prefix=GRID
// RUN: echo '[5, 9, 2, 9]' | ferry-interpret %s arg_max | FileCheck %s --check-prefix=ARGMAX
// RUN: echo 'empty([0]i32)' | ferry-interpret %s arg_max | FileCheck %s --check-prefix=NEUTRAL
// RUN: echo '[1, 2, 3, 4]' | ferry-interpret %s scan | FileCheck %s --check-prefix=SCAN
// RUN: echo '[0, 2, 0, 7, -1] [10, 20, 30, 40, 50]' | ferry-interpret %s hist | FileCheck %s --check-prefix=HIST
// RUN: echo '[0, 2, 0, 7, -1] [10, 20, 10, 40, 50]' | ferry-interpret %s scatter | FileCheck %s --check-prefix=SCATTER
// RUN: echo '[3, -1, 4, -1, 5]' | ferry-interpret %s filter | FileCheck %s --check-prefix=FILTER

// MAP: [1i32, 3i32, 5i32, 7i32]
func.func @map(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %n = array.dim %xs, 0 : tensor<?xi32>
  %r = array.map (%n) ins(%xs : tensor<?xi32>) {
  ^bb0(%i: i64, %x: i32):
    %j = arith.trunci %i : i64 to i32
    %y = arith.addi %x, %j : i32
    array.yield %y : i32
  } : tensor<?xi32>
  return %r : tensor<?xi32>
}

// A map over rows that yields rows and a scalar.
// ROWS:      {{\[}}[11i32, 12i32], [13i32, 14i32]]
// ROWS-NEXT: [2i64, 2i64]
func.func @map_rows(%xss: tensor<?x?xi32>, %by: i32) -> (tensor<?x?xi32>, tensor<?xi64>) {
  %n = array.dim %xss, 0 : tensor<?x?xi32>
  %r:2 = array.map (%n) ins(%xss : tensor<?x?xi32>) {
  ^bb0(%i: i64, %xs: tensor<?xi32>):
    %m = array.dim %xs, 0 : tensor<?xi32>
    %ys = array.map (%m) ins(%xs : tensor<?xi32>) {
    ^bb0(%j: i64, %x: i32):
      %y = arith.addi %x, %by : i32
      array.yield %y : i32
    } : tensor<?xi32>
    array.yield %ys, %m : tensor<?xi32>, i64
  } : tensor<?x?xi32>, tensor<?xi64>
  return %r#0, %r#1 : tensor<?x?xi32>, tensor<?xi64>
}

// GRID: {{\[}}[1i32, 2i32, 3i32], [5i32, 6i32, 7i32]]
func.func @grid(%xss: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %n = array.dim %xss, 0 : tensor<?x?xi32>
  %m = array.dim %xss, 1 : tensor<?x?xi32>
  %r = array.map (%n, %m) ins(%xss : tensor<?x?xi32>) {
  ^bb0(%i: i64, %j: i64, %x: i32):
    %k = arith.trunci %i : i64 to i32
    %y = arith.addi %x, %k : i32
    array.yield %y : i32
  } : tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}

// The first of the largest: an operator that is not commutative.
// ARGMAX:       9i32
// ARGMAX-NEXT:  1i64
// NEUTRAL:      -2147483648i32
// NEUTRAL-NEXT: -1i64
func.func @arg_max(%xs: tensor<?xi32>) -> (i32, i64) {
  %least = arith.constant -2147483648 : i32
  %none = arith.constant -1 : i64
  %n = array.dim %xs, 0 : tensor<?xi32>
  %r:2 = array.reduce (%n) ins(%xs : tensor<?xi32>) neutral(%least, %none : i32, i64) {
  ^bb0(%i: i64, %x: i32):
    array.yield %x, %i : i32, i64
  } operator {
  ^bb0(%a: i32, %i: i64, %b: i32, %j: i64):
    %more = arith.cmpi sgt, %b, %a : i32
    %c = arith.select %more, %b, %a : i32
    %k = arith.select %more, %j, %i : i64
    array.yield %c, %k : i32, i64
  } : i32, i64
  return %r#0, %r#1 : i32, i64
}

// SCAN: [1i32, 3i32, 6i32, 10i32]
func.func @scan(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %n = array.dim %xs, 0 : tensor<?xi32>
  %r = array.scan (%n) ins(%xs : tensor<?xi32>) neutral(%zero : i32) {
  ^bb0(%i: i64, %x: i32):
    array.yield %x : i32
  } operator {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    array.yield %c : i32
  } : tensor<?xi32>
  return %r : tensor<?xi32>
}

// Points out of bounds are ignored.
// HIST: [41i32, 1i32, 21i32]
func.func @hist(%is: tensor<?xi64>, %xs: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i64
  %n = array.dim %is, 0 : tensor<?xi64>
  %bins = array.replicate (%three) %one : i32 -> tensor<?xi32>
  %r = array.hist (%n) ins(%is, %xs : tensor<?xi64>, tensor<?xi32>) into (%bins : tensor<?xi32>) neutral(%zero : i32) rank 1 {
  ^bb0(%i: i64, %at: i64, %x: i32):
    array.yield %at, %x : i64, i32
  } operator {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    array.yield %c : i32
  } : tensor<?xi32>
  return %r : tensor<?xi32>
}

// SCATTER: [10i32, 1i32, 20i32]
func.func @scatter(%is: tensor<?xi64>, %xs: tensor<?xi32>) -> tensor<?xi32> {
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i64
  %n = array.dim %is, 0 : tensor<?xi64>
  %to = array.replicate (%three) %one : i32 -> tensor<?xi32>
  %r = array.scatter (%n) ins(%is, %xs : tensor<?xi64>, tensor<?xi32>) into (%to : tensor<?xi32>) rank 1 {
  ^bb0(%i: i64, %at: i64, %x: i32):
    array.yield %at, %x : i64, i32
  } : tensor<?xi32>
  return %r : tensor<?xi32>
}

// FILTER:      3i64
// FILTER-NEXT: [3i32, 4i32, 5i32]
func.func @filter(%xs: tensor<?xi32>) -> (i64, tensor<?xi32>) {
  %zero = arith.constant 0 : i32
  %start = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = array.dim %xs, 0 : tensor<?xi32>
  %count, %r = array.filter (%n) ins(%xs : tensor<?xi32>) {
  ^bb0(%i: i64, %x: i32):
    %keep = arith.cmpi sgt, %x, %zero : i32
    array.yield %keep, %x : i1, i32
  } : tensor<?xi32>
  %kept = array.slice %r[%start] [%count] [%one] : tensor<?xi32> -> tensor<?xi32>
  return %count, %kept : i64, tensor<?xi32>
}
