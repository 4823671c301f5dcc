-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: ferry emit %s -e singles --device opencl --plan all-device --stage opencl | FileCheck %s --check-prefix=SINGLE
-- RUN: ferry emit %s -e longs --device opencl --plan all-device --stage opencl | FileCheck %s --check-prefix=LONG
-- RUN: ferry emit %s -e bytes --device opencl --plan all-device --stage opencl | FileCheck %s --check-prefix=BYTE
-- RUN: ferry emit %s -e extrema --device opencl --plan all-device --stage opencl | FileCheck %s --check-prefix=NONE
-- RUN: ferry emit %s -e halves --device opencl --plan all-device --stage opencl | FileCheck %s --check-prefix=NONE
-- RUN: echo '[1, 5, 17, 66]' | ferry run %S/../programs/rows_together.fut -e singles --device opencl --plan all-device | FileCheck %s --check-prefix=SUMS
--
-- A map with a loop in each point is two kernels: for processors one whose items go through runs of points, four rows at
-- a time, in vectors; then one with an item for each point.

-- SINGLE: float16 [[RIGHT:x[0-9]+]] = vload16(0, (const __global float *)
-- SINGLE-COUNT-4: float16 {{x[0-9]+}} = {{x[0-9]+}} * [[RIGHT]];
-- SINGLE-COUNT-4: vstore16({{x[0-9]+}}, 0, (__global float *)
-- SINGLE: __kernel
-- SINGLE-NOT: float16
entry singles [n] [l] [m] (xss: [n][l]f32) (yss: [l][m]f32) : [][]f32 =
  map (\xs -> map (\ys -> f32.sum (map2 (*) xs ys)) (transpose yss)) xss

-- LONG: vload8(0, (const __global long *)
-- LONG: as_long8(as_ulong8({{.*}}) * as_ulong8({{.*}}))
entry longs [n] [l] [m] (xss: [n][l]i64) (yss: [l][m]i64) : [n][m]i64 =
  map (\xs -> map (\ys -> i64.sum (map2 (*) xs ys)) (transpose yss)) xss

-- BYTE: as_char16(as_uchar16({{.*}}) * as_uchar16({{.*}}))
entry bytes [n] [l] [m] (xss: [n][l]u8) (yss: [l][m]u8) : [][]u8 =
  map (\xs -> map (\ys -> u8.sum (map2 (*) xs ys)) (transpose yss)) xss

-- What has no form on vectors stays as it is.
-- NONE: __kernel
-- NONE-NOT: vload16
entry extrema [n] [l] [m] (xss: [n][l]f32) (yss: [l][m]f32) : [][]f32 =
  map (\xs -> map (\ys -> f32.maximum (map2 (-) xs ys)) (transpose yss)) xss

entry halves [n] [l] [m] (xss: [n][l]f16) (yss: [l][m]f16) : [][]f16 =
  map (\xs -> map (\ys -> f16.sum (map2 (*) xs ys)) (transpose yss)) xss

-- SUMS: true
