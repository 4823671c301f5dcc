-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Functions of mathematics: each device has them from a library of its own.
-- ==
-- entry: doubles doubles_of_two doubles_near_whole
-- input { [0.3f64, 0.5f64, 0.0f64, -0.25f64, 0.99f64, -1.0f64, 1e-300f64] } as on the host
-- input { [7.5f64, -3.25f64, 20.0f64, 1e10f64, -1e5f64, 123456.789f64, f64.inf, -f64.inf, f64.nan] } as on the host

-- ==
-- entry: singles singles_of_two singles_near_whole
-- input { [0.3f32, 0.5f32, 0.0f32, -0.25f32, 0.99f32, -1.0f32, 1e-30f32] } as on the host
-- input { [7.5f32, -3.25f32, 20.0f32, 1e5f32, -1e4f32, 123.4567f32, f32.inf, -f32.inf, f32.nan] } as on the host

-- ==
-- entry: halves
-- input { [0.3f16, 0.5f16, 0.0f16, -0.25f16, 0.99f16, -1.0f16, 7.5f16] } as on the host

-- ==
-- entry: whole
-- input { [0i32, 1i32, -1i32, 2147483647i32, -2147483648i32, 12345i32, -77i32] } as on the host

entry doubles (xs: []f64): [][]f64 =
  map (\x -> f64.([exp x, log x, sin x, cos x, tan x, asin x, acos x, atan x, sinh x, cosh x, tanh x, asinh x, acosh x, atanh x,
                   sqrt x, log2 x, log10 x, log1p x, cbrt x, gamma x, lgamma x, erf x, erfc x, recip x, abs x])) xs

entry doubles_of_two (xs: []f64): [][]f64 =
  map (\x -> f64.([x ** 1.5, 2 ** x, hypot x 3, atan2 x 2, x % 0.7, fma x x 1, max x 0, min x 0, copysign 2 x, nextafter x 9])) xs

entry doubles_near_whole (xs: []f64): [][]f64 = map (\x -> f64.([floor x, ceil x, trunc x, round x])) xs

entry singles (xs: []f32): [][]f32 =
  map (\x -> f32.([exp x, log x, sin x, cos x, tan x, asin x, acos x, atan x, sinh x, cosh x, tanh x, asinh x, acosh x, atanh x,
                   sqrt x, log2 x, log10 x, log1p x, cbrt x, gamma x, lgamma x, erf x, erfc x, recip x, abs x])) xs

entry singles_of_two (xs: []f32): [][]f32 =
  map (\x -> f32.([x ** 1.5, 2 ** x, hypot x 3, atan2 x 2, x % 0.7, fma x x 1, max x 0, min x 0, copysign 2 x, nextafter x 9])) xs

entry singles_near_whole (xs: []f32): [][]f32 = map (\x -> f32.([floor x, ceil x, trunc x, round x])) xs

entry halves (xs: []f16): [][]f16 =
  map (\x -> f16.([exp x, sin x, cos x, atan x, tanh x, sqrt (abs x), abs x ** 1.5, x / 3, max x 0.5, min x 0, floor x, round x])) xs

entry whole (xs: []i32): [][]i32 =
  map (\x -> i32.([x / 7, x % 7, x // 7, x %% 7, abs x, sgn x, max x 5, min x 5, x >> 3, x >>> 3, x << 4, x & 255, x | 3, x ^ 9, !x,
                   popc x, clz x, ctz x, mul_hi x 123456789, mad_hi x 77 x])) xs
