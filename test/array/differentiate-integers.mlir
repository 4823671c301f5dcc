// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers have tangents like other numbers; where they are indices or sizes, those have no part in it.
// RUN: ferry-opt %s --array-differentiate --array-check-differentiated -o %t
// RUN: echo '3 4' | ferry-interpret %t power | FileCheck %s --check-prefix=POWER
// RUN: echo '7 2' | ferry-interpret %t scalars | FileCheck %s --check-prefix=SCALARS
// RUN: echo '2.5 3.5' | ferry-interpret %t conversions | FileCheck %s --check-prefix=CONVERSIONS
// RUN: echo '[1, 0, 2] [10, 20, 30]' | ferry-interpret %t indices | FileCheck %s --check-prefix=INDICES
// RUN: echo 'true 2.5' | ferry-interpret %t bools | FileCheck %s --check-prefix=BOOLS
// RUN: echo '3 5' | ferry-interpret %t sizes | FileCheck %s --check-prefix=SIZES

// POWER: 48i64
func.func @power(%n: i64, %x: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r:2 = array.jvp at (%x : i64) along (%one : i64) {
  ^bb0(%a: i64):
    %p = scf.for %i = %zero to %n step %one iter_args(%acc = %one) -> (i64) : i64 {
      %next = arith.muli %acc, %a : i64
      scf.yield %next : i64
    }
    array.yield %p : i64
  } : i64, i64
  return %r#1 : i64
}

// The tangent of x - x * x along d, of x / 1, x / 3 and x % 3, of 1 << x, of x << 2, x >> 0 and x >> 1, of min x 9 and
// min x 5.
// SCALARS:      -26i32
// SCALARS-NEXT: 2i32
// SCALARS-NEXT: 0i32
// SCALARS-NEXT: 2i32
// SCALARS-NEXT: 0i32
// SCALARS-NEXT: 8i32
// SCALARS-NEXT: 2i32
// SCALARS-NEXT: 0i32
// SCALARS-NEXT: 2i32
// SCALARS-NEXT: 0i32
func.func @scalars(%x: i32, %d: i32) -> (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) {
  %r:20 = array.jvp at (%x : i32) along (%d : i32) {
  ^bb0(%a: i32):
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c5 = arith.constant 5 : i32
    %c9 = arith.constant 9 : i32
    %square = arith.muli %a, %a : i32
    %difference = arith.subi %a, %square : i32
    %whole = arith.divsi %a, %c1 : i32
    %third = arith.divsi %a, %c3 : i32
    %rest = arith.remsi %a, %c3 : i32
    %shifted_by = arith.shli %c1, %a : i32
    %shifted = arith.shli %a, %c2 : i32
    %same = arith.shrsi %a, %c0 : i32
    %half = arith.shrsi %a, %c1 : i32
    %lower = arith.minsi %a, %c9 : i32
    %bound = arith.minsi %a, %c5 : i32
    array.yield %difference, %whole, %third, %rest, %shifted_by, %shifted, %same, %half, %lower, %bound : i32, i32, i32, i32, i32, i32, i32, i32, i32, i32
  } : i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32
  return %r#10, %r#11, %r#12, %r#13, %r#14, %r#15, %r#16, %r#17, %r#18, %r#19 : i32, i32, i32, i32, i32, i32, i32, i32, i32, i32
}

// CONVERSIONS:      3i32
// CONVERSIONS-NEXT: 3i64
// CONVERSIONS-NEXT: 3f64
func.func @conversions(%x: f64, %d: f64) -> (i32, i64, f64) {
  %r:6 = array.jvp at (%x : f64) along (%d : f64) {
  ^bb0(%a: f64):
    %narrow = arith.fptosi %a : f64 to i32
    %wide = arith.extsi %narrow : i32 to i64
    %back = arith.sitofp %wide : i64 to f64
    array.yield %narrow, %wide, %back : i32, i64, f64
  } : i32, i64, f64, i32, i64, f64
  return %r#3, %r#4, %r#5 : i32, i64, f64
}

// An element found by another one, and its update by the index itself.
// INDICES:      10i64
// INDICES-NEXT: [10i64, 10i64, 30i64]
func.func @indices(%xs: tensor<?xi64>, %dxs: tensor<?xi64>) -> (i64, tensor<?xi64>) {
  %r:4 = array.jvp at (%xs : tensor<?xi64>) along (%dxs : tensor<?xi64>) {
  ^bb0(%as: tensor<?xi64>):
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %i = array.element %as[%zero] : tensor<?xi64>
    %j = array.element %as[%one] : tensor<?xi64>
    %y = array.element %as[%j] : tensor<?xi64>
    %copy = array.copy %as : tensor<?xi64>
    %zs = array.update %copy[%i] = %i : tensor<?xi64>, i64
    array.yield %y, %zs : i64, tensor<?xi64>
  } : i64, tensor<?xi64>, i64, tensor<?xi64>
  return %r#2, %r#3 : i64, tensor<?xi64>
}

// SIZES:      [5i64, 5i64, 5i64]
// SIZES-NEXT: 0i64
func.func @sizes(%n: i64, %d: i64) -> (tensor<?xi64>, i64) {
  %r:4 = array.jvp at (%n : i64) along (%d : i64) {
  ^bb0(%a: i64):
    %ns = array.replicate (%a) %a : i64 -> tensor<?xi64>
    %m = array.dim %ns, 0 : tensor<?xi64>
    array.yield %ns, %m : tensor<?xi64>, i64
  } : tensor<?xi64>, i64, tensor<?xi64>, i64
  return %r#2, %r#3 : tensor<?xi64>, i64
}

// The tangent of !x is that of x; a comparison has none.
// BOOLS:      true
// BOOLS-NEXT: false
// BOOLS-NEXT: false
func.func @bools(%x: i1, %y: f64) -> (i1, i1, i1) {
  %true = arith.constant true
  %one = arith.constant 1.0 : f64
  %r:6 = array.jvp at (%x, %y : i1, f64) along (%true, %one : i1, f64) {
  ^bb0(%a: i1, %b: f64):
    %all = arith.constant true
    %not = arith.xori %a, %all : i1
    %less = arith.cmpf olt, %b, %b : f64
    %both = arith.andi %a, %a : i1
    array.yield %not, %less, %both : i1, i1, i1
  } : i1, i1, i1, i1, i1, i1
  return %r#3, %r#4, %r#5 : i1, i1, i1
}
