-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Loops in loops that hand on each other's arrays: all have the lengths that the outermost began with.

-- ==
-- entry: inner_swaps
-- input { 2i64 [1i64, 2i64] [10i64, 20i64] } output { [4i64, 5i64] [13i64, 23i64] }
-- input { 0i64 [1i64, 2i64] [10i64, 20i64] } output { [1i64, 2i64] [10i64, 20i64] }
entry inner_swaps [n] (k: i64) (xs: [n]i64) (ys: [n]i64) : ([n]i64, [n]i64) =
  loop (a, b) = (xs, ys) for _i < k do
    loop (c, d) = (a, b) for _j < 3 do (d, map (+ 1) c)

-- ==
-- entry: both_swap
-- input { 2i64 [1i64, 2i64] [10i64, 20i64] } output { [3i64, 4i64] [12i64, 22i64] }
entry both_swap [n] (k: i64) (xs: [n]i64) (ys: [n]i64) : ([n]i64, [n]i64) =
  loop (a, b) = (xs, ys) for _i < k do
    let (c, d) = loop (c, d) = (a, b) for _j < 2 do (map (+ 1) d, c)
    in (d, c)

-- ==
-- entry: outer_again
-- input { 2i64 [1i64, 2i64] } output { [3i64, 4i64] 6i64 }
entry outer_again [n] (k: i64) (xs: [n]i64) : ([n]i64, i64) =
  loop (a, s) = (map (+ 2) xs, 0) for _i < k do
    let (b, t) = loop (b, t) = (a, s) for j < 3 do (map (+ 1) (map2 (-) xs (map (\x -> x - 1) b)), t + j)
    in (map2 (\x y -> x + y - y) (map (+ 2) xs) b, t)
