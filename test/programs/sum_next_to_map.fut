-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A loop that sums an array, one element after the other, next to a map with much to do for each element. The map belongs on the device, the loop on the
-- host: the array crosses once, as a whole.

def work (x: f32) : f32 = loop y = x for _i < 200i32 do y * 0.5 + 1

def sum_in_order [n] (xs: [n]f32) : f32 =
  loop sum = 0 for i < n do sum + xs[i]

#[noinline] #[cpu_function]
def marked_sum_in_order [n] (xs: [n]f32) : f32 =
  loop sum = 0 for i < n do sum + xs[i]

-- ==
-- entry: main marked
-- input { 5i64 } output { 10f32 }
-- input { 0i64 } output { 0f32 }
--
-- The map's 100000 floats of 4 bytes are made on the device by one launch and come down once.
-- placed auto {100000i64}: uploads 0, downloads 1 of 400000 bytes, peeks 0, pokes 0, launches 1, peak 400000 bytes
-- placed soacs-on-device {100000i64}: uploads 0, downloads 1 of 400000 bytes, peeks 0, pokes 0, launches 1, peak 400000 bytes
-- Five stay on the host, unless they must not: 5 x 4 bytes.
-- placed auto {5i64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
-- placed soacs-on-device {5i64}: uploads 0, downloads 1 of 20 bytes, peeks 0, pokes 0, launches 1, peak 20 bytes
-- placed soacs-on-device {0i64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
-- no dearer: main than marked {100000i64}
-- no dearer: main than marked {5i64}
entry main (n: i64) : f32 = sum_in_order (map (\i -> work (f32.i64 i)) (iota n))

entry marked (n: i64) : f32 = marked_sum_in_order (map (\i -> work (f32.i64 i)) (iota n))
