-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A matrix that a loop on the host fills, whose transpose a device map reads, and the transpose of whose result is wanted back: the matrix crosses once each way,
-- and no transpose is ever copied.

def work (x: i64) : i64 = loop y = x for i < 300i64 do y ^ (i & 1)

-- ==
-- entry: main
-- input { 3i64 2i64 } output { [[1i64, 0i64], [0i64, 2i64], [3i64, 0i64]] }
-- input { 0i64 2i64 } output { empty([0][2]i64) }
-- input { 2i64 0i64 } error: division by zero
--
-- The loop's n x m = 1000 x 20 numbers of 8 bytes go up, as many come down.
-- placed auto {1000i64 20i64}: uploads 1 of 160000 bytes, downloads 1 of 160000 bytes, peeks 0, pokes 0, launches 1, peak 320000 bytes
-- placed soacs-on-device {1000i64 20i64}: uploads 1 of 160000 bytes, downloads 1 of 160000 bytes, peeks 0, pokes 0, launches 1, peak 320000 bytes
entry main (n: i64) (m: i64) : [n][m]i64 =
  let a =
    loop a = replicate n (replicate m 0i64) for i < n do
      let before = i64.max 0 (i - 1)
      in a with [i, i % m] = a[before, before % m] + 1
  in transpose (map (map work) (transpose a))
