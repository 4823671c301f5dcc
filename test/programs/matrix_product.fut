-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
-- RUN: ferry emit %s -e least --stage llvm-ir | FileCheck %s
--
-- A reduction for each column, which reads with a stride: points go through it in vectors, and those that are left over
-- one after another. Against closed forms.
--
-- CHECK: load <16 x double>
-- CHECK: select <16 x i1> {{.*}}, <16 x double>
-- CHECK: store <16 x i64>

-- ==
-- entry: product
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 15i64 } output { true }
-- input { 16i64 } output { true }
-- input { 33i64 } output { true }
-- input { 100i64 } output { true }
--
-- The sum over k of (i + k) * (k * j) is j * (i * S1 + S2), S1 the sum of all k and S2 that of their squares.
entry product (n: i64) : bool =
  let xss = map (\i -> map (\k -> i + k) (iota n)) (iota n)
  let yss = map (\k -> map (\j -> k * j) (iota n)) (iota n)
  let zss = map (\xs -> map (\ys -> i64.sum (map2 (*) xs ys)) (transpose yss)) xss
  let first = n * (n - 1) / 2
  let squares = n * (n - 1) * (2 * n - 1) / 6
  in and (map2 (\i zs -> and (map2 (\j z -> z == j * (i * first + squares)) (iota n) zs)) (iota n) zss)

-- ==
-- entry: sums
-- input { 3i64 70i64 } output { true }
-- input { 0i64 70i64 } output { true }
-- input { 5i64 31i64 } output { true }
--
-- Sums of columns, the point itself and another column among what is added up.
entry sums (n: i64) (m: i64) : bool =
  let xss = map (\i -> map (\j -> i32.i64 (i * 1000 + j)) (iota m)) (iota n)
  let found = map (\j -> i32.sum (map (\i -> xss[i, j] + i32.i64 j - xss[i, 0]) (iota n))) (iota m)
  in and (map2 (\j s -> s == i32.i64 (2 * n * j)) (iota m) found)

-- The least of each column, and where it is: two numbers are carried.
-- ==
-- entry: least
-- input { [[5f64, 2f64, 7f64], [4f64, 2f64, 9f64], [6f64, 1f64, 7f64]] } output { [4f64, 1f64, 7f64] [1i64, 2i64, 0i64] }
-- input { empty([0][3]f64) } output { [f64.inf, f64.inf, f64.inf] [-1i64, -1i64, -1i64] }
entry least [n] [m] (xss: [n][m]f64) : ([m]f64, [m]i64) =
  let least_of (xs: [n]f64) =
    loop (best, at) = (f64.inf, -1i64) for i < n do
      if xs[i] < best then (xs[i], i) else (best, at)
  in unzip (map least_of (transpose xss))

-- Roots and absolute values, of which there are vector operations.
-- ==
-- entry: norms
-- input { [[3f64, -1f64], [-4f64, 0f64]] } output { [5f64, 1f64] [7f64, 1f64] }
entry norms [n] [m] (xss: [n][m]f64) : ([m]f64, [m]f64) =
  unzip (map (\xs -> (f64.sqrt (f64.sum (map (\x -> x * x) xs)), f64.sum (map f64.abs xs))) (transpose xss))
