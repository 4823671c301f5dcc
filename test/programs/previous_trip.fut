-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A loop that gives back an array of its last trip but one, of which there is none at first: what a kernel of the whole
-- loop gives has a length that only the device knows.

-- ==
-- entry: main
-- lengths vary
-- input { 3i64 2i64 } output { [0.125f64, 0.25f64, 0.375f64] [0.25f64, 0.5f64, 0.75f64] }
-- input { 3i64 1i64 } output { [0.25f64, 0.5f64, 0.75f64] [0.5f64, 1f64, 1.5f64] }
-- input { 3i64 0i64 } output { [0.5f64, 1f64, 1.5f64] empty([0]f64) }
-- input { 0i64 2i64 } output { empty([0]f64) empty([0]f64) }
-- input { 5000i64 9i64 } as on the host
entry main (n: i64) (k: i64) : ([]f64, []f64) =
  loop (xs, previous) = (map (\i -> f64.i64 (i + 1) / 2) (iota n), []) for _i < k do
    (map (/ 2) xs, xs)
