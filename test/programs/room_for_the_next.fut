-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- What is copied down between two kernels leaves the device before what is copied up for the second one takes its place there: 48 bytes of `a`, then
-- 80 of `xs` and 8 of the element.
-- ==
-- entry: main
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64] 3i64 } as on the host
-- placed all-device { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64] 3i64 }: uploads 1 of 80 bytes, downloads 2 of 56 bytes, peeks 0, pokes 0, launches 2, peak 88 bytes

entry main [n] (xs: [n]i64) (k: i64) : ([24]i16, i64) =
  let a = map (\j -> i16.i64 (j * 3 + k)) (iota 24)
  let s = xs[k % n]
  in (a, s)
