-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Two arrays that swap names on every trip of a loop of device work: nothing crosses until the end.

-- ==
-- entry: main
-- input { 3i64 3i64 } output { [6f64, 6f64, 6f64] [9f64, 9f64, 9f64] }
-- input { 3i64 0i64 } output { [1f64, 1f64, 1f64] [2f64, 2f64, 2f64] }
--
-- Two launches fill the arrays, 100000 x 8 bytes each, a trip has one; both come down at the end. In a trip there are both, and the new one.
-- placed auto {100000i64 20i64}: uploads 0, downloads 2 of 1600000 bytes, peeks 0, pokes 0, launches 22, peak 2400000 bytes
-- placed soacs-on-device {100000i64 20i64}: uploads 0, downloads 2 of 1600000 bytes, peeks 0, pokes 0, launches 22, peak 2400000 bytes
-- Three trips do not pay for the way back; no trip has nothing to pay for.
-- placed auto {100000i64 3i64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
-- placed auto {100000i64 0i64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
-- placed soacs-on-device {100000i64 0i64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
entry main (n: i64) (steps: i64) : ([]f64, []f64) =
  loop (a, b) = (replicate n 1f64, replicate n 2f64) for _i < steps do (b, map (* 3) a)
