-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A scalar that only device code uses is made on the device and never visits the host. The same scalar made by a long loop stays on the host:
-- one thread of a device is slow.

def work (x: f64) : f64 = loop y = x for _i < 300i32 do y * 0.5 + 1

-- ==
-- entry: main
-- input { 4i64 } output { 2f64 }
-- input { 10000i64 } output { 100f64 }
--
-- Launches: the map; the sum of squares; the scale, one thread; the second map with its sum. That sum alone, 8 bytes, comes down. At most there are xs,
-- 10000 x 8 bytes, and two scalars.
-- placed auto {10000i64}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 4, peak 80016 bytes
-- placed soacs-on-device {10000i64}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 4, peak 80016 bytes
entry main (n: i64) : f64 =
  let xs = map (\i -> work (f64.i64 i)) (iota n)
  let scale = 1 / f64.sqrt (f64.sum (map (\x -> x * x) xs))
  in f64.sum (map (\x -> work x * scale) xs)

-- ==
-- entry: long_loop
-- input { 4i64 1000i64 } output { 4f64 }
-- input { 10000i64 1000i64 } output { 10000f64 }
--
-- Launches: the map, the sum, the second map with its sum. Both sums come down. The scale goes up as an argument of the launch, which is no copy.
-- placed auto {10000i64 1000i64}: uploads 0, downloads 2 of 16 bytes, peeks 0, pokes 0, launches 3, peak 80008 bytes
-- placed soacs-on-device {10000i64 1000i64}: uploads 0, downloads 2 of 16 bytes, peeks 0, pokes 0, launches 3, peak 80008 bytes
entry long_loop (n: i64) (steps: i64) : f64 =
  let xs = map (\i -> work (f64.i64 i)) (iota n)
  let scale = loop s = f64.sum xs for _i < steps do s * 0.5 + 0.25
  in f64.sum (map (\x -> work x * scale) xs)
