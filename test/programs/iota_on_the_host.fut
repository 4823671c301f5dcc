-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A function marked as host code makes an array that a map on the device reads: one upload of the whole array, however long.

#[noinline] #[cpu_function]
def numbers (n: i64) : []i64 = iota n

-- ==
-- entry: main
-- input { 4i64 } output { [1i64, 2i64, 3i64, 4i64] }
-- input { 0i64 } output { empty([0]i64) }
-- The 1000 integers of 8 bytes go up once, the map's as many come down; both are on the device at the end of its launch.
-- placed soacs-on-device {1000i64}: uploads 1 of 8000 bytes, downloads 1 of 8000 bytes, peeks 0, pokes 0, launches 1, peak 16000 bytes
entry main (n: i64) : []i64 = let xs = numbers n in map (\x -> x + 1) xs
