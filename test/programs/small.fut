-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Arrays too small to be worth a launch: everything stays on the host.

-- ==
-- entry: main
-- input { [1f64, 2f64, 3f64] } output { 14f64 [2f64, 4f64, 6f64] }
entry main [n] (xs: [n]f64) : (f64, []f64) = (f64.sum (map (\x -> x * x) xs), map (* 2) xs)
