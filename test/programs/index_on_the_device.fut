-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A reduction on the device finds an index, and one element there is updated in place: the index never visits the host, and
-- the array does not come back for it.

def work (x: f64) : f64 = loop y = x for _i < 300i32 do y * 0.5 + 1

-- ==
-- entry: main
-- input { 5i64 } output { 8f64 }
-- input { 1i64 } output { 0f64 }
entry main (n: i64) : f64 =
  let xs = map (\i -> work (f64.i64 i)) (iota n)
  let (_, i) = reduce_comm (\(a, i) (b, j) -> if a > b || (a == b && i < j) then (a, i) else (b, j)) (-f64.inf, i64.highest) (zip xs (iota n))
  let ys = copy xs with [i] = 0
  in f64.sum ys
