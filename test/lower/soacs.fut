-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Each array combinator, with arrays of tuples and of rows.
-- RUN: ferry-lower-test %s maps > %t && echo '[1, 2, 3]' | ferry-interpret %t maps | FileCheck %s --check-prefix=MAPS
-- RUN: ferry-lower-test %s reductions > %t && echo '[[1, 5], [4, 2]] [3, 9, 9]' | ferry-interpret %t reductions | FileCheck %s --check-prefix=REDUCTIONS
-- RUN: ferry-lower-test %s filters > %t && echo '[5, 0, -3, 8]' | ferry-interpret %t filters | FileCheck %s --check-prefix=FILTERS
-- RUN: ferry-lower-test %s writes > %t && echo '[0, 0, 0] [2, -1, 0, 7]' | ferry-interpret %t writes | FileCheck %s --check-prefix=WRITES
-- RUN: ferry-lower-test %s histograms > %t && echo '[0, 2, 0, 5] [1, 2, 3, 4]' | ferry-interpret %t histograms | FileCheck %s --check-prefix=HISTOGRAMS
-- RUN: ferry-lower-test %s reductions | FileCheck %s --check-prefix=OPERATIONS

-- MAPS:      [2i64, 4i64, 6i64]
-- MAPS-NEXT: [2i64, 4i64, 6i64]
-- MAPS-NEXT: [1i64, 4i64, 9i64]
-- MAPS-NEXT: [false, true, false]
-- MAPS-NEXT: {{\[}}[0i64, 1i64, 2i64], [0i64, 2i64, 4i64], [0i64, 3i64, 6i64]]
-- MAPS-NEXT: [3i64, 6i64, 9i64]
-- MAPS-NEXT: [5i64, 10i64, 15i64]
-- MAPS-NEXT: 3i64
entry maps [n] (xs: [n]i64) =
  let (squares, evens) = unzip (map (\x -> (x * x, x % 2 == 0)) xs)
  in ( map (* 2) xs, map2 (+) xs xs, squares, evens
     , map (\x -> map (* x) (iota n)) xs
     , map3 (\a b c -> a + b + c) xs xs xs
     , map5 (\a b c d e -> a + b + c + d + e) xs xs xs xs xs
     , length (zip3 xs xs xs))

-- REDUCTIONS:      [5i64, 7i64]
-- REDUCTIONS-NEXT: [6i64, 6i64]
-- REDUCTIONS-NEXT: 9i64
-- REDUCTIONS-NEXT: 1i64
-- REDUCTIONS-NEXT: [3i64, 12i64, 21i64]
-- REDUCTIONS-NEXT: {{\[}}[1i64, 5i64], [5i64, 7i64]]
-- REDUCTIONS-NEXT: 21i64
-- REDUCTIONS-NEXT: true
-- OPERATIONS:      array.reduce(%{{.*}}) ins(%{{.*}} : tensor<?x?xi64>) neutral(%{{.*}} : tensor<?xi64>)
-- OPERATIONS-NEXT: ^bb0(%{{.*}}: i64, %{{.*}}: tensor<?xi64>)
-- OPERATIONS:      } operator {
-- OPERATIONS:      array.reduce(%{{.*}}) ins(%{{.*}} : tensor<?xi64>) neutral(%{{.*}} : i64)
-- OPERATIONS:      } {commutative}
entry reductions [n] [m] [k] (a: [n][m]i64) (xs: [k]i64) =
  let later (x, i) (y, j) = if x > y || (x == y && i < j) then (x, i) else (y, j)
  let (largest, position) = reduce later (i64.lowest, -1) (zip xs (indices xs))
  in ( reduce (map2 (+)) (replicate m 0) a, map i64.sum a, largest, position
     , scan (+) 0 xs, scan (map2 (+)) (replicate m 0) a
     , i64.sum xs, all (> 2) xs)

-- FILTERS:      [5i64, 8i64]
-- FILTERS-NEXT: 2i64
-- FILTERS-NEXT: [5i64, 8i64]
-- FILTERS-NEXT: [0i64, -3i64]
-- FILTERS-NEXT: [0i64, 3i64]
entry filters [n] (xs: [n]i64) =
  let positive = filter (> 0) xs
  let (yes, no) = partition (> 0) xs
  let places = map (.1) (filter ((.0) >-> (> 0)) (zip xs (iota n)))
  in (positive, length positive, yes, no, places)

-- WRITES:      [12i64, 0i64, 10i64]
-- WRITES-NEXT: {{\[}}[0i64, 0i64], [0i64, 7i64]]
-- WRITES-NEXT: {{\[}}[0i64, 0i64], [3i64, 4i64]]
entry writes (dest: *[3]i64) (is: [4]i64) =
  let grid () = replicate 2 (replicate 2 0i64)
  in ( scatter dest is [10, 11, 12, 13]
     , scatter_2d (grid ()) [(1, 1), (5, 0)] [7, 8]
     , scatter (grid ()) [1, -1] [[3, 4], [5, 6]])

-- HISTOGRAMS:      [4i64, 0i64, 2i64]
-- HISTOGRAMS-NEXT: [104i64, 100i64, 102i64]
-- HISTOGRAMS-NEXT: {{\[}}[0i64, 0i64], [0i64, 10i64]]
entry histograms [n] (is: [n]i64) (vs: [n]i64) =
  ( hist (+) 0 3 is vs
  , reduce_by_index (replicate 3 100) (+) 0 is vs
  , reduce_by_index_2d (replicate 2 (replicate 2 0)) (+) 0 (map (const (1, 1)) is) vs)
