-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A loop whose trips take turns: one works on the device, the next reads the same array on the host. The array crosses once.

def work (x: f64) : f64 = loop y = x for _i < 300i32 do y * 0.5 + 1

-- ==
-- entry: main
-- input { [1f64, 2f64, 3f64] 2i64 } output { 2f64 }
-- input { [1f64, 2f64, 3f64] 0i64 } output { 0f64 }
-- input { 10000*3f64 2i64 } output { 2f64 }
--
-- xs, 10000 x 8 bytes, goes up before the loop, in which the host's copy is read too. Every other trip's sum, 8 bytes, comes down, since the host needs it
-- on the next.
-- placed auto {10000*3f64 20i64}: uploads 1 of 80000 bytes, downloads 10 of 80 bytes, peeks 0, pokes 0, launches 10, peak 80008 bytes
-- placed soacs-on-device {10000*3f64 20i64}: uploads 1 of 80000 bytes, downloads 10 of 80 bytes, peeks 0, pokes 0, launches 10, peak 80008 bytes
entry main [n] (xs: [n]f64) (steps: i64) : f64 =
  loop total = 0f64 for k < steps do
    if k % 2 == 0 then total + f64.sum (map (\x -> work (x + f64.i64 k)) xs)
    else loop hash = total for j < 100 do (if hash > 3 then hash * 0.5 else 2 - xs[j % n] * 0)

-- An array that the device makes anew on even trips, and of which the host updates an element on odd ones.
-- ==
-- entry: updated
-- input { 4i64 4i64 } output { 8f64 }
-- input { 4i64 0i64 } output { 4f64 }
--
-- The update goes where the array is: a launch of one thread, with the value as its argument. Launches: one to fill, one each trip, one to sum.
-- placed auto {10000i64 20i64}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 22, peak 160000 bytes
-- placed soacs-on-device {10000i64 20i64}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 22, peak 160000 bytes
entry updated (n: i64) (steps: i64) : f64 =
  f64.sum (loop xs = replicate n 1f64 for k < steps do
             if k % 2 == 0 then map work xs else xs with [k % n] = 2)
