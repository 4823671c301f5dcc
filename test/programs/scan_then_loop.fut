-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A scan on the device, whose result a sequential loop on the host reads from its end, and which something on the device may still need.

def work (x: i64) : i64 = loop y = x for i < 300i64 do y ^ (i & 1)

def backwards [n] (sums: [n]i64) : i64 = loop hash = 0 for i < n do (hash * 3 + sums[n - 1 - i]) % 1000003

-- ==
-- entry: main
-- input { 4i64 } output { 192i64 [0i64, 1i64, 3i64, 6i64] }
-- input { 0i64 } output { 0i64 empty([0]i64) }
--
-- One launch makes the numbers and scans them. The sums, 10000 x 8 bytes, come down once: for the loop, and as the result.
-- placed auto {10000i64}: uploads 0, downloads 1 of 80000 bytes, peeks 0, pokes 0, launches 1, peak 80000 bytes
-- placed soacs-on-device {10000i64}: uploads 0, downloads 1 of 80000 bytes, peeks 0, pokes 0, launches 1, peak 80000 bytes
entry main (n: i64) : (i64, []i64) =
  let sums = scan (+) 0 (map work (iota n))
  in (backwards sums, sums)

-- ==
-- entry: again
-- input { 4i64 } output { 192i64 10i64 }
-- input { 10000i64 } output { 174037i64 166666665000i64 }
--
-- The sums come down for the loop, and stay for the second map with its sum, which comes down too.
-- placed auto {10000i64}: uploads 0, downloads 2 of 80008 bytes, peeks 0, pokes 0, launches 2, peak 80008 bytes
-- placed soacs-on-device {10000i64}: uploads 0, downloads 2 of 80008 bytes, peeks 0, pokes 0, launches 2, peak 80008 bytes
entry again (n: i64) : (i64, i64) =
  let sums = scan (+) 0 (map work (iota n))
  in (backwards sums, i64.sum (map work sums))
