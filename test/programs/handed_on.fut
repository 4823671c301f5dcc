-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Copies of what loops and branches hand on, which may be an array that is still needed: the copy is updated, it is not.

-- ==
-- entry: branch
-- input { true [1i64, 2i64, 3i64] 2i64 } output { [7i64, 7i64, 5i64] [3i64, 4i64, 5i64] }
-- input { false [1i64, 2i64, 3i64] 2i64 } output { [7i64, 7i64, 4i64] [3i64, 4i64, 5i64] }
entry branch [n] (c: bool) (xs: [n]i64) (k: i64) : ([n]i64, [n]i64) =
  let zs = map (+ 2) xs
  let x = if c then zs else map (+ 1) xs
  in (loop y = copy x for i < k do y with [i] = 7, zs)

-- ==
-- entry: loop_for
-- input { true [1i64, 2i64, 3i64] 2i64 } output { [7i64, 7i64, 5i64] [3i64, 4i64, 5i64] }
-- input { false [1i64, 2i64, 3i64] 2i64 } output { [7i64, 7i64, 4i64] [3i64, 4i64, 5i64] }
entry loop_for [n] (c: bool) (xs: [n]i64) (k: i64) : ([n]i64, [n]i64) =
  let zs = map (+ 2) xs
  let x = loop x = map (+ 1) xs for i < k do if c && i == 1 then zs else x
  in (loop y = copy x for i < k do y with [i] = 7, zs)

-- ==
-- entry: loop_while
-- input { true [1i64, 2i64, 3i64] 2i64 } output { [7i64, 7i64, 5i64] [3i64, 4i64, 5i64] }
-- input { false [1i64, 2i64, 3i64] 2i64 } output { [7i64, 7i64, 4i64] [3i64, 4i64, 5i64] }
entry loop_while [n] (c: bool) (xs: [n]i64) (k: i64) : ([n]i64, [n]i64) =
  let zs = map (+ 2) xs
  let (x, _) = loop (x, i) = (map (+ 1) xs, 0) while i < k do (if c && i == 1 then zs else x, i + 1)
  in (loop y = copy x for i < k do y with [i] = 7, zs)

-- ==
-- entry: twice
-- input { true [1i64, 2i64, 3i64] 2i64 } output { [7i64, 7i64, 3i64] [1i64, 2i64, 3i64] }
entry twice [n] (c: bool) (xs: [n]i64) (k: i64) : ([n]i64, [n]i64) =
  let x = loop x = map (+ 1) xs for i < k do if c && i == 1 then xs else x
  let (x, _) = loop (x, before) = (x, map (+ 3) xs) for _i < k do (before, x)
  in (loop y = copy x for i < k do y with [i] = 7, x)

-- The same array goes on unless it is chosen: no copy is needed for that.
-- ==
-- entry: chosen
-- input { false [1i64, 2i64, 3i64] 2i64 } output { [7i64, 7i64, 3i64] [7i64, 7i64, 3i64] }
-- input { true [1i64, 2i64, 3i64] 2i64 } output { [7i64, 7i64, 3i64] [1i64, 2i64, 3i64] }
entry chosen [n] (c: bool) (xs: [n]i64) (k: i64) : ([n]i64, [n]i64) =
  let y = loop y = copy xs for i < k do y with [i] = 7
  in (y, if c then xs else y)
