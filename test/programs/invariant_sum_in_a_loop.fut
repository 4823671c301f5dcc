-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A sum that is the same in each round of a host loop: one launch, before the loop, and none if there is no round. What is summed is made in a
-- launch of its own, n * 8 bytes, since it is made outside of the loop.

def work (x: f64) : f64 = loop y = x for _i < 300i32 do y * 0.5 + 1

-- ==
-- entry: main
-- input { 3i64 2i64 } output { 9f64 }
-- input { 3i64 0i64 } output { 0f64 }
-- placed auto {10000i64 5i64}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 2, peak 80008 bytes
-- placed auto {10000i64 0i64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
entry main (n: i64) (steps: i64) : f64 =
  let xs = map f64.i64 (iota n)
  in loop total = 0 for _i < steps do total * 0.5 + f64.sum (map work xs)
