-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A scalar that only device code uses is made on the device and never visits the host. The same scalar made by a long loop stays on the host:
-- one thread of a device is slow.

def work (x: f64) : f64 = loop y = x for _i < 300i32 do y * 0.5 + 1

-- ==
-- entry: main
-- input { 4i64 } output { 2f64 }
entry main (n: i64) : f64 =
  let xs = map (\i -> work (f64.i64 i)) (iota n)
  let scale = 1 / f64.sqrt (f64.sum (map (\x -> x * x) xs))
  in f64.sum (map (\x -> work x * scale) xs)

-- ==
-- entry: long_loop
-- input { 4i64 1000i64 } output { 4f64 }
entry long_loop (n: i64) (steps: i64) : f64 =
  let xs = map (\i -> work (f64.i64 i)) (iota n)
  let scale = loop s = f64.sum xs for _i < steps do s * 0.5 + 0.25
  in f64.sum (map (\x -> work x * scale) xs)
