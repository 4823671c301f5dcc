-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Kernels of groups: sizes around those of a group, of an item's run and of a tile; operators that do not commute, and
-- some of several numbers; failures at a point of many; bins that fit into a group's memory and bins that do not.
-- ==
-- entry: orders
-- input { 0i64 } as on the host
-- input { 1i64 } as on the host
-- input { 15i64 } as on the host
-- input { 16i64 } as on the host
-- input { 17i64 } as on the host
-- input { 255i64 } as on the host
-- input { 257i64 } as on the host
-- input { 4095i64 } as on the host
-- input { 4097i64 } as on the host
-- input { 70000i64 } as on the host
-- ==
-- entry: wide
-- input { 0i64 } as on the host
-- input { 1000i64 } as on the host
-- ==
-- entry: bins
-- input { 0i64 3i64 } as on the host
-- input { 1000i64 3i64 } as on the host
-- input { 1000i64 5000i64 } as on the host
-- ==
-- entry: turned
-- input { 1i64 1i64 } as on the host
-- input { 31i64 33i64 } as on the host
-- input { 64i64 7i64 } as on the host
-- ==
-- entry: fails
-- input { 100i64 100i64 } as on the host
-- input { 100i64 37i64 } error: groups.fut:72:.*Index \[37\] out of bounds for array of shape \[37\]
-- ==
-- entry: together
-- lengths vary
-- input { 0i64 } as on the host
-- input { 1i64 } as on the host
-- input { 40i64 } as on the host

-- Linear functions x -> a x + b, one after another: they do not commute.
def after (f: (i32, i32)) (g: (i32, i32)) = (f.0 * g.0, f.1 * g.0 + g.1)

entry orders (n: i64) =
  let fs = map (\i -> (i32.i64 (i % 5) - 2, i32.i64 i)) (iota n)
  let odd = filter (\i -> i % 3 != 1) (iota n)
  in (reduce after (1, 0) fs, unzip (scan after (1, 0) fs), odd, i64.sum odd)

-- More than the memory of a group has room for.
entry wide (n: i64) =
  let add (a: (f64, i64, f64, i64, f64)) (b: (f64, i64, f64, i64, f64)) =
    (a.0 + b.0, i64.max a.1 b.1, f64.min a.2 b.2, a.3 + b.3, a.4 + b.4)
  in reduce add (0, i64.lowest, f64.inf, 0, 0) (map (\i -> (f64.i64 i, i, f64.i64 (-i), 1, 2)) (iota n))

entry bins (n: i64) (k: i64) =
  let at = map (\i -> i * 7919 % (k + 1)) (iota n)
  in ( reduce_by_index (replicate k 0i32) (+) 0 at (map i32.i64 (iota n))
     , reduce_by_index (replicate k i64.lowest) i64.max i64.lowest at (iota n)
     , reduce_by_index (replicate k 1i8) (*) 1 at (map (\i -> i8.i64 (i % 3 + 1)) (iota n))
     , reduce_by_index (replicate k 1u32) (*) 1 at (map (\i -> u32.i64 (i % 3 + 1)) (iota n)) )

entry turned (n: i64) (m: i64) =
  let xss = tabulate_2d n m (\i j -> i * 1000 + j)
  let xsss = tabulate_3d 3 n m (\k i j -> k * 1000000 + i * 1000 + j)
  in (copy (transpose xss), copy (map transpose xsss))

-- The first point that is out of bounds is told of, whoever gets there first.
entry fails (n: i64) (k: i64) =
  let xs = iota k
  in i64.sum (map (\i -> xs[i]) (iota n))

-- A loop in one kernel, with parallel operations of all kinds in it.
entry together (n: i64) =
  let step (i: i64) (xs: *[n]i64) =
    let s = i64.sum xs
    let up = scan (+) 0 (map (\x -> (x * 3 + s) % 17) xs)
    let few = filter (\x -> x % 2 == i % 2) up
    let count = reduce_by_index (replicate 4 0) (+) 0 (map (% 4) up) (replicate n 1i64)
    let ys = scatter (copy up) (map (\j -> n - 1 - j) (indices few)) few
    in map2 (\y j -> y + count[j % 4] + length few) ys (iota n)
  let (_, xs) =
    loop (i, xs) = (0, iota n) while i < 4 && (n == 0 || xs[0] < 1000) do
      (i + 1, step i xs)
  in xs
