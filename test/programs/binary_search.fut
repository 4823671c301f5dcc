-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- A binary search in a long array that the device makes: twenty elements out of a million.

def work (x: i64) : i64 = loop y = x for i < 300i64 do y ^ (i & 1)

def search [n] (sorted: [n]i64) (x: i64) (steps: i64) : i64 =
  let (low, _) =
    loop (low, high) = (0, n) for _i < steps do
      let middle = (low + high) / 2
      in if sorted[middle] <= x then (middle, high) else (low, middle)
  in low

-- The whole search is one kernel of one thread: 5 us to launch and twenty times some 8 operations of 25 ns, where as many elements would cross the bus at 10 us each.
-- ==
-- entry: main
-- input { 8i64 5i64 3i64 } output { 5i64 }
--
-- Launches: the map, the search. What it finds, 8 bytes, comes down.
-- placed auto {1000000i64 123456i64 20i64}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 2, peak 8000016 bytes
-- placed soacs-on-device {1000000i64 123456i64 20i64}: uploads 0, downloads 1 of 8 bytes, peeks 0, pokes 0, launches 2, peak 8000016 bytes
entry main (n: i64) (x: i64) (steps: i64) : i64 = search (map work (iota n)) x steps

-- Marked as host code, the search has its array in host memory: 8000000 bytes come down.
#[noinline] #[cpu_function]
def marked_search [n] (sorted: [n]i64) (x: i64) (steps: i64) : i64 = search sorted x steps

-- ==
-- entry: marked
-- input { 8i64 5i64 3i64 } output { 5i64 }
-- placed auto {1000000i64 123456i64 20i64}: uploads 0, downloads 1 of 8000000 bytes, peeks 0, pokes 0, launches 1, peak 8000000 bytes
-- placed soacs-on-device {1000000i64 123456i64 20i64}: uploads 0, downloads 1 of 8000000 bytes, peeks 0, pokes 0, launches 1, peak 8000000 bytes
-- no dearer: main than marked {1000000i64 123456i64 20i64}
entry marked (n: i64) (x: i64) (steps: i64) : i64 = marked_search (map work (iota n)) x steps
