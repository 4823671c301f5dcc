-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Loops that run zero times, arrays of length zero, empty ranges: no launch, no copy, the same answer.

def work (x: i64) : i64 = loop y = x for i < 300i64 do y ^ (i & 1)

-- ==
-- entry: main
-- input { 0i64 } output { 0i64 empty([0]i64) empty([0]i64) }
-- input { 3i64 } output { 9i64 [0i64, 1i64, 2i64] [2i64, 1i64, 0i64] }
-- placed auto {0i64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
-- placed soacs-on-device {0i64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
entry main (n: i64) : (i64, []i64, []i64) =
  let xs = loop xs = replicate n 0i64 for _i < n do map (+ 1) xs
  let ys = map work (iota n)
  let zs = n - 1 ..> -1
  in (i64.sum xs, ys, zs)

-- A loop of a trip count of its own: without a trip nothing of it is on the device, with some everything is.
-- ==
-- entry: trips
-- input { 10000i64 0i64 } output { 10000*1i64 }
-- input { 10000i64 -5i64 } output { 10000*1i64 }
-- input { 10000i64 2i64 } output { 10000*1i64 }
-- input { 0i64 2i64 } output { empty([0]i64) }
-- input { 0i64 0i64 } output { empty([0]i64) }
-- placed auto {10000i64 0i64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
-- placed auto {10000i64 -5i64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
-- placed soacs-on-device {10000i64 -5i64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
-- placed auto {0i64 2i64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
-- placed soacs-on-device {0i64 2i64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
--
-- One launch fills the first array, each trip launches once; the last array comes down. In a trip there are the old and the new one: 2 x 80000 bytes.
-- placed auto {10000i64 2i64}: uploads 0, downloads 1 of 80000 bytes, peeks 0, pokes 0, launches 3, peak 160000 bytes
-- placed soacs-on-device {10000i64 2i64}: uploads 0, downloads 1 of 80000 bytes, peeks 0, pokes 0, launches 3, peak 160000 bytes
entry trips (n: i64) (steps: i64) : []i64 = loop xs = replicate n 1i64 for _i < steps do map work xs

-- Arguments without elements.
-- ==
-- entry: empty
-- input { empty([0]i64) 5i64 } output { empty([0]i64) 5i64 }
-- input { 10000*7i64 5i64 } output { 10000*7i64 70005i64 }
-- placed auto {empty([0]i64) 5i64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
-- placed soacs-on-device {empty([0]i64) 5i64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
--
-- xs, 80000 bytes, goes up and ys comes down. The loop is the host's, where ys is too.
-- placed auto {10000*7i64 5i64}: uploads 1 of 80000 bytes, downloads 1 of 80000 bytes, peeks 0, pokes 0, launches 1, peak 160000 bytes
entry empty [n] (xs: [n]i64) (start: i64) : ([]i64, i64) =
  let ys = map work xs
  in (ys, loop sum = start for y in ys do sum + y)

-- Ranges that go the wrong way, and negative lengths, are errors wherever they are made.
-- ==
-- entry: wrong_range
-- input { 3i64 } error: Range 3..2..<5 is invalid
entry wrong_range (n: i64) : []i64 = n .. n - 1 ..< n + 2

-- ==
-- entry: wrong_iota
-- input { -1i64 } error: Range 0\.\.<-1 is invalid
entry wrong_iota (n: i64) : []i64 = map work (iota n)

-- ==
-- entry: down
-- input { 4i64 0i64 } output { [4i64, 3i64, 2i64, 1i64] 10i64 }
-- input { 0i64 0i64 } output { empty([0]i64) 0i64 }
-- input { -4i64 -4i64 } output { empty([0]i64) 0i64 }
-- input { 10000i64 9999i64 } output { [10000i64] 10000i64 }
-- placed soacs-on-device {-4i64 -4i64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
entry down (from: i64) (to: i64) : ([]i64, i64) =
  let xs = map work (from ..> to)
  in (xs, i64.sum xs)
