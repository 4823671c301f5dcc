-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Derivatives of powers where one factor of a term is zero and the other infinite: the term is zero.

def power (x: f64, y: f64) : f64 = x ** y

-- ==
-- entry: both
-- input { 0f64 0f64 } output { 0f64 }
-- input { 0f64 1f64 } output { 1f64 }
-- input { 0f64 2f64 } output { 0f64 }
-- input { 2f64 0f64 } output { 0.6931471805599453f64 }
entry both (x: f64) (y: f64) : f64 = jvp power (x, y) (1, 1)

-- ==
-- entry: by_base
-- input { [0f64, 0f64, 3f64] [0f64, 1f64, 2f64] } output { [0f64, 1f64, 6f64] }
entry by_base [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 = map2 (\x y -> jvp power (x, y) (1, 0)) xs ys

-- ==
-- entry: by_exponent
-- input { [0f64, 0f64, 1f64] [0f64, 1f64, 2f64] } output { [0f64, 0f64, 0f64] }
entry by_exponent [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 = map2 (\x y -> jvp power (x, y) (0, 1)) xs ys
