-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Functions marked as host code that call each other, between device maps, once and in a loop.

def work (x: i64) : i64 = loop y = x for i < 300i64 do y ^ (i & 1)

-- The last of the sums so far, modulo a prime.
#[noinline] #[cpu_function]
def fold [n] (xs: [n]i64) (start: i64) : i64 = loop hash = start for x in xs do (hash * 2 + x) % 10007

-- Makes an array of its own, and calls another one.
#[cpu_function]
def shifted_fold [n] (xs: [n]i64) : i64 =
  let shifted = map (+ 1) xs
  in fold shifted (fold xs 0)

def unmarked_fold [n] (xs: [n]i64) (start: i64) : i64 = loop hash = start for x in xs do (hash * 2 + x) % 10007

def unmarked_shifted_fold [n] (xs: [n]i64) : i64 =
  let shifted = map (+ 1) xs
  in unmarked_fold shifted (unmarked_fold xs 0)

-- ==
-- entry: main unmarked
-- input { 3i64 } output { [43i64, 42i64, 41i64] }
-- input { 0i64 } output { empty([0]i64) }
--
-- The first map's 10000 x 8 bytes come down once, for both calls; the sum goes up as an argument; the second map's come down. While that runs, both are there.
-- placed auto {10000i64}: uploads 0, downloads 2 of 160000 bytes, peeks 0, pokes 0, launches 2, peak 160000 bytes
-- placed soacs-on-device main {10000i64}: uploads 0, downloads 2 of 160000 bytes, peeks 0, pokes 0, launches 2, peak 160000 bytes
-- no dearer: unmarked than main {10000i64}
entry main (n: i64) : []i64 =
  let xs = map work (iota n)
  let sum = shifted_fold xs
  in map (\x -> work (sum - x)) xs

entry unmarked (n: i64) : []i64 =
  let xs = map work (iota n)
  let sum = unmarked_shifted_fold xs
  in map (\x -> work (sum - x)) xs

-- The argument of the call in the loop does not change: it comes down once, before the loop, and is the host's from there on.
-- ==
-- entry: in_a_loop
-- input { 3i64 2i64 } output { 8i64 }
-- input { 3i64 0i64 } output { 0i64 }
-- placed auto {10000i64 5i64}: uploads 0, downloads 1 of 80000 bytes, peeks 0, pokes 0, launches 1, peak 80000 bytes
-- placed soacs-on-device {10000i64 5i64}: uploads 0, downloads 1 of 80000 bytes, peeks 0, pokes 0, launches 1, peak 80000 bytes
entry in_a_loop (n: i64) (steps: i64) : i64 =
  let xs = map work (iota n)
  in loop total = 0 for k < steps do total + fold xs k * (1 - k) + k * 4

-- What a marked function returns goes up only where the device reads it: in one arm.
#[noinline] #[cpu_function]
def running [n] (xs: [n]i64) : [n]i64 = loop ys = replicate n xs[0] for i < n - 1 do ys with [i + 1] = ys[i] + xs[i + 1]

-- ==
-- entry: in_one_arm
-- input { [1i64, 2i64, 3i64] true } output { 10i64 }
-- input { [1i64, 2i64, 3i64] false } output { 6i64 }
-- placed auto {10000*1i64 true}: uploads 1 of 80000 bytes, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 1, peak 80008 bytes
-- placed auto {10000*1i64 false}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
-- placed soacs-on-device {10000*1i64 true}: uploads 1 of 80000 bytes, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 1, peak 80008 bytes
-- placed soacs-on-device {10000*1i64 false}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
entry in_one_arm [n] (xs: [n]i64) (sum: bool) : i64 =
  let ys = running xs
  in if sum then i64.sum (map work ys) else ys[n - 1]
