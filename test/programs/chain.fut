-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A chain of arrays, each made from the one before: no more than two are on the device at a time, however long the chain.

def work (x: i64) : i64 = loop y = x for i < 300i64 do y ^ (i & 1)

-- ==
-- entry: main
-- input { 4i64 } output { [0i64, 1i64, 5i64, 15i64] }
-- input { 0i64 } output { empty([0]i64) }
--
-- Three scans of 10000 x 8 bytes, one launch each. The last comes down.
-- placed auto {10000i64}: uploads 0, downloads 1 of 80000 bytes, peeks 0, pokes 0, launches 3, peak 160000 bytes
-- placed soacs-on-device {10000i64}: uploads 0, downloads 1 of 80000 bytes, peeks 0, pokes 0, launches 3, peak 160000 bytes
entry main (n: i64) : []i64 =
  let a = scan (+) 0 (map work (iota n))
  let b = scan (+) 0 (map work a)
  in scan (+) 0 (map work b)
