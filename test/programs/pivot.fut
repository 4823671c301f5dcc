-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A pivot loop: the position of the largest magnitude by a reduction, a scalar made from two elements, a map that uses it. The scalar is made
-- where the array is; nothing but the result comes back.

def arg_max [n] (xs: [n]f64) : i64 =
  let (_, i) = reduce_comm (\(a, i) (b, j) -> if a > b || (a == b && i < j) then (a, i) else (b, j)) (-f64.inf, i64.highest)
                           (zip (map f64.abs xs) (iota n))
  in i

-- ==
-- entry: main
-- input { 2i64 [1f64, -4f64, 2f64] } output { [0.765625f64, -3.0625f64, 1.53125f64] }
-- input { 0i64 [1f64, -4f64, 2f64] } output { [1f64, -4f64, 2f64] }
entry main [n] (steps: i64) (xs: [n]f64) : []f64 =
  loop xs = copy xs for _step < steps do
    let i = arg_max xs
    let factor = xs[i] / (xs[i] + xs[i] * 7)
    in map (\x -> x - x * factor) xs
