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
entry main [n] (xs: [n]f64) (steps: i64) : (f64, f64) =
  let total = loop total = 0 for i < steps do total + f64.sum (map (\x -> work (x + f64.i64 i)) xs)
  let largest = loop largest = -f64.inf for i < n do if xs[i] > largest then xs[i] else largest
  in (total, largest)
