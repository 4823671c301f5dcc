-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- An in-place update of an argument that the caller still needs is refused, with the reason.
-- ==
-- error: xs

entry main [n] (xs: [n]f64) : []f64 = xs with [0] = 1
