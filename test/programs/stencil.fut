-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Heat along a rod whose end follows a schedule that the host has made: on every trip one element is set, and all are averaged with their neighbours.

-- ==
-- entry: main
-- input { 4i64 2i64 } output { [0.4375f64, 0.25f64, 0.0625f64, 0f64] }
-- input { 4i64 0i64 } output { [0f64, 0f64, 0f64, 0f64] }
-- input { 1i64 1i64 } output { [1f64] }
--
-- One launch fills the rod, 100000 x 8 bytes. A trip launches one thread that sets the end, with the value as its argument, and the average. The rod comes down at
-- the end. While the average runs, there are the old and the new rod.
-- placed auto {100000i64 20i64}: uploads 0, downloads 1 of 800000 bytes, peeks 0, pokes 0, launches 41, peak 1600000 bytes
-- placed soacs-on-device {100000i64 20i64}: uploads 0, downloads 1 of 800000 bytes, peeks 0, pokes 0, launches 41, peak 1600000 bytes
entry main (n: i64) (steps: i64) : []f64 =
  let schedule = loop s = replicate steps 1f64 for i < steps - 1 do s with [i + 1] = s[i] * 0.5
  in loop rod = replicate n 0f64 for step < steps do
       let rod = rod with [0] = schedule[step]
       in map (\i -> let left = rod[i64.max 0 (i - 1)]
                     let right = rod[i64.min (n - 1) (i + 1)]
                     in (left + 2 * rod[i] + right) / 4)
              (iota n)
