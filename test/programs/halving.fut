-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A sum by halves: the array is half as long on every trip of a host loop. 

def work (x: i64) : i64 = loop y = x for i < 300i64 do y ^ (i & 1)

-- ==
-- entry: main
-- lengths vary
-- input { 8i64 } output { 28i64 }
-- input { 1i64 } output { 0i64 }
-- input { 16384i64 } output { 134209536i64 }
--
-- One launch makes 16384 x 8 bytes, fourteen more halve it; the last has one element, at which the host peeks. In the first trip there are 16384 and 8192 elements.
-- placed auto {16384i64}: uploads 0, downloads 0, peeks 1, pokes 0, launches 15, peak 196608 bytes
-- placed soacs-on-device {16384i64}: uploads 0, downloads 0, peeks 1, pokes 0, launches 15, peak 196608 bytes
entry main (n: i64) : i64 =
  let xs = loop xs = map work (iota n) while length xs > 1 do
    let h = length xs / 2
    in map2 (\a b -> work (a + b)) (take h xs) (take h (drop h xs))
  in xs[0]
