-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- The number modules through programs; scalars_test.cpp has their arithmetic in detail.
-- RUN: ferry-lower-test %s main > %t && echo '-7 2 2.5' | ferry-interpret %t main | FileCheck %s
-- RUN: ferry-lower-test %s library | FileCheck %s --check-prefix=LIBRARY

-- CHECK:      -4i32
-- CHECK-NEXT: -3i32
-- CHECK-NEXT: 1i32
-- CHECK-NEXT: -1i32
-- CHECK-NEXT: 49i32
-- CHECK-NEXT: 1i8
-- CHECK-NEXT: 2i32
-- CHECK-NEXT: 31i32
-- CHECK-NEXT: -7i64
-- CHECK-NEXT: 2f64
-- CHECK-NEXT: 2.5f32
-- CHECK-NEXT: true
-- CHECK-NEXT: 249i64
-- CHECK-NEXT: 6i32
-- CHECK-NEXT: true
entry main (a: i32) (b: i32) (x: f64) =
  let bits = (u8.highest >> 7, i32.popc 3)
  in ( a / b, a // b, a % b, a %% b, a ** b, bits.0, bits.1
     , i32.get_bit 1 b + 30
     , i64.i32 a
     , f64.round x, f32.f64 x
     , f64.isnan (f64.nan * x)
     , i64.u8 (u8.i32 a)
     , i32.min 6 (i32.maximum [a, b, 9])
     , f64.inf > f64.highest - 1 || f64.lowest < 0)

-- LIBRARY-DAG: func.func private @hypotf(f32, f32) -> f32
-- LIBRARY-DAG: func.func private @tgamma(f64) -> f64
-- LIBRARY-DAG: call @hypotf
-- LIBRARY-DAG: call @tgamma
-- LIBRARY-DAG: math.erf
-- LIBRARY-DAG: math.atan2
entry library (x: f32) (y: f64) = (f32.hypot x x, f64.gamma y, f64.erf y, f64.atan2 y 1)
