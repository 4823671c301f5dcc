-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- One arm of a branch between two device maps updates one element: what that costs is paid on that arm alone.

def work (x: f64) : f64 = loop y = x for _i < 300i32 do y * 0.5 + 1

-- The value goes along as a launch's argument: a kernel of one thread, 5 us, is less than an element across the bus, 10 us.
-- ==
-- entry: main
-- input { 4i64 true } output { 8f64 }
-- input { 4i64 false } output { 8f64 }
-- input { 10000i64 true } output { 20000f64 }
-- input { 10000i64 false } output { 20000f64 }
--
-- Launches: the map, the update, the second map with its sum, which comes down. xs is 10000 x 8 bytes, the sum 8.
-- placed auto {10000i64 true}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 3, peak 80008 bytes
-- placed soacs-on-device {10000i64 true}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 3, peak 80008 bytes
-- placed auto {10000i64 false}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 2, peak 80008 bytes
-- placed soacs-on-device {10000i64 false}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 2, peak 80008 bytes
-- no dearer: main than marked {10000i64 true}
-- no dearer: main than marked {10000i64 false}
entry main (n: i64) (change: bool) : f64 =
  let xs = map (\i -> work (f64.i64 i)) (iota n)
  let xs = if change then xs with [n - 1] = f64.i64 n else xs
  in f64.sum (map work xs)

-- Marked as host code, the update has its array in host memory: down and up again, on this arm alone.
#[noinline] #[cpu_function]
def set_last [n] (xs: *[n]f64) (value: f64) : *[n]f64 = xs with [n - 1] = value

-- ==
-- entry: marked
-- input { 4i64 true } output { 8f64 }
-- input { 4i64 false } output { 8f64 }
-- input { 10000i64 true } output { 20000f64 }
-- placed auto {10000i64 true}: uploads 1 of 80000 bytes, downloads 2 of 80008 bytes, peeks 0, pokes 0, launches 2, peak 80008 bytes
-- placed soacs-on-device {10000i64 true}: uploads 1 of 80000 bytes, downloads 2 of 80008 bytes, peeks 0, pokes 0, launches 2, peak 80008 bytes
-- placed auto {10000i64 false}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 2, peak 80008 bytes
-- placed soacs-on-device {10000i64 false}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 2, peak 80008 bytes
entry marked (n: i64) (change: bool) : f64 =
  let xs = map (\i -> work (f64.i64 i)) (iota n)
  let xs = if change then set_last xs (f64.i64 n) else xs
  in f64.sum (map work xs)
