-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- What a kernel makes for nobody takes memory while it runs; an array of which only the extents are read takes none; and
-- writing a row without elements is no launch.

-- A linear recurrence: of the scan's two results one is used. On the device are xs and both results, of 8 n bytes each.
-- ==
-- entry: recurrence
-- input { [1i64, 2i64, 3i64] } output { [1i64, 4i64, 15i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
-- placed soacs-on-device { [1i64, 2i64, 3i64] }: uploads 1 of 24 bytes, downloads 1 of 24 bytes, peeks 0, pokes 0, launches 1, peak 72 bytes
entry recurrence [n] (xs: [n]i64) : [n]i64 =
  let (_, ys) = unzip (scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (map (\x -> (x, x)) xs)) in ys

-- ==
-- entry: of_no_elements
-- input { 2i64 [[1i64, 2i64], [3i64, 4i64]] } output { [[1i64, 2i64], [2i64, 2i64]] }
-- input { 1i64 empty([3][0]i64) } output { empty([3][0]i64) }
entry of_no_elements [n] [m] (k: i64) (xss: [n][m]i64) : [n][m]i64 = copy xss with [k - 1] = replicate m k

def at (n: i64) (i: i64) : i64 = ((i % n) + n) % n

#[cpu_function]
def marked [n] (xs: [n]i64) (ys: [n]i64) (z: i64) : ([n]i64, i64) =
  let (_, _) = if n < z then (ys, n) else (xs, i64.sum ys[at n z:])
  let _ = copy ys with [at n n] = z
  in (ys, z)

-- Of what the marked function is given in the loop, only the length is used.
-- ==
-- entry: extents
-- input { 4i64 [-3i64] } output { [-3i64] -3i64 }
-- input { 1i64 [-3i64, 4i64] } output { [-1i64, 6i64] 6i64 }
entry extents [n] (k: i64) (xs: [n]i64) : ([n]i64, i64) =
  let (ys, z) = if k < n then (map (+ n) xs, k) else (xs, n)
  let (zs, _, _) =
    loop (zs, t, i) = (ys, z, 0i64) while i < k && t % 5 != 0 do
      let (_, _) = marked ys zs z
      in (zs, i, i + 1)
  in (zs, i64.sum zs[at n k:])
