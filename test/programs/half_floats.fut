-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- 16-bit floats, rounded behind each operation, on devices that have none as well.

-- ==
-- entry: main
-- input { [1f16, 2.5f16, 1000f16, 60000f16, -0.1f16] 3 }
-- output {
--   [4.1015625f16, 5.75f16, 1103f16, f16.inf, 2.890625f16]
--   [4.1015625f64, 5.75f64, 1103f64, f64.inf, 2.890625f64]
--   [4, 5, 1103, 0, 2]
--   [1.3671875f16, 1.9169921875f16, 367.75f16, f16.inf, 0.96337890625f16]
--   f16.inf
-- }
-- input { empty([0]f16) 0 } as on the host
entry main (xs: []f16) (k: i32) : ([]f16, []f64, []i32, []f16, f16) =
  let ys = map (\x -> x * 1.1 + f16.i32 k) xs
  in (ys, map f64.f16 ys, map i32.f16 ys, map (\x -> f16.f64 (f64.f16 x / 3)) ys, f16.sum ys)
