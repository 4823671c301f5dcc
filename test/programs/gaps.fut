-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Arrays with gaps, such as a transposed one, that loops and branches hand on: they are made contiguous where they are, by a kernel of their own on the device.
-- ==
-- entry: loop_ early branch both_ways
-- input { 0i64 [[1, 2, 3], [4, 5, 6]] } as on the host
-- input { 1i64 [[1, 2, 3], [4, 5, 6]] } as on the host
-- input { 7i64 [[1, 2, 3], [4, 5, 6]] } as on the host
-- ==
-- entry: main
-- input { 2i64 [[1, 2, 3], [4, 5, 6]] } output { [[2, 5], [3, 6], [4, 7]] 2i64 }

def bent [n] [m] (xss: [n][m]i32) : [m][n]i32 = transpose (map (map (+ 1)) xss)

entry main [n] [m] (k: i64) (xss: [n][m]i32) : ([m][n]i32, i64) =
  let t = bent xss in loop (ys, i) = (t, 0) while i < k do (if i > 5 then copy t else t, i + 1)

entry loop_ [n] [m] (k: i64) (xss: [n][m]i32) : ([m][n]i32, i64) =
  let t = bent xss in loop (ys, i) = (t, 0) while i < k do (if i > 5 then copy t else t, i + 1)

entry early [n] [m] (k: i64) (xss: [n][m]i32) : [m][n]i32 =
  let t = bent xss
  let u = map (map (* 2)) t
  in loop ys = t for i < k do (if i % 2 == 0 then u else t)

entry branch [n] [m] (k: i64) (xss: [n][m]i32) : [m][n]i32 =
  let t = bent xss in if k > 3 then t else map (map (* 2)) t

entry both_ways [n] [m] (k: i64) (xss: [n][m]i32) : ([m][n]i32, [n][m]i32) =
  let t = bent xss in loop (ys, zs) = (t, xss) for _i < k do (transpose zs, transpose ys)
