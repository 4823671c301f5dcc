-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A pivot loop: the position of the largest magnitude by a reduction, a scalar made from two elements, a map that uses it. The scalar is made
-- where the array is; nothing but the result comes back.

def arg_max [n] (xs: [n]f64) : i64 =
  let (_, i) = reduce_comm (\(a, i) (b, j) -> if a > b || (a == b && i < j) then (a, i) else (b, j)) (-f64.inf, i64.highest)
                           (zip (map f64.abs xs) (iota n))
  in i

def pivot [n] (steps: i64) (xs: *[n]f64) : *[n]f64 =
  loop xs for _step < steps do
    let i = arg_max xs
    let factor = xs[i] / (xs[i] + xs[0] * 7)
    in map (\x -> x - x * factor) xs

-- ==
-- entry: main
-- input { 2i64 [-4f64, 1f64, 2f64] } output { [-3.0625f64, 0.765625f64, 1.53125f64] }
-- input { 0i64 [1f64, -4f64, 2f64] } output { [1f64, -4f64, 2f64] }
entry main [n] (steps: i64) (xs: [n]f64) : []f64 = pivot steps (copy xs)

-- ==
-- entry: large
--
-- One launch fills xs, 100000 x 8 bytes. A trip launches the reduction, the scalar and the map; to make the scalar on the host, the index and two elements would
-- come down, 10 us each. The result comes down. While the map runs, there are xs, the next xs and the scalar.
-- placed auto {100000i64 20i64}: uploads 0, downloads 1 of 800000 bytes, peeks 0, pokes 0, launches 61, peak 1600008 bytes
-- placed soacs-on-device {100000i64 20i64}: uploads 0, downloads 1 of 800000 bytes, peeks 0, pokes 0, launches 61, peak 1600008 bytes
-- placed auto {100000i64 0i64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
entry large (n: i64) (steps: i64) : []f64 = pivot steps (replicate n 1)
