-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A scatter and a histogram of two arrays of which only one is wanted: the derivative. The other is made all the same, to be written into.

-- ==
-- entry: scattered
-- input { 5i32 } output { [1i32, 10i32, 1i32, 0i32, 0i32] }
entry scattered (x: i32) : [5]i32 = jvp (\x -> scatter (replicate 5 1) [0, 1, 2] [x, x * x, x]) x 1

-- ==
-- entry: counted
-- input { 3f64 } output { [7f64, 1f64] }
entry counted (x: f64) : [2]f64 = jvp (\x -> reduce_by_index (replicate 2 1) (+) 0 [0, 1, 0] [x, x, x * x]) x 1
