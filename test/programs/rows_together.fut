-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
-- RUN: ferry emit %s -e times --stage llvm-ir | FileCheck %s
-- RUN: echo '[1, 3, 4, 5, 15, 16, 17, 63, 64, 65, 66]' | ferry run %s -e singles --device host | FileCheck %s --check-prefix=SUMS
-- RUN: echo '[1, 3, 4, 5, 15, 16, 17, 63, 64, 65, 66]' | ferry run %s -e doubles --device host | FileCheck %s --check-prefix=SUMS
-- RUN: echo '[1, 3, 4, 5, 15, 16, 17, 63, 64, 65, 66]' | ferry run %s -e words --device host | FileCheck %s --check-prefix=SUMS
--
-- Sums for each column of each row: four rows go together and read a vector of the right matrix once. Sizes around
-- those of vectors and groups of rows, against closed forms that all of the types hold exactly.
--
-- CHECK: [[RIGHT:%[0-9]+]] = load <16 x float>
-- CHECK-COUNT-4: fmul <16 x float> {{.*}}[[RIGHT]]
-- CHECK-COUNT-4: store <16 x float>
-- SUMS: true

-- ==
-- entry: times
-- input { [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] [[1f32, 0f32, 2f32], [0f32, 1f32, 3f32]] }
-- output { [[1f32, 2f32, 8f32], [3f32, 4f32, 18f32], [5f32, 6f32, 28f32]] }
entry times [n] [l] [m] (xss: [n][l]f32) (yss: [l][m]f32) : [n][m]f32 =
  map (\xs -> map (\ys -> f32.sum (map2 (*) xs ys)) (transpose yss)) xss

-- Rows, columns and addends of different sizes, and of the same. The sum over k of (i + k) * (k * j) is
-- j * (i * S1 + S2), S1 the sum of all k and S2 that of their squares. What is carried around a loop is in memory.
def are_products [s] 't (sizes: [s]i64) (of: i64 -> t) (to: t -> i64) (plus: t -> t -> t) (times: t -> t -> t) : bool =
  loop good = true for c < 3 * s do
    let zeros n m = replicate n (replicate m (of 0))
    let (n, m, l) = (sizes[c / 3], sizes[(c / 3 + (c % 3) * 4) % s], sizes[(c / 3 + (c % 3) * 7) % s])
    let (_, _, zss) =
      loop (xss, yss, zss) = (zeros n l, zeros l m, zeros n m) for _t < 2 do
        (map (\i -> map (\k -> of (i + k)) (iota l)) (iota n),
         map (\k -> map (\j -> of (k * j)) (iota m)) (iota l),
         map (\xs -> map (\ys -> reduce plus (of 0) (map2 times xs ys)) (transpose yss)) xss)
    let first = l * (l - 1) / 2
    let squares = l * (l - 1) * (2 * l - 1) / 6
    in good && and (map2 (\i zs -> and (map2 (\j z -> to z == j * (i * first + squares)) (iota m) zs)) (iota n) zss)

entry singles (sizes: []i64) : bool = are_products sizes f32.i64 i64.f32 (+) (*)
entry doubles (sizes: []i64) : bool = are_products sizes f64.i64 i64.f64 (+) (*)
entry words (sizes: []i64) : bool = are_products sizes i32.i64 i64.i32 (+) (*)
