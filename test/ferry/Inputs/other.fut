-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
entry main [n] (xs: [n]i64) : [n]i64 = (loop (xs, k) = (xs, 9) while k > xs[0] do (map (+ 1) xs, k / 2)).0
