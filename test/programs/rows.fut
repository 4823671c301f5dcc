-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A table whose rows are made one after the other, each on the device from the row before; and a loop on the host that then walks through the table.

def work (x: i64) : i64 = loop y = x for i < 300i64 do y ^ (i & 1)

-- ==
-- entry: main
-- input { 3i64 4i64 } output { 2i64 [[0i64, 1i64, 2i64, 3i64], [1i64, 2i64, 3i64, 0i64], [2i64, 3i64, 0i64, 1i64]] }
-- input { 1i64 2i64 } output { 0i64 [[0i64, 1i64]] }
-- input { 0i64 4i64 } error: Index \[0\] out of bounds for array of shape \[0\]
--
-- Launches: one fills the table, 20 x 10000 x 8 bytes; for each of the 20 rows one makes the row and one puts it in its place. The table comes down, for the loop
-- and as the result. A row of 80000 bytes is beside the table while it is made.
-- placed auto {20i64 10000i64}: uploads 0, downloads 1 of 1600000 bytes, peeks 0, pokes 0, launches 41, peak 1680000 bytes
-- placed soacs-on-device {20i64 10000i64}: uploads 0, downloads 1 of 1600000 bytes, peeks 0, pokes 0, launches 41, peak 1680000 bytes
entry main (n: i64) (m: i64) : (i64, [][]i64) =
  let table = replicate n (replicate m 0) with [0] = map work (iota m)
  let table =
    loop table for i < n - 1 do
      table with [i + 1] = map (\j -> work table[i, (j + 1) % m]) (iota m)
  let sum = loop sum = 0 for i < n do sum + table[i, i % m] + (if sum > 5 then 1 else 0)
  in (sum, table)
