-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Of a long array that the device makes the host reads little: a slice at its beginning, a row of a matrix.

def work (x: i64) : i64 = loop y = x for i < 300i64 do y ^ (i & 1)

def fold [n] (xs: [n]i64) : i64 = loop hash = 0 for x in xs do (hash * 2 + x) % 10007

-- ==
-- entry: main
-- input { 8i64 4i64 } output { 11i64 28i64 }
-- input { 8i64 0i64 } output { 0i64 28i64 }
--
-- 1000 of 100000 x 8 bytes come down for the loop, and the sum by the second launch.
-- placed auto {100000i64 1000i64}: uploads 0, downloads 2 of 8008 bytes, peeks 0, pokes 0, launches 2, peak 800008 bytes
-- placed soacs-on-device {100000i64 1000i64}: uploads 0, downloads 2 of 8008 bytes, peeks 0, pokes 0, launches 2, peak 800008 bytes
entry main (n: i64) (k: i64) : (i64, i64) =
  let xs = map work (iota n)
  in (fold xs[:k], i64.sum (map work xs))

-- ==
-- entry: row
-- input { 3i64 4i64 1i64 } output { 71i64 66i64 }
--
-- Row r of 100 x 1000 numbers comes down.
-- placed auto {100i64 1000i64 7i64}: uploads 0, downloads 2 of 8008 bytes, peeks 0, pokes 0, launches 2, peak 800008 bytes
-- placed soacs-on-device {100i64 1000i64 7i64}: uploads 0, downloads 2 of 8008 bytes, peeks 0, pokes 0, launches 2, peak 800008 bytes
entry row (n: i64) (m: i64) (r: i64) : (i64, i64) =
  let a = map (\i -> map (\j -> work (i * m + j)) (iota m)) (iota n)
  in (fold a[r], i64.sum (map work (flatten a)))
