-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- An argument that the entry may overwrite, updated on the host, worked on by the device, updated again and returned.

def work (x: i64) : i64 = loop y = x for i < 300i64 do y ^ (i & 1)

-- ==
-- entry: main
-- input { [5i64, 6i64, 7i64] [9i64] } output { [9i64, 6i64, 9i64] 9i64 }
-- input { [5i64] [9i64] } output { [9i64] 9i64 }
-- input { empty([0]i64) [9i64] } error: Index \[0\] out of bounds for array of shape \[0\]
--
-- The first update is the host's, where xs is; xs, 10000 x 8 bytes, goes up, and the map's result comes down, where the second update is.
-- placed auto {10000*7i64 [9i64]}: uploads 1 of 80000 bytes, downloads 1 of 80000 bytes, peeks 0, pokes 0, launches 1, peak 160000 bytes
-- placed soacs-on-device {10000*7i64 [9i64]}: uploads 1 of 80000 bytes, downloads 1 of 80000 bytes, peeks 0, pokes 0, launches 1, peak 160000 bytes
entry main [n] (xs: *[n]i64) (values: [1]i64) : (*[n]i64, i64) =
  let xs = xs with [0] = values[0]
  let xs = map work xs
  in (xs with [n - 1] = values[0], values[0])
