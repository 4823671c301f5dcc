-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Loops that run zero times, arrays of length zero, empty ranges: no launch, no copy, the same answer.

-- ==
-- entry: main
-- input { 0i64 } output { 0i64 empty([0]i64) empty([0]i64) }
-- input { 3i64 } output { 9i64 [1i64, 2i64, 3i64] [2i64, 1i64, 0i64] }
entry main (n: i64) : (i64, []i64, []i64) =
  let xs = loop xs = replicate n 0i64 for _i < n do map (+ 1) xs
  let ys = map (+ 1) (iota n)
  let zs = n - 1 ..> -1
  in (i64.sum xs, ys, zs)

-- A range that goes the wrong way is an error.
-- ==
-- entry: wrong_range
-- input { 3i64 } error: Range 3..2..<5 is invalid
entry wrong_range (n: i64) : []i64 = n .. n - 1 ..< n + 2
