-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- filter: the host needs the length of what is kept, the elements stay where they are.

def work (x: i64) : i64 = loop y = x for i < 300i64 do y ^ (i & 1)

-- ==
-- entry: main
-- input { 6i64 } output { 3i64 6i64 }
-- input { 0i64 } output { 0i64 0i64 }
-- input { 10000i64 } output { 5000i64 24995000i64 }
--
-- One launch makes the 10000 numbers and keeps the even ones, in a block with room for all 10000 x 8 bytes, and says how many: 8 bytes come down. One
-- launch works on them and sums: 8 bytes come down. The sum is there together with the kept ones.
-- placed auto {10000i64}: uploads 0, downloads 2 of 16 bytes, peeks 0, pokes 0, launches 2, peak 80008 bytes
-- placed soacs-on-device {10000i64}: uploads 0, downloads 2 of 16 bytes, peeks 0, pokes 0, launches 2, peak 80008 bytes
entry main (n: i64) : (i64, i64) =
  let xs = filter (\x -> x % 2 == 0) (map work (iota n))
  in (length xs, i64.sum (map work xs))
