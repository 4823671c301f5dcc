-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A result that is an argument, and an argument passed twice: an array is one array under all its names.

def work (x: f64) : f64 = loop y = x for _i < 300i32 do y * 0.5 + x

-- ==
-- entry: main
-- input { [1f64, 2f64] [1f64, 2f64] } output { [1f64, 2f64] [3f64, 6f64] }
--
-- xs and ys go up, 20000 x 8 bytes each; the map's result comes down. The result xs is the caller's array: it does not move.
-- placed auto {20000*1f64 20000*2f64}: uploads 2 of 320000 bytes, downloads 1 of 160000 bytes, peeks 0, pokes 0, launches 1, peak 480000 bytes
-- placed soacs-on-device {20000*1f64 20000*2f64}: uploads 2 of 320000 bytes, downloads 1 of 160000 bytes, peeks 0, pokes 0, launches 1, peak 480000 bytes
entry main [n] (xs: [n]f64) (ys: [n]f64) : ([n]f64, [n]f64) = (xs, map2 (\x y -> work x + y) xs ys)

-- ==
-- entry: twice
-- input { [1f64, 2f64] } output { [1f64, 2f64] [1f64, 2f64] [3f64, 6f64] }
--
-- Both names are one array: one upload.
-- placed auto {20000*1f64}: uploads 1 of 160000 bytes, downloads 1 of 160000 bytes, peeks 0, pokes 0, launches 1, peak 320000 bytes
-- placed soacs-on-device {20000*1f64}: uploads 1 of 160000 bytes, downloads 1 of 160000 bytes, peeks 0, pokes 0, launches 1, peak 320000 bytes
entry twice [n] (xs: [n]f64) : ([n]f64, [n]f64, [n]f64) =
  let (a, b) = main xs xs
  in (xs, a, b)
