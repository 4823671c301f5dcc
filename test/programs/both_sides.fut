-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- One array wanted on both sides, by a map on the device and by a loop on the host: it crosses once, and both keep it.

def work (x: f64) : f64 = loop y = x for _i < 300i32 do y * 0.5 + 1

-- ==
-- entry: main
-- input { [1f64, 2f64, 3f64] } output { 6f64 6f64 }
-- input { empty([0]f64) } output { 0f64 0f64 }
entry main [n] (xs: [n]f64) : (f64, f64) =
  let on_device = f64.sum (map work xs)
  let on_host = loop sum = 0 for i < n do if xs[i] < sum then sum + xs[i] * 1 else sum + xs[i]
  in (on_device, on_host)
