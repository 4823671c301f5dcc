-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Trips and branches that follow from numbers which wrap: a plan is made for what the program computes, not for what it would in 64 bits.

-- ==
-- entry: trips
-- input { 100000i32 [1f64] } output { [3f64] }
-- input { 1i32 [1f64] } output { [2f64] }
entry trips [n] (k: i32) (xs: [n]f64) : [n]f64 = loop xs = xs for _i < k * k % 3 do map (+ 1) xs

-- ==
-- entry: square
-- input { 50000i32 [1f64] } output { [0f64] }
-- input { 5i32 [1f64] } output { [2f64] }
entry square [n] (k: i32) (xs: [n]f64) : [n]f64 = if i64.i32 (k * k) > 0 then map (+ 1) xs else map (\x -> x - 1) xs

-- ==
-- entry: narrow
-- input { 200i64 [1f64] } output { [0f64] }
-- input { 100i64 [1f64] } output { [2f64] }
entry narrow [n] (k: i64) (xs: [n]f64) : [n]f64 = if i64.i8 (i8.i64 k) > 0 then map (+ 1) xs else map (\x -> x - 1) xs

-- ==
-- entry: unsigned
-- input { 200u8 [1f64] } output { [2f64] }
-- input { 0u8 [1f64] } output { [0f64] }
entry unsigned [n] (k: u8) (xs: [n]f64) : [n]f64 = if i64.u8 k > 100 then map (+ 1) xs else map (\x -> x - 1) xs

-- Constants have their type wherever they stand.
-- ==
-- entry: bounded
-- input { [-100i8, 0i8, 100i8] [40000u16, 2u16, 3u16] } output { [-7i8, 0i8, 5i8] [9u16, 2u16, 3u16] }
entry bounded [n] (xs: [n]i8) (ys: [n]u16) : ([n]i8, [n]u16) =
  (map (\x -> i8.max (-7) (i8.min x 5)) xs, map (\y -> u16.min y 9) ys)
