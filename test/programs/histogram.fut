-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A histogram made on the device, in which a sequential loop on the host then looks for the median.

def work (x: i64) : i64 = loop y = x for i < 300i64 do y ^ (i & 1)

-- ==
-- entry: main
-- input { 10i64 4i64 } output { 1i64 [3i64, 3i64, 2i64, 2i64] }
-- input { 0i64 2i64 } output { 0i64 [0i64, 0i64] }
-- input { 10000i64 100i64 } output { 49i64 100*100i64 }
--
-- One launch fills the 100 counts of 8 bytes, one computes the bins of 10000 numbers and counts them; the counts come down.
-- placed auto {10000i64 100i64}: uploads 0, downloads 1 of 800 bytes, peeks 0, pokes 0, launches 2, peak 800 bytes
-- placed soacs-on-device {10000i64 100i64}: uploads 0, downloads 1 of 800 bytes, peeks 0, pokes 0, launches 2, peak 800 bytes
entry main (n: i64) (bins: i64) : (i64, []i64) =
  let counts = reduce_by_index (replicate bins 0i64) (+) 0 (map (\i -> work i % bins) (iota n)) (replicate n 1)
  let (median, _) =
    loop (median, below) = (0i64, 0i64) for i < bins do
      let below = below + counts[i]
      in (if below * 2 < n then i + 1 else median, below)
  in (median, counts)

-- Bins of rows.
-- ==
-- entry: rows
-- input { [[1, 2], [3, 4], [5, 6], [7, 8]] [[10, 20], [30, 40], [50, 60], [70, 80]] }
-- output { [[13, 24], [35, 46], [50, 60], [70, 80]] }
-- input { empty([0][2]i32) empty([0][2]i32) } output { empty([0][2]i32) }
entry rows [n] [m] (xss: [n][m]i32) (yss: *[n][m]i32) : [n][m]i32 =
  reduce_by_index yss (map2 (+)) (replicate m 0) (map (\i -> i %% 3 - 1) (iota n)) xss
