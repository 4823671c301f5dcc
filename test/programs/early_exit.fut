-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A loop of device work that stops early when a check on its result says so; the results are due on the host whichever way it ends.

-- ==
-- entry: main
-- input { 10i64 3i64 } output { [8f64, 8f64, 8f64] 3i64 }
-- input { 10i64 100i64 } output { [1024f64, 1024f64, 1024f64] 10i64 }
-- input { 0i64 3i64 } output { [1f64, 1f64, 1f64] 0i64 }
entry main (steps: i64) (stop_at: i64) : ([]f64, i64) =
  let (xs, i, _) =
    loop (xs, i, done) = (replicate 3 1f64, 0i64, false) while i < steps && !done do
      let xs = map (* 2) xs
      in (xs, i + 1, i + 1 == stop_at)
  in (xs, i)
