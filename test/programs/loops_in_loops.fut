-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A loop within a loop: device work inside, and outside an update of one element with what the host has made.

def work (x: f64) : f64 = loop y = x for _i < 300i32 do y * 0.5 + 1

-- ==
-- entry: main
-- input { 3i64 2i64 2i64 } output { 6f64 1.5f64 }
-- input { 3i64 0i64 2i64 } output { 3f64 0f64 }
-- input { 3i64 2i64 0i64 } output { 2.5f64 1.5f64 }
-- input { 10000i64 4i64 5i64 } output { 20000f64 1.875f64 }
--
-- The table, a few elements, is the host's. One launch fills xs, 10000 x 8 bytes. Each of the 4 trips launches the update, one thread with the value as its
-- argument, and 5 maps; one launch sums. The sum comes down. In a map there are xs and the next one.
-- placed auto {10000i64 4i64 5i64}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 26, peak 160000 bytes
-- placed soacs-on-device {10000i64 4i64 5i64}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 26, peak 160000 bytes
entry main (n: i64) (outer: i64) (inner: i64) : (f64, f64) =
  let table = loop t = replicate outer 1f64 for i < outer - 1 do t with [i + 1] = t[i] * 0.5
  let xs =
    loop xs = replicate n 1f64 for i < outer do
      let xs = xs with [i] = table[i]
      in loop xs for _j < inner do map work xs
  in (f64.sum xs, loop sum = 0 for t in table do sum + t)
