-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Sums and counts over nothing but indices: no array goes in, none comes out, and still it is work for the device.

def bend (x: f64) : f64 = loop y = x for _i < 100 do y * 0.5 + 1

-- ==
-- entry: total
-- input { 0i64 } output { 0f64 }
-- input { 3i64 } output { 6f64 }
-- placed auto {100000i64}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 1, peak 8 bytes
-- placed soacs-on-device {10i64}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 1, peak 8 bytes
-- placed auto {3i64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
--
-- One launch makes the sum; its 8 bytes come down. Of three indices the host makes it.
entry total (k: i64) : f64 = f64.sum (map (\i -> bend (f64.i64 i)) (iota k))

-- ==
-- entry: count
-- input { 3i64 } output { 3i64 }
-- placed auto {100000i64}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 1, peak 8 bytes
entry count (k: i64) : i64 = length (filter (> 1.5) (map (\i -> bend (f64.i64 i)) (iota k)))

-- ==
-- entry: rounds
-- input { 0i32 100000i64 } output { 0f64 }
-- input { 2i32 3i64 } output { 12f64 }
-- placed auto {4i32 100000i64}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 8, peak 24 bytes
--
-- A trip launches the sum and the addition to the total, which goes up as an argument at first. The last total, 8 bytes, comes down. While the addition
-- runs there are the sum, the total before and the one after.
entry rounds (n: i32) (k: i64) : f64 =
  loop s = 0 for i < n do s + f64.sum (map (\j -> bend (f64.i64 (j + i64.i32 i))) (iota k))
