-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- The host walks over a part of an array that the device makes and uses: the part comes down, not the array.
--
-- main: n elements are made in one launch, m * 8 bytes of them come down, the sum is a launch and 8 bytes. On the device are the elements, and
-- the sum. row: the same of one row of n rows.

def work (x: i64) : i64 = loop y = x for i < 300i64 do y ^ (i & 1)

def digest (xs: []i64) : i64 = loop h = 0i64 for x in xs do (h * 2 + x) % 10007

-- ==
-- entry: main
-- input { 8i64 4i64 } output { 11i64 36i64 }
-- input { 4i64 0i64 } output { 0i64 10i64 }
-- placed auto { 100000i64 1000i64 }: uploads 0, downloads 2 of 8008 bytes, peeks 0, pokes 0, launches 2, peak 800008 bytes
entry main (n: i64) (m: i64) : (i64, i64) =
  let xs = map work (iota n)
  in (digest xs[:m], i64.sum (map (+ 1) xs))

-- ==
-- entry: row
-- input { 2i64 3i64 1i64 } output { 25i64 21i64 }
-- placed auto row { 100i64 1000i64 7i64 }: uploads 0, downloads 2 of 8008 bytes, peeks 0, pokes 0, launches 2, peak 800008 bytes
entry row (n: i64) (m: i64) (i: i64) : (i64, i64) =
  let a = map (\i -> map (\j -> work (i * m + j)) (iota m)) (iota n)
  in (digest a[i], i64.sum (map (+ 1) (flatten a)))
