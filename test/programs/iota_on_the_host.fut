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
entry main (n: i64) : []i64 = let xs = numbers n in map (\x -> x + 1) xs
