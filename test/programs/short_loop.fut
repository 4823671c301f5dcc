-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A short sequential loop that updates a few elements of a long array, between two device maps: it runs where the array is, in one kernel.

def work (x: i64) : i64 = loop y = x for i < 300i64 do y ^ (i & 1)

-- ==
-- entry: main
-- input { 8i64 3i64 } output { 34i64 }
-- input { 8i64 0i64 } output { 28i64 }
--
-- Launches: the map, the loop, the second map with its sum, 8 bytes, which comes down.
-- placed auto {100000i64 20i64}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 3, peak 800008 bytes
-- placed soacs-on-device {100000i64 20i64}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 3, peak 800008 bytes
-- No trip, no launch for it.
-- placed auto {100000i64 0i64}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 2, peak 800008 bytes
entry main (n: i64) (steps: i64) : i64 =
  let xs = map work (iota n)
  let xs = loop xs for i < steps do xs with [(i * 5001) % n] = xs[(i * 5001) % n] * 2 + xs[i]
  in i64.sum (map work xs)
