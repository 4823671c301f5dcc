-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Breadth-first search in a binary tree: the frontier's length, which the host needs, is not known before a trip has made it.

-- ==
-- entry: main
-- lengths vary
-- input { 7i64 } output { 3i64 [0i32, 1i32, 1i32, 2i32, 2i32, 2i32, 2i32] }
-- input { 1i64 } output { 1i64 [0i32] }
-- input { 0i64 } error: Index \[0\] out of bounds for array of shape \[0\]
-- input { 1000i64 } as on the host
--
-- There is little to do for each node: the host is cheapest.
-- placed auto {1000i64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
entry main (n: i64) : (i64, []i32) =
  let (level, _, depth) =
    loop (level, frontier, depth) = (replicate n (-1i32) with [0] = 0, [0i64], 0i64) while length frontier > 0 do
      let child e = 2 * frontier[e / 2] + 1 + e % 2
      let next = filter (\v -> v < n && level[v] < 0) (map child (iota (2 * length frontier)))
      in (scatter level next (map (\_ -> i32.i64 depth + 1) next), next, depth + 1)
  in (depth, level)
