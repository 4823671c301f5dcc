-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Arrays too small to be worth a launch: everything stays on the host, and takes as long as without a device.

-- ==
-- entry: main
-- input { [1f64, 2f64, 3f64] } output { 14f64 [2f64, 4f64, 6f64] }
-- placed auto {[1f64, 2f64, 3f64]}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
--
-- xs, 3 x 8 bytes, goes up; the sum of squares and the doubled elements are made by a launch each and come down. When
-- the doubled ones are made, the sum has come down: xs and they are on the device.
-- placed soacs-on-device {[1f64, 2f64, 3f64]}: uploads 1 of 24 bytes, downloads 2 of 32 bytes, peeks 0, pokes 0, launches 2, peak 48 bytes
entry main [n] (xs: [n]f64) : (f64, []f64) = (f64.sum (map (\x -> x * x) xs), map (* 2) xs)
