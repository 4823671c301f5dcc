-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- One array wanted on both sides, by a map on the device and by a loop on the host: it crosses once, and both keep it.

def work (x: f64) : f64 = loop y = x for _i < 300i32 do y * 0.5 + 1

-- ==
-- entry: main
-- input { [1f64, 2f64, 3f64] } output { 6f64 4.25f64 }
-- input { empty([0]f64) } output { 0f64 0f64 }
--
-- xs, 20000 x 8 bytes, goes up for the map, which is one kernel with the sum behind it; the sum, 8 bytes, comes down. The loop reads the
-- caller's xs. On the device: xs and the sum.
-- placed auto {20000*3f64}: uploads 1 of 160000 bytes, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 1, peak 160008 bytes
-- placed soacs-on-device {20000*3f64}: uploads 1 of 160000 bytes, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 1, peak 160008 bytes
--
-- Three elements are not worth the trip, unless they must: 3 x 8 bytes.
-- placed auto {[1f64, 2f64, 3f64]}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
-- placed soacs-on-device {[1f64, 2f64, 3f64]}: uploads 1 of 24 bytes, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 1, peak 32 bytes
entry main [n] (xs: [n]f64) : (f64, f64) =
  let on_device = f64.sum (map work xs)
  let on_host = loop sum = 0 for i < n do sum * 0.5 + xs[i]
  in (on_device, on_host)
