-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A device map in a host loop, over an array that does not change: one upload, before the loop, and the device's copy
-- is dropped behind it.

def work (x: f64) : f64 = loop y = x for _i < 300i32 do y * 0.5 + 1

-- ==
-- entry: main
-- input { [1f64, 2f64, 3f64] 2i64 } output { 12f64 3f64 }
-- input { [1f64, 2f64, 3f64] 0i64 } output { 0f64 3f64 }
-- input { 10000*3f64 20i64 } output { 400000f64 3f64 }
-- input { 10000*3f64 0i64 } output { 0f64 3f64 }
--
-- xs, 10000 x 8 bytes, goes up once. A trip launches the map with its sum, and the addition to the total: that costs a launch, 5 us, where bringing
-- the sum down would cost 10. The first total, 0, goes up as an argument; the last, 8 bytes, comes down behind the loop.
-- While the addition runs, there are xs, the sum, the total before and the total after.
-- placed auto {10000*3f64 20i64}: uploads 1 of 80000 bytes, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 40, peak 80024 bytes
-- placed soacs-on-device {10000*3f64 20i64}: uploads 1 of 80000 bytes, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 40, peak 80024 bytes
-- No trip, no copy.
-- placed auto {10000*3f64 0i64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
-- placed soacs-on-device {10000*3f64 0i64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
entry main [n] (xs: [n]f64) (steps: i64) : (f64, f64) =
  let total = loop total = 0 for i < steps do total + f64.sum (map (\x -> work (x + f64.i64 i)) xs)
  let largest = loop largest = -f64.inf for i < n do if xs[i] > largest then xs[i] else largest
  in (total, largest)
