-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Two entries that share their functions, each placed by itself: what one does on the host, the other does on the device.

def work (x: i64) : i64 = loop y = x for i < 300i64 do y ^ (i & 1)

-- Sums so far of powers: a scan, if there is enough of it.
def sums_of_powers [n] (xs: [n]i64) : [n]i64 = scan (+) 0 (map work xs)

def last [n] (xs: [n]i64) : i64 = loop hash = 0 for x in xs do (hash * 2 + x) % 10007

-- ==
-- entry: few
-- input { 4i64 } output { 16i64 }
--
-- The loop reads what the host has made: as many as it reads are too few for a launch, however long the argument.
-- placed auto {4i64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
-- placed soacs-on-device {4i64}: uploads 0, downloads 1 of 32 bytes, peeks 0, pokes 0, launches 1, peak 32 bytes
entry few (n: i64) : i64 = last (sums_of_powers (iota n))

-- ==
-- entry: many
-- input { 4i64 } output { [0i64, 1i64, 3i64, 6i64] }
-- placed auto {10000i64}: uploads 0, downloads 1 of 80000 bytes, peeks 0, pokes 0, launches 1, peak 80000 bytes
-- placed soacs-on-device {10000i64}: uploads 0, downloads 1 of 80000 bytes, peeks 0, pokes 0, launches 1, peak 80000 bytes
entry many (n: i64) : []i64 = sums_of_powers (iota n)
