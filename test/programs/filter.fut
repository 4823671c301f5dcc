-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- filter: the host needs the length of what is kept, the elements stay where they are.

def work (x: i64) : i64 = loop y = x for i < 300i64 do y ^ (i & 1)

-- ==
-- entry: main
-- input { 6i64 } output { 3i64 6i64 }
-- input { 0i64 } output { 0i64 0i64 }
entry main (n: i64) : (i64, i64) =
  let xs = filter (\x -> x % 2 == 0) (map work (iota n))
  in (length xs, i64.sum (map work xs))
