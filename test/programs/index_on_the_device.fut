-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A reduction on the device finds an index, and one element there is updated in place: the index never visits the host, and
-- the array does not come back for it.

def work (x: f64) : f64 = loop y = x for _i < 300i32 do y * 0.5 + x

-- ==
-- entry: main
-- input { 5i64 } output { 12f64 }
-- input { 1i64 } output { 0f64 }
--
-- Launches: the map, the reduction to a largest value and its index, the update of the element there, the sum. Only the sum, 8 bytes, comes down. While the
-- reduction ends, there are xs, 100000 x 8 bytes, and the index; its largest value is wanted nowhere. While the sum ends, there are xs and the sum.
-- placed auto {100000i64}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 4, peak 800008 bytes
-- placed soacs-on-device {100000i64}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 4, peak 800008 bytes
entry main (n: i64) : f64 =
  let xs = map (\i -> work (f64.i64 i)) (iota n)
  let (_, i) = reduce_comm (\(a, i) (b, j) -> if a > b || (a == b && i < j) then (a, i) else (b, j)) (-f64.inf, i64.highest) (zip xs (iota n))
  let ys = xs with [i] = 0
  in f64.sum ys
