-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A result that is used on both sides before it is returned.

def work (x: f64) : f64 = loop y = x for _i < 300i32 do y * 0.5 + 1

-- ==
-- entry: main
-- input { 3i64 } output { [2f64, 2f64, 2f64] 3.5f64 6f64 }
-- input { 0i64 } output { empty([0]f64) 0f64 0f64 }
--
-- One launch makes ys, 10000 x 8 bytes. They come down, for the loop and for the caller, and stay for the second map with its sum, to which the loop's scalar
-- goes as an argument. The sum, 8 bytes, comes down.
-- placed auto {10000i64}: uploads 0, downloads 2 of 80008 bytes, peeks 0, pokes 0, launches 2, peak 80008 bytes
-- placed soacs-on-device {10000i64}: uploads 0, downloads 2 of 80008 bytes, peeks 0, pokes 0, launches 2, peak 80008 bytes
entry main (n: i64) : ([]f64, f64, f64) =
  let ys = map (\i -> work (f64.i64 i)) (iota n)
  let s = loop s = 0 for y in ys do s * 0.5 + y
  in (ys, s, f64.sum (map (\y -> work (y * s)) ys))
