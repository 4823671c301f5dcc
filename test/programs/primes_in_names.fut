-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Names that neither C nor PTX has.
-- ==
-- entry: f f' f'' f_
-- input { [1i32, 2i32] } as on the host

entry f (xs: []i32) : []i32 = map (+ 1) xs
entry f' (xs: []i32) : []i32 = map (+ 2) xs
entry f'' (xs: []i32) : []i32 = map (+ 3) xs
entry f_ (xs': []i32) : []i32 = map (\x' -> x' + 4) xs'
