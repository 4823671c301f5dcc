-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Squares a matrix until it no longer changes much.

def square [n] (a: [n][n]f64) : [n][n]f64 = map (\row -> map (\column -> f64.sum (map2 (*) row column)) (transpose a)) a

-- ==
-- entry: main
-- input { 2i64 0.01f64 } output { 4i64 0.00194549560546875f64 }
-- input { 2i64 1f64 } output { 1i64 0.125f64 }
--
-- One launch fills a, 200 x 200 x 8 bytes. Each of 4 trips launches the product and the largest change, 8 bytes, which comes down for the host to decide. The
-- product is made together with the differences: there are the old matrix, the new one and those.
-- placed auto {200i64 1e-4f64}: uploads 0, downloads 4 of 32 bytes, peeks 0, pokes 0, launches 9, peak 960000 bytes
-- placed soacs-on-device {200i64 1e-4f64}: uploads 0, downloads 4 of 32 bytes, peeks 0, pokes 0, launches 9, peak 960000 bytes
entry main (n: i64) (tolerance: f64) : (i64, f64) =
  let (_, steps, change) =
    loop (a, steps, change) = (replicate n (replicate n (0.5 / f64.i64 n)), 0i64, f64.inf) while change > tolerance do
      let b = square a
      let change = f64.maximum (flatten (map2 (map2 (\x y -> f64.abs (x - y))) a b))
      in (b, steps + 1, change)
  in (steps, change)

-- The same for a number of trips that the plan knows.
-- ==
-- entry: counted
-- input { 2i64 3i64 } output { 0.0078125f64 }
-- input { 2i64 0i64 } output { 1f64 }
--
-- One launch fills, one each trip squares; the sum of the last, by one more, comes down.
-- placed auto {200i64 4i64}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 6, peak 640000 bytes
-- placed soacs-on-device {200i64 4i64}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 6, peak 640000 bytes
entry counted (n: i64) (steps: i64) : f64 =
  f64.sum (flatten (loop a = replicate n (replicate n (0.5 / f64.i64 n)) for _i < steps do square a))
