-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Sizes that are constants of the program, of a module and of a module's parameter, where nothing else has evaluated
-- them before.

def n = 2i64
def m = n + 1

def twice (xs: [n]i64) = map (* 2) xs

module type sized = {
  val size : i64
  val zeros : [size]i64
}

module three = {
  def size = 3i64
  def zeros = replicate size 0i64
}

module use (S: sized) = {
  def ones (i: i64) : [S.size]i64 = map2 (+) S.zeros (replicate S.size i)
  def square (i: i64) : [S.size][S.size]i64 = unflatten (replicate (S.size * S.size) i)
}

module used = use three

-- ==
-- entry: main
-- input { [1i64, 2i64] } output { [2i64, 4i64] }
-- input { [1i64, 2i64, 3i64] } error: xs.*size 3, but n is 2
entry main (xs: [n]i64) : [n]i64 = twice xs

-- ==
-- entry: grid
-- input { 3i64 } output { [[3i64, 4i64, 5i64], [6i64, 7i64, 8i64]] }
entry grid (i: i64) : [n][m]i64 = unflatten (map (+ i) (0..<(n * m)))

-- ==
-- entry: rows
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] } output { [6i64, 15i64] }
-- input { [[1i64, 2i64], [4i64, 5i64]] } error: xss.*size 2, but m is 3
entry rows (xss: [n][m]i64) = map (reduce (+) 0) xss

-- ==
-- entry: inner
-- input { 3i64 } output { [12i64, 13i64, 14i64] }
entry inner (k: i64) = map (\i -> i + reduce (+) 0 (twice (replicate n k))) (0..<k)

-- ==
-- entry: ones
-- input { 4i64 } output { [4i64, 4i64, 4i64] }
entry ones (i: i64) = used.ones i

-- ==
-- entry: square
-- input { 4i64 } output { [[4i64, 4i64, 4i64], [4i64, 4i64, 4i64], [4i64, 4i64, 4i64]] }
entry square (i: i64) = used.square i
