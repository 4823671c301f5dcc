-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- One arm of a branch between two device maps updates one element, with a value that only the host has: what that costs is paid on that arm alone.

def work (x: f64) : f64 = loop y = x for _i < 300i32 do y * 0.5 + 1

-- ==
-- entry: main
-- input { 4i64 true } output { 8f64 }
-- input { 4i64 false } output { 8f64 }
--
-- Launches: the map, the update of one element, the second map with its sum. The value goes along as a launch's argument: a kernel of one thread, 5 us,
-- is less than an element across the bus, 10 us. The sum, 8 bytes, comes down. Nobody needs the old array behind the update, so nothing is copied.
-- placed auto {10000i64 true}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 3, peak 80008 bytes
-- placed soacs-on-device {10000i64 true}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 3, peak 80008 bytes
-- On the other arm there is one array, and nothing to launch.
-- placed auto {10000i64 false}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 2, peak 80008 bytes
-- placed soacs-on-device {10000i64 false}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 2, peak 80008 bytes
entry main (n: i64) (change: bool) : f64 =
  let xs = map (\i -> work (f64.i64 i)) (iota n)
  let xs = if change then copy xs with [n - 1] = f64.i64 n else xs
  in f64.sum (map work xs)
