-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Numbers and conditions that a branch chooses, where nothing says which arm is taken, but what both give is known.

-- ==
-- entry: conditions
-- input { 1f32 9i64 3i64 [1f64, 2f64, 3f64] } output { 6f64 }
-- input { -1f32 9i64 3i64 [1f64, 2f64, 3f64] } output { 6f64 }
-- input { 1f32 3i64 9i64 [1f64, 2f64, 3f64] } output { -1f64 }
entry conditions [k] (x: f32) (n: i64) (m: i64) (xs: [k]f64) : f64 =
  let big = if x > 0 then n / m > 2 else m / n >= 0
  in if big then reduce (+) 0 xs else -1

-- ==
-- entry: numbers
-- input { 1f32 3i64 [1f64, 2f64, 3f64] } output { 6f64 }
-- input { -1f32 3i64 [1f64, 2f64, 3f64] } output { 6f64 }
-- input { 1f32 4i64 [1f64, 2f64, 3f64] } output { -1f64 }
entry numbers [k] (x: f32) (n: i64) (xs: [k]f64) : f64 =
  let three = if x > 0 then n else n / 1
  in if three == 3 then reduce (+) 0 xs else -1

-- ==
-- entry: lowest
-- input { -9223372036854775808i64 [1f64, 2f64, 3f64] } output { 6f64 }
-- input { 9223372036854775807i64 [1f64, 2f64, 3f64] } output { 6f64 }
entry lowest [k] (n: i64) (xs: [k]f64) : f64 =
  let start = if n < 0 then n else n - 2
  in loop sum = 0 for i in [start, start + 1] do if i == start then sum + reduce (+) 0 xs else sum
