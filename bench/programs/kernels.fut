-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- What bench/baselines/opencl_kernels.cl has written by hand.
entry sum (xs: []f32) : f32 = f32.sum xs

entry scan (xs: []f32) : []f32 = scan (+) 0 xs

entry histogram (bins: i64) (xs: []i32) : []i32 =
  reduce_by_index (replicate bins 0) (+) 0 (map i64.i32 xs) (map (const 1) xs)

entry transposed (xss: [][]f32) : [][]f32 = copy (transpose xss)

entry product [n] (a: [n][n]f32) (b: [n][n]f32) : [n][n]f32 =
  map (\row -> map (\column -> f32.sum (map2 (*) row column)) (transpose b)) a
