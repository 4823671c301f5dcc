-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Loops of device work that stop early; the results are due on the host whichever way they end.

-- The host knows by itself when to stop.
-- ==
-- entry: main
-- input { 3i64 10i64 3i64 } output { [8f64, 8f64, 8f64] 3i64 }
-- input { 3i64 10i64 100i64 } output { [1024f64, 1024f64, 1024f64] 10i64 }
-- input { 3i64 0i64 3i64 } output { [1f64, 1f64, 1f64] 0i64 }
--
-- One launch fills xs, 100000 x 8 bytes, one more each trip makes the next; the last comes down, after 8 or 10 trips. That there is no trip is known beforehand: then the host makes xs.
-- placed auto {100000i64 20i64 8i64}: uploads 0, downloads 1 of 800000 bytes, peeks 0, pokes 0, launches 9, peak 1600000 bytes
-- placed auto {100000i64 10i64 100i64}: uploads 0, downloads 1 of 800000 bytes, peeks 0, pokes 0, launches 11, peak 1600000 bytes
-- placed auto {100000i64 0i64 3i64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
-- placed soacs-on-device {100000i64 20i64 8i64}: uploads 0, downloads 1 of 800000 bytes, peeks 0, pokes 0, launches 9, peak 1600000 bytes
entry main (n: i64) (steps: i64) (stop_at: i64) : ([]f64, i64) =
  let (xs, i, _) =
    loop (xs, i, done) = (replicate n 1f64, 0i64, false) while i < steps && !done do
      let xs = map (* 2) xs
      in (xs, i + 1, i + 1 == stop_at)
  in (xs, i)

-- A check on the device's array says when.
-- ==
-- entry: by_value
-- input { 3i64 10i64 8f64 } output { [8f64, 8f64, 8f64] 3i64 }
-- input { 3i64 10i64 1e9f64 } output { [1024f64, 1024f64, 1024f64] 10i64 }
-- input { 3i64 0i64 8f64 } output { [1f64, 1f64, 1f64] 0i64 }
--
-- As above, and each trip the host peeks at one element.
-- placed auto {100000i64 20i64 256f64}: uploads 0, downloads 1 of 800000 bytes, peeks 8, pokes 0, launches 9, peak 1600000 bytes
-- placed auto {100000i64 10i64 1e9f64}: uploads 0, downloads 1 of 800000 bytes, peeks 10, pokes 0, launches 11, peak 1600000 bytes
-- placed auto {100000i64 0i64 8f64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
-- placed soacs-on-device {100000i64 20i64 256f64}: uploads 0, downloads 1 of 800000 bytes, peeks 8, pokes 0, launches 9, peak 1600000 bytes
entry by_value (n: i64) (steps: i64) (limit: f64) : ([]f64, i64) =
  let (xs, i, _) =
    loop (xs, i, done) = (replicate n 1f64, 0i64, false) while i < steps && !done do
      let xs = map (* 2) xs
      in (xs, i + 1, xs[n / 2] >= limit)
  in (xs, i)
