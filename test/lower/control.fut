-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Branches, loops and matches.
-- RUN: ferry-lower-test %s branches > %t && echo '5 [1, 2]' | ferry-interpret %t branches | FileCheck %s --check-prefix=THEN
-- RUN: echo '-5 [1, 2]' | ferry-interpret %t branches | FileCheck %s --check-prefix=ELSE
-- RUN: ferry-lower-test %s loops > %t && echo '6 [1, 2, 3]' | ferry-interpret %t loops | FileCheck %s --check-prefix=LOOPS
-- RUN: ferry-lower-test %s loops > %t && echo '-1 empty([0]i64)' | ferry-interpret %t loops | FileCheck %s --check-prefix=NONE
-- RUN: ferry-lower-test %s growing > %t && echo '3' | ferry-interpret %t growing | FileCheck %s --check-prefix=GROWING
-- RUN: ferry-lower-test %s swapped > %t && echo '[1, 2]' | ferry-interpret %t swapped | FileCheck %s --check-prefix=SWAPPED
-- RUN: ferry-lower-test %s cases > %t && echo '[0, 1, 7]' | ferry-interpret %t cases | FileCheck %s --check-prefix=CASES
-- RUN: ferry-lower-test %s lazy > %t && echo '[5, 6] 2' | ferry-interpret %t lazy | FileCheck %s --check-prefix=LAZY
-- RUN: ferry-lower-test %s lazy | FileCheck %s --check-prefix=GUARDED

-- THEN:      5i64
-- THEN-NEXT: [1i64, 2i64]
-- THEN-NEXT: 2i64
-- ELSE:      5i64
-- ELSE-NEXT: [7i64]
-- ELSE-NEXT: 1i64
entry branches [n] (a: i64) (xs: [n]i64) =
  let (size, ys) = if a > 0 then (a, take n xs) else (-a, [7])
  in (size, ys, length ys)

-- LOOPS:      720i64
-- LOOPS-NEXT: 15i32
-- LOOPS-NEXT: 321i64
-- LOOPS-NEXT: 16i64
-- LOOPS-NEXT: 8i32
-- LOOPS-NEXT: 13i32
-- NONE:      1i64
-- NONE-NEXT: 0i32
-- NONE-NEXT: 0i64
-- NONE-NEXT: 1i64
-- NONE-NEXT: 0i32
-- NONE-NEXT: 1i32
entry loops [n] (k: i64) (xs: [n]i64) =
  let factorial = loop p = 1 for i < k do p * (i + 1)
  let narrow = loop s = 0i32 for i < i32.i64 k do s + i
  let digits = (loop (number, place) = (0, 1) for x in xs do (number + x * place, place * 10)).0
  let power = loop p = 1 while p < 2 * k do p * 2
  let (fibonacci, next) = loop (a, b) = (0, 1) for _i < k do (b, a + b)
  in (factorial, narrow, digits, power, fibonacci, next)

-- The array has another size in every iteration.
-- GROWING:      [0i64, 1i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64]
-- GROWING-NEXT: 8i64
entry growing (k: i64) =
  let xs = loop xs = [0] for i < k do concat xs (map (const (i64.min 2 (i + 1))) xs)
  in (xs, length xs)

-- SWAPPED:      [2i64, 4i64]
-- SWAPPED-NEXT: [1i64, 2i64]
entry swapped [n] (xs: [n]i64) = loop (a, b) = (xs, map (* 2) xs) for _i < 3 do (b, a)

-- CASES: [10i64, 20i64, 70i64]
entry cases [n] (xs: [n]i64) =
  map (\x -> match (x, x > 5)
             case (0, _) -> 10
             case (y, true) -> y * 10
             case _ -> 20) xs

-- The right operand is evaluated only if needed.
-- LAZY:      false
-- LAZY-NEXT: true
-- GUARDED: scf.if
-- GUARDED:   array.element
entry lazy [n] (xs: [n]i64) (i: i64) = (i < n && xs[i] == 5, i >= n || xs[i] == 5)
