// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: echo '-7i8 2i8' | ferry-interpret %s integers | FileCheck %s --check-prefix=INTEGERS
// RUN: echo '-7i8 9i8' | ferry-interpret %s bits | FileCheck %s --check-prefix=BITS
// RUN: echo '300.7f32 -1.5f32' | ferry-interpret %s conversions | FileCheck %s --check-prefix=CONVERSIONS
// RUN: echo 'f64.nan 2' | ferry-interpret %s comparisons | FileCheck %s --check-prefix=COMPARISONS
// RUN: echo '0.5' | ferry-interpret %s functions | FileCheck %s --check-prefix=FUNCTIONS
// RUN: echo '0x1.8p1 1_000.5f32 0.1f16' | ferry-interpret %s floats | FileCheck %s --check-prefix=FLOATS
// RUN: echo '0.5 3' | ferry-interpret %s derivative | FileCheck %s --check-prefix=DERIVATIVE

// Division truncates, floors, or is unsigned (249 / 2); arithmetic wraps.
// INTEGERS:      -3i8
// INTEGERS-NEXT: -1i8
// INTEGERS-NEXT: -4i8
// INTEGERS-NEXT: 124i8
// INTEGERS-NEXT: 93i8
// INTEGERS-NEXT: 2i8
func.func @integers(%x: i8, %y: i8) -> (i8, i8, i8, i8, i8, i8) {
  %c = arith.constant 100 : i8
  %a = arith.divsi %x, %y : i8
  %b = arith.remsi %x, %y : i8
  %d = arith.floordivsi %x, %y : i8
  %e = arith.divui %x, %y : i8
  %f = arith.addi %x, %c : i8
  %g = arith.minui %x, %y : i8
  return %a, %b, %d, %e, %f, %g : i8, i8, i8, i8, i8, i8
}

// BITS:      -4i8
// BITS-NEXT: 124i8
// BITS-NEXT: 0i8
// BITS-NEXT: 0i8
// BITS-NEXT: 6i8
// BITS-NEXT: -7i32
// BITS-NEXT: 249i32
func.func @bits(%x: i8, %too_far: i8) -> (i8, i8, i8, i8, i8, i32, i32) {
  %one = arith.constant 1 : i8
  %a = arith.shrsi %x, %one : i8
  %b = arith.shrui %x, %one : i8
  %c = arith.shli %x, %too_far : i8
  %d = math.ctlz %x : i8
  %e = math.ctpop %x : i8
  %f = arith.extsi %x : i8 to i32
  %g = arith.extui %x : i8 to i32
  return %a, %b, %c, %d, %e, %f, %g : i8, i8, i8, i8, i8, i32, i32
}

// What does not fit is 0.
// CONVERSIONS:      300i32
// CONVERSIONS-NEXT: 0i8
// CONVERSIONS-NEXT: -1i8
// CONVERSIONS-NEXT: 0i8
// CONVERSIONS-NEXT: -1077936128i32
// CONVERSIONS-NEXT: 300.75f16
func.func @conversions(%x: f32, %y: f32) -> (i32, i8, i8, i8, i32, f16) {
  %a = arith.fptosi %x : f32 to i32
  %b = arith.fptosi %x : f32 to i8
  %c = arith.fptosi %y : f32 to i8
  %d = arith.fptoui %y : f32 to i8
  %e = arith.bitcast %y : f32 to i32
  %f = arith.truncf %x : f32 to f16
  return %a, %b, %c, %d, %e, %f : i32, i8, i8, i8, i32, f16
}

// COMPARISONS:      false
// COMPARISONS-NEXT: true
// COMPARISONS-NEXT: true
// COMPARISONS-NEXT: 2f64
// COMPARISONS-NEXT: f64.nan
func.func @comparisons(%nan: f64, %y: f64) -> (i1, i1, i1, f64, f64) {
  %a = arith.cmpf oeq, %nan, %nan : f64
  %b = arith.cmpf une, %nan, %y : f64
  %c = arith.cmpf ult, %nan, %y : f64
  %d = arith.maxnumf %nan, %y : f64
  %e = arith.maximumf %nan, %y : f64
  return %a, %b, %c, %d, %e : i1, i1, i1, f64, f64
}

// FUNCTIONS:      0.47942553{{.*}}f64
// FUNCTIONS-NEXT: 0.54930614{{.*}}f64
// FUNCTIONS-NEXT: 0.70710678{{.*}}f64
// FUNCTIONS-NEXT: 0.25f64
// FUNCTIONS-NEXT: 0.52049987{{.*}}f64
func.func @functions(%x: f64) -> (f64, f64, f64, f64, f64) {
  %two = arith.constant 2 : i32
  %a = math.sin %x : f64
  %b = math.atanh %x : f64
  %c = math.sqrt %x : f64
  %d = math.fpowi %x, %two : f64, i32
  %e = math.erf %x : f64
  return %a, %b, %c, %d, %e : f64, f64, f64, f64, f64
}

// FLOATS:      3f64
// FLOATS-NEXT: 1000.5f32
// FLOATS-NEXT: 0.099976f16
func.func @floats(%x: f64, %y: f32, %z: f16) -> (f64, f32, f16) {
  return %x, %y, %z : f64, f32, f16
}

// A jvp that was not differentiated is approximated: x^n at 0.5 along 1, with its second derivative along 1 too.
// DERIVATIVE:      0.{{74999999999|7500000000}}{{[0-9]*}}f64
// DERIVATIVE-NEXT: {{2.9999999999|3.000000000}}{{[0-9]*}}f64
func.func @derivative(%x: f64, %n: i64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %outer:2 = array.jvp at (%x : f64) along (%one : f64) {
  ^bb0(%y: f64):
    %inner:2 = array.jvp at (%y : f64) along (%one : f64) {
    ^bb0(%z: f64):
      %p = math.fpowi %z, %n : f64, i64
      array.yield %p : f64
    } : f64, f64
    array.yield %inner#1 : f64
  } : f64, f64
  return %outer#0, %outer#1 : f64, f64
}
