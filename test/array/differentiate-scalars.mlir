// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interpreter approximates array.jvp by central differences of its body; --passes compares that with the code made.
// RUN: echo '0.3 0.7' | ferry-interpret %s unary --passes=array-differentiate
// RUN: echo '0.8 -0.4' | ferry-interpret %s unary --passes=array-differentiate
// RUN: echo '1.7 -0.4' | ferry-interpret %s above_one --passes=array-differentiate
// RUN: echo '-1.7 0.3 0.5 -0.6' | ferry-interpret %s binary --passes=array-differentiate
// RUN: echo '2.5 0.3 0.5 -0.6' | ferry-interpret %s binary --passes=array-differentiate
// RUN: echo '0 3 0.5 2' | ferry-interpret %s at_zero --passes=array-differentiate
// RUN: echo '1.7 0.3 0.5f32' | ferry-interpret %s conversions --passes=array-differentiate
// RUN: echo '1.7 -0.3 0.5 -0.6' | ferry-interpret %s library --passes=array-differentiate

func.func @unary(%x: f64, %dx: f64) -> (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64) {
  %r:60 = array.jvp at (%x : f64) along (%dx : f64) {
  ^bb0(%y: f64):
    %negf = arith.negf %y : f64
    %absf = math.absf %y : f64
    %sin = math.sin %y : f64
    %cos = math.cos %y : f64
    %tan = math.tan %y : f64
    %asin = math.asin %y : f64
    %acos = math.acos %y : f64
    %atan = math.atan %y : f64
    %sinh = math.sinh %y : f64
    %cosh = math.cosh %y : f64
    %tanh = math.tanh %y : f64
    %asinh = math.asinh %y : f64
    %atanh = math.atanh %y : f64
    %exp = math.exp %y : f64
    %exp2 = math.exp2 %y : f64
    %expm1 = math.expm1 %y : f64
    %log = math.log %y : f64
    %log2 = math.log2 %y : f64
    %log10 = math.log10 %y : f64
    %log1p = math.log1p %y : f64
    %sqrt = math.sqrt %y : f64
    %cbrt = math.cbrt %y : f64
    %rsqrt = math.rsqrt %y : f64
    %erf = math.erf %y : f64
    %erfc = math.erfc %y : f64
    %floor = math.floor %y : f64
    %ceil = math.ceil %y : f64
    %round = math.round %y : f64
    %roundeven = math.roundeven %y : f64
    %trunc = math.trunc %y : f64
    array.yield %negf, %absf, %sin, %cos, %tan, %asin, %acos, %atan, %sinh, %cosh, %tanh, %asinh, %atanh, %exp, %exp2, %expm1, %log, %log2, %log10, %log1p, %sqrt, %cbrt, %rsqrt, %erf, %erfc, %floor, %ceil, %round, %roundeven, %trunc : f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64
  } : f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64
  return %r#30, %r#31, %r#32, %r#33, %r#34, %r#35, %r#36, %r#37, %r#38, %r#39, %r#40, %r#41, %r#42, %r#43, %r#44, %r#45, %r#46, %r#47, %r#48, %r#49, %r#50, %r#51, %r#52, %r#53, %r#54, %r#55, %r#56, %r#57, %r#58, %r#59 : f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64
}

func.func @above_one(%x: f64, %dx: f64) -> (f64, f64, f64) {
  %r:6 = array.jvp at (%x : f64) along (%dx : f64) {
  ^bb0(%y: f64):
    %acosh = math.acosh %y : f64
    %log = math.log %y : f64
    %sqrt = math.sqrt %y : f64
    array.yield %acosh, %log, %sqrt : f64, f64, f64
  } : f64, f64, f64, f64, f64, f64
  return %r#3, %r#4, %r#5 : f64, f64, f64
}

