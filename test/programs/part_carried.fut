-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A loop carries what is at first a part of another array, and memory of its own from the first trip on.

-- ==
-- entry: main
-- input { 3i64 [0f64, 4f64, 8f64, 12f64] 0i32 } output { [0f64, 4f64, 8f64] }
-- input { 0i64 [0f64, 4f64] 3i32 } output { empty([0]f64) }
-- input { 2i64 [0f64, 4f64, 8f64, 12f64] 2i32 } output { [2.25f64, 3.25f64] }
-- placed soacs-on-device {1000i64 5000*1f64 3i32}: uploads 1 of 40000 bytes, downloads 2 of 8008 bytes, peeks 0, pokes 0, launches 4, peak 48000 bytes
--
-- xs, 5000 x 8 bytes, goes up; one launch sums all, since that is the same in each trip, and its 8 bytes come down. Each of 3 trips launches the map over the part,
-- which comes down at the end. While the first map runs, xs is still there, as its first 1000 elements are wanted.
entry main [n] (k: i64) (xs: [n]f64) (trips: i32) : []f64 =
  let part = take k xs
  in loop part for _i < trips do
       let mean = f64.sum xs / f64.i64 n
       in map (\x -> x * 0.5 + mean * 0.25) part
