-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A map on the device, and a cheap map of its result; the host reads both. One array comes down, and the host makes the
-- other one from it: the two maps do not become one that makes both on the device.

def work (x: i64) : i64 = loop y = x for i < 300i64 do y ^ (i & 1)

def fold [n] (xs: [n]i64) : i64 = loop hash = 0i64 for x in xs do (hash * 2 + x) % 10007

-- ==
-- entry: main
-- input { 3i64 } output { 4i64 11i64 }
-- input { 0i64 } output { 0i64 0i64 }
-- placed auto {10000i64}: uploads 0, downloads 1 of 80000 bytes, peeks 0, pokes 0, launches 1, peak 80000 bytes
-- placed soacs-on-device {10000i64}: uploads 0, downloads 2 of 160000 bytes, peeks 0, pokes 0, launches 2, peak 160000 bytes
entry main (n: i64) : (i64, i64) =
  let xs = map work (iota n)
  let shifted = map (+ 1) xs
  in (fold xs, fold shifted)

-- The same with two maps of an array that the host has, one of them dear: the cheap one is made where the array is.
-- ==
-- entry: siblings
-- input { 3i64 } output { 4i64 11i64 }
-- placed auto {10000i64}: uploads 1 of 80000 bytes, downloads 1 of 80000 bytes, peeks 0, pokes 0, launches 1, peak 160000 bytes
entry siblings (n: i64) : (i64, i64) =
  let xs = loop xs = replicate n 0i64 for i < n - 1 do xs with [i + 1] = xs[i] + 1
  let made = map work xs
  let shifted = map (+ 1) xs
  in (fold made, fold shifted)
