-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A result that is an argument, and an argument passed twice.

-- ==
-- entry: main
-- input { [1f64, 2f64] [1f64, 2f64] } output { [1f64, 2f64] [2f64, 4f64] }
entry main [n] (xs: [n]f64) (ys: [n]f64) : ([]f64, []f64) = (xs, map2 (+) xs ys)

-- ==
-- entry: twice
-- input { [1f64, 2f64] } output { [1f64, 2f64] [1f64, 2f64] [2f64, 4f64] }
entry twice [n] (xs: [n]f64) : ([]f64, []f64, []f64) =
  let (a, b) = main xs xs
  in (xs, a, b)
