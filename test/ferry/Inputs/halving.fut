-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
entry main [n] (k: i64) (xs: [n]i64) : ([n]i64, i64) =
  loop (xs, k) = (xs, k) while k > 1 do (map (+ k) xs, k / 2)
