-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A copy is made only of what somebody still needs: not before an update in one arm, if the array is not used behind
-- the branch; before each round's update, if the next round needs it.

def work (x: f64) : f64 = loop y = x for _i < 300i32 do y * 0.5 + 1

-- ==
-- entry: in_one_arm without_copy
-- input { 4i64 true } output { 8f64 }
-- input { 4i64 false } output { 8f64 }
-- placed soacs-on-device {10000i64 true}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 3, peak 80008 bytes
-- placed soacs-on-device {10000i64 false}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 2, peak 80008 bytes
entry in_one_arm (n: i64) (change: bool) : f64 =
  let xs = map (\i -> work (f64.i64 i)) (iota n)
  let xs = if change then copy xs with [n - 1] = f64.i64 n else xs
  in f64.sum (map work xs)

entry without_copy (n: i64) (change: bool) : f64 =
  let xs = map (\i -> work (f64.i64 i)) (iota n)
  let xs = if change then xs with [n - 1] = f64.i64 n else xs
  in f64.sum (map work xs)

-- ==
-- entry: in_a_loop
-- input { 3i64 } output { [0i64, 0i64, 0i64] [0i64, 0i64, 7i64] }
entry in_a_loop (n: i64) : ([]i64, []i64) =
  let zeros = replicate n 0i64
  let last = loop last = copy zeros for i < n do copy zeros with [i] = last[i] + 7
  in (zeros, last)
