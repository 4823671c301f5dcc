-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Gaussian elimination without pivoting: a map over the whole matrix on each trip; a loop on the host then multiplies the diagonal.

-- ==
-- entry: main
-- input { 3i64 } output { 2f64 }
-- input { 1i64 } output { 2f64 }
-- input { 0i64 } output { 1f64 }
-- input { 100i64 } output { 2f64 }
--
-- One launch makes the matrix, 100 x 100 x 8 bytes, each of 100 trips makes the next. The last comes down for the loop. In a trip there are two.
-- placed auto {100i64}: uploads 0, downloads 1 of 80000 bytes, peeks 0, pokes 0, launches 101, peak 160000 bytes
-- placed soacs-on-device {100i64}: uploads 0, downloads 1 of 80000 bytes, peeks 0, pokes 0, launches 101, peak 160000 bytes
entry main (n: i64) : f64 =
  let a = map (\i -> map (\j -> if i == j then 1 + f64.i64 n else 1) (iota n)) (iota n)
  let a =
    loop a for k < n do
      map (\i -> map (\j -> if i <= k then a[i, j] else a[i, j] - a[i, k] / a[k, k] * a[k, j]) (iota n)) (iota n)
  in loop product = 1 for i < n do product * (a[i, i] / f64.i64 n)
