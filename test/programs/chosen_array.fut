-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A choice between arrays gives back the one that it leaves, whether an argument, a fresh array or a part of the other is chosen.
-- ==
-- entry: argument both part same_part kernel
-- input { 1i64 [[1, 2, 3], [4, 5, 6]] } as on the host
-- input { 5i64 [[1, 2, 3], [4, 5, 6]] } as on the host

entry argument [n] [m] (k: i64) (xss: [n][m]i32) : ([n][m]i32, i64) =
  let yss = map (map (+ 1)) xss
  let (j, zss) = if n > k then (k, yss) else (m, xss)
  in (zss, j)

entry both [n] [m] (k: i64) (xss: [n][m]i32) : ([n][m]i32, i64) =
  let (j, zss) = if n > k then (k, map (map (+ 1)) xss) else (m, map reverse xss)
  in (zss, j)

entry part [n] [m] (k: i64) (xss: [n][m]i32) : ([m]i32, i64) =
  let yss = map (map (+ 1)) xss
  let zs = map i32.sum (transpose xss)
  let (j, zs) = if n > k then (k, yss[1]) else (m, zs)
  in (zs, j)

entry same_part [n] [m] (k: i64) (xss: [n][m]i32) : ([m]i32, i64) =
  let yss = map (map (+ 1)) xss
  let (j, zs) = if n > k then (k, yss[1]) else (m, yss[0])
  in (zs, j)

entry kernel [n] [m] (k: i64) (xss: [n][m]i32) : [n]i64 =
  map (\xs -> let ys = scan (+) 0 xs
              let zs = reverse xs
              let (j, us) = if n > k then (k, ys) else (m, zs)
              in j + i64.i32 us[0] + i64.i32 us[m - 1]) xss