func.func @binary(%x: f64, %y: f64, %dx: f64, %dy: f64) -> (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64) {
  %three = arith.constant 3 : i32
  %r:22 = array.jvp at (%x, %y : f64, f64) along (%dx, %dy : f64, f64) {
  ^bb0(%a: f64, %b: f64):
    %add = arith.addf %a, %b : f64
    %sub = arith.subf %a, %b : f64
    %mul = arith.mulf %a, %b : f64
    %div = arith.divf %a, %b : f64
    %rem = arith.remf %a, %b : f64
    %fma = math.fma %a, %b, %a : f64
    %atan2 = math.atan2 %a, %b : f64
    %copysign = math.copysign %a, %b : f64
    %fpowi = math.fpowi %a, %three : f64, i32
    %less = arith.cmpf olt, %a, %b : f64
    %select = arith.select %less, %mul, %div : f64
    %square = arith.mulf %a, %a : f64
    %powf = math.powf %square, %b : f64
    array.yield %add, %sub, %mul, %div, %rem, %fma, %atan2, %copysign, %fpowi, %select, %powf
        : f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64
  } : f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64
  return %r#11, %r#12, %r#13, %r#14, %r#15, %r#16, %r#17, %r#18, %r#19, %r#20, %r#21
      : f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64
}

// Powers at zero have finite derivatives; extrema take the tangent of the operand that they are.
func.func @at_zero(%x: f64, %y: f64, %dx: f64, %dy: f64) -> (f64, f64, f64, f64, f64, f64) {
  %none = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %r:12 = array.jvp at (%x, %y : f64, f64) along (%dx, %dy : f64, f64) {
  ^bb0(%a: f64, %b: f64):
    %p0 = math.fpowi %a, %none : f64, i32
    %p2 = math.fpowi %a, %two : f64, i32
    %max = arith.maximumf %a, %b : f64
    %min = arith.minimumf %a, %b : f64
    %maxnum = arith.maxnumf %a, %b : f64
    %minnum = arith.minnumf %a, %b : f64
    array.yield %p0, %p2, %max, %min, %maxnum, %minnum : f64, f64, f64, f64, f64, f64
  } : f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64
  return %r#6, %r#7, %r#8, %r#9, %r#10, %r#11 : f64, f64, f64, f64, f64, f64
}

// Only floats have tangents: an integer made of one has none.
func.func @conversions(%x: f64, %dx: f64, %dy: f32) -> (f64, f64, i32) {
  %z = arith.constant 2.0 : f32
  %r:8 = array.jvp at (%x, %z : f64, f32) along (%dx, %dy : f64, f32) {
  ^bb0(%a: f64, %b: f32):
    %wide = arith.extf %b : f32 to f64
    %p = arith.mulf %wide, %a : f64
    %narrow = arith.truncf %a : f64 to f32
    %q = arith.mulf %narrow, %b : f32
    %q64 = arith.extf %q : f32 to f64
    %n = arith.fptosi %a : f64 to i32
    %back = arith.sitofp %n : i32 to f64
    %s = arith.addf %back, %p : f64
    array.yield %s, %q64, %n, %back : f64, f64, i32, f64
  } : f64, f64, i32, f64, f64, f64, i32, f64
  return %r#4, %r#5, %r#6 : f64, f64, i32
}

func.func private @hypot(f64, f64) -> f64
func.func private @fmod(f64, f64) -> f64
func.func private @exp10(f64) -> f64
func.func private @ldexp(f64, i32) -> f64
func.func @library(%x: f64, %y: f64, %dx: f64, %dy: f64) -> (f64, f64, f64, f64) {
  %two = arith.constant 2 : i32
  %r:8 = array.jvp at (%x, %y : f64, f64) along (%dx, %dy : f64, f64) {
  ^bb0(%a: f64, %b: f64):
    %h = func.call @hypot(%a, %b) : (f64, f64) -> f64
    %m = func.call @fmod(%a, %b) : (f64, f64) -> f64
    %e = func.call @exp10(%a) : (f64) -> f64
    %l = func.call @ldexp(%a, %two) : (f64, i32) -> f64
    array.yield %h, %m, %e, %l : f64, f64, f64, f64
  } : f64, f64, f64, f64, f64, f64, f64, f64
  return %r#4, %r#5, %r#6, %r#7 : f64, f64, f64, f64
}
