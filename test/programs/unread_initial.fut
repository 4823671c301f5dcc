-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A number with which a loop begins although no trip reads it, where a run is known to make one: nobody reads what it
-- is made of. Nor does a kernel that hands on what the host has.

-- ==
-- entry: main
-- input { 3i64 2i64 [1i64, 2i64, 3i64] } output { [16i64, 24i64, 32i64] 1i64 }
-- input { 0i64 2i64 [1i64, 2i64, 3i64] } output { [2i64, 3i64, 4i64] 3i64 }
-- xs comes up once and the result goes down once; `first` is read across the bus, and what the loop begins with is not.
-- placed arrays-on-device {3i64 2i64 [1i64, 2i64, 3i64]}: uploads 1 of 24 bytes, downloads 1 of 24 bytes, peeks 1, pokes 0, launches 4, peak 48 bytes
-- `first` is made on the device, and comes down as well; four kernels: it, the first map, the check of the divisor, and the loop.
-- placed all-device {3i64 2i64 [1i64, 2i64, 3i64]}: uploads 1 of 24 bytes, downloads 2 of 32 bytes, peeks 0, pokes 0, launches 4, peak 56 bytes
entry main [n] (k: i64) (m: i64) (xs: [n]i64) : ([n]i64, i64) =
  let first = xs[k %% 1]
  in loop (ys, _) = (map (+ 1) xs, if n == 0 then 5 else xs[(m / (first | 1)) %% n]) for _j < k do (map (* 2) ys, first)
