-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A function marked as host code makes an array that a map on the device reads: one upload of the whole array, however long.

#[noinline] #[cpu_function]
def numbers (n: i64) : [n]i64 = iota n

def unmarked_numbers (n: i64) : [n]i64 = iota n

def work (x: i64) : i64 = loop y = x for i < 300i64 do y ^ (i & 1)

-- To add one is less work than to move a number, so the free plan keeps the map with the numbers.
-- ==
-- entry: main
-- input { 4i64 } output { [1i64, 2i64, 3i64, 4i64] }
-- input { 0i64 } output { empty([0]i64) }
-- placed auto {100000i64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
--
-- The 1000 integers of 8 bytes go up once, the map's as many come down; both are on the device at the end of its launch.
-- placed soacs-on-device {1000i64}: uploads 1 of 8000 bytes, downloads 1 of 8000 bytes, peeks 0, pokes 0, launches 1, peak 16000 bytes
entry main (n: i64) : []i64 = map (\x -> x + 1) (numbers n)

-- With more to do for each, one upload and one download pay.
-- ==
-- entry: bent
-- input { 4i64 } output { [0i64, 1i64, 2i64, 3i64] }
-- input { 10000i64 } output { 0...9999i64 }
-- placed auto {10000i64}: uploads 1 of 80000 bytes, downloads 1 of 80000 bytes, peeks 0, pokes 0, launches 1, peak 160000 bytes
-- placed soacs-on-device {10000i64}: uploads 1 of 80000 bytes, downloads 1 of 80000 bytes, peeks 0, pokes 0, launches 1, peak 160000 bytes
-- no dearer: unmarked than bent {10000i64}
-- no dearer: unmarked than bent {4i64}
entry bent (n: i64) : []i64 = map work (numbers n)

-- Unmarked, the numbers are never made: the map counts.
-- ==
-- entry: unmarked
-- input { 10000i64 } output { 0...9999i64 }
-- placed auto {10000i64}: uploads 0, downloads 1 of 80000 bytes, peeks 0, pokes 0, launches 1, peak 80000 bytes
-- placed soacs-on-device {10000i64}: uploads 0, downloads 1 of 80000 bytes, peeks 0, pokes 0, launches 1, peak 80000 bytes
entry unmarked (n: i64) : []i64 = map work (unmarked_numbers n)
