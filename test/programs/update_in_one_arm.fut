-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- One arm of a branch between two device maps updates one element, with a value that only the host has: the element
-- crosses, on that arm alone.

def work (x: f64) : f64 = loop y = x for _i < 300i32 do y * 0.5 + 1

-- ==
-- entry: main
-- input { 4i64 true } output { 8f64 }
-- input { 4i64 false } output { 8f64 }
entry main (n: i64) (change: bool) : f64 =
  let xs = map (\i -> work (f64.i64 i)) (iota n)
  let xs = if change then copy xs with [n - 1] = f64.i64 n else xs
  in f64.sum (map work xs)
