-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Two arrays that swap names on every trip of a loop of device work: nothing crosses until the end.

-- ==
-- entry: main
-- input { 3i64 3i64 } output { [6f64, 6f64, 6f64] [9f64, 9f64, 9f64] }
-- input { 3i64 0i64 } output { [1f64, 1f64, 1f64] [2f64, 2f64, 2f64] }
entry main (n: i64) (steps: i64) : ([]f64, []f64) =
  loop (a, b) = (replicate n 1f64, replicate n 2f64) for _i < steps do (b, map (* 3) a)
