-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A while loop that carries an array of one element, whose value decides whether it goes on, around device work: what
-- the host has to learn is one element a trip.

-- ==
-- entry: main
-- input { 4i64 0.25f64 } output { 0.25f64 3i64 }
-- input { 4i64 2f64 } output { 1f64 1i64 }
--
-- replicate makes xs, 100000 x 8 bytes, on the device: one launch. Each of the three trips launches the map and the reduction, whose result, 8
-- bytes, comes down: the loop's control is the host's. While the map runs, there are xs and ys.
-- placed auto {100000i64 0.25f64}: uploads 0, downloads 3 of 24 bytes, peeks 0, pokes 0, launches 7, peak 1600000 bytes
-- placed soacs-on-device {100000i64 0.25f64}: uploads 0, downloads 3 of 24 bytes, peeks 0, pokes 0, launches 7, peak 1600000 bytes
entry main (n: i64) (tolerance: f64) : (f64, i64) =
  let (_, error, steps) =
    loop (xs, error, steps) = (replicate n 2f64, [f64.highest], 0i64) while error[0] > tolerance do
      let ys = map (\x -> x * 0.5) xs
      let size = reduce f64.max (-f64.inf) ys
      in (ys, [size], steps + 1)
  in (error[0], steps)
