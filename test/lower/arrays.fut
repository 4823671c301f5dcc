-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Making, reading, rearranging and updating arrays. Unsigned integers are signless from here on.
-- RUN: ferry-lower-test %s make > %t && echo '3' | ferry-interpret %t make | FileCheck %s --check-prefix=MAKE
-- RUN: ferry-lower-test %s ranges > %t && echo '2 11' | ferry-interpret %t ranges | FileCheck %s --check-prefix=RANGES
-- RUN: ferry-lower-test %s slices > %t && echo '[0, 1, 2, 3, 4, 5] 1 -2' | ferry-interpret %t slices | FileCheck %s --check-prefix=SLICES
-- RUN: ferry-lower-test %s boxes > %t && echo '[[1, 2, 3], [4, 5, 6], [7, 8, 9]]' | ferry-interpret %t boxes | FileCheck %s --check-prefix=BOXES
-- RUN: ferry-lower-test %s updates > %t && echo '[[1, 2, 3], [4, 5, 6]] [7, 8] 1' | ferry-interpret %t updates | FileCheck %s --check-prefix=UPDATES
-- RUN: ferry-lower-test %s shapes > %t && echo '[[1, 2, 3], [4, 5, 6]]' | ferry-interpret %t shapes | FileCheck %s --check-prefix=SHAPES
-- RUN: ferry-lower-test %s equality > %t && echo '[[1, 2], [3, 4]] [[1, 2], [3, 5]]' | ferry-interpret %t equality | FileCheck %s --check-prefix=EQUALITY

-- MAKE:      [1i32, 2i32, 3i32]
-- MAKE-NEXT: {{\[}}[0i64, 1i64, 2i64], [3i64, 3i64, 3i64]]
-- MAKE-NEXT: [true, false]
-- MAKE-NEXT: [1.5f32, 2.5f32]
-- MAKE-NEXT: [104i8, 105i8]
-- MAKE-NEXT: empty([0][3]i64)
entry make (n: i64) =
  let pairs = [(true, 1.5f32), (false, 2.5f32)]
  let (truths, floats) = unzip pairs
  in ([1i32, 2, 3], [iota n, replicate n n], truths, floats, "hi", [] : [0][n]i64)

-- RANGES:      [2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64]
-- RANGES-NEXT: [2i64, 5i64, 8i64]
-- RANGES-NEXT: [2i64, 5i64, 8i64, 11i64]
-- RANGES-NEXT: [11i64, 8i64, 5i64]
-- RANGES-NEXT: [11i64, 10i64, 9i64, 8i64, 7i64, 6i64, 5i64, 4i64, 3i64]
-- RANGES-NEXT: [11i64, 7i64, 3i64]
-- RANGES-NEXT: [-6i8, -5i8, -4i8]
-- RANGES-NEXT: [3i8, 2i8, 1i8, 0i8]
entry ranges (a: i64) (b: i64) =
  ( a..<b, a..a + 3..<b, a..a + 3...b, b..b - 3..>a, b..>a, b..b - 4...a + 1
  , 250u8..<(250 + u8.i64 a + 1)
  , 3i8..2...0)

-- SLICES:      [1i64, 2i64]
-- SLICES-NEXT: [0i64, 1i64, 2i64]
-- SLICES-NEXT: [3i64, 4i64, 5i64]
-- SLICES-NEXT: [5i64, 4i64, 3i64, 2i64, 1i64, 0i64]
-- SLICES-NEXT: [5i64, 3i64, 1i64]
-- SLICES-NEXT: [1i64, 3i64]
-- SLICES-NEXT: [4i64, 2i64]
-- SLICES-NEXT: empty([0]i64)
-- SLICES-NEXT: 3i64
-- SLICES-NEXT: empty([0]i64)
-- SLICES-NEXT: empty([0]i64)
entry slices [n] (xs: [n]i64) (i: i64) (s: i64) =
  ( xs[i:3], xs[:3], xs[3:], xs[::-1], xs[::s], xs[i:5:2], xs[4:0:s], xs[n:n], length xs[::2]
  , reverse xs[:0], xs[:0][::s])

-- BOXES:      5i64
-- BOXES-NEXT: [4i64, 5i64, 6i64]
-- BOXES-NEXT: [2i64, 5i64, 8i64]
-- BOXES-NEXT: {{\[}}[5i64, 6i64], [8i64, 9i64]]
-- BOXES-NEXT: {{\[}}[9i64, 8i64, 7i64], [6i64, 5i64, 4i64]]
-- BOXES-NEXT: [3i64, 2i64]
entry boxes [n] [m] (a: [n][m]i64) =
  (a[1, 1], a[1], a[:, 1], a[1:, 1:], a[:0:-1, ::-1], a[0, :0:-1])

-- UPDATES:      {{\[}}[1i64, 7i64, 3i64], [4i64, 8i64, 6i64]]
-- UPDATES-NEXT: {{\[}}[0i64, 0i64, 0i64], [4i64, 5i64, 6i64]]
-- UPDATES-NEXT: {{\[}}[1i64, 2i64, 3i64], [4i64, 5i64, -1i64]]
-- UPDATES-NEXT: {{\[}}[1i64, 2i64, 3i64], [4i64, 7i64, 8i64]]
-- UPDATES-NEXT: [8i64, 8i64]
-- UPDATES-NEXT: [1i32, 9i32]
-- UPDATES-NEXT: [5i32, 6i32]
entry updates (a: [2][3]i64) (b: [2]i64) (i: i64) =
  let c = copy b
  let c[0] = c[i]
  let both = zip [1, 2] [5, 6]
  let both[i] = (9, 6)
  let (left, right) = unzip both
  in ( copy a with [:, i] = b
     , copy a with [i - 1] = replicate 3 0
     , copy a with [i, i + 1] = -1
     , copy a with [i, 1:3] = b
     , c, left, right)

-- SHAPES:      {{\[}}[1i64, 4i64], [2i64, 5i64], [3i64, 6i64]]
-- SHAPES-NEXT: [1i64, 2i64, 3i64, 4i64, 5i64, 6i64]
-- SHAPES-NEXT: {{\[}}[1i64, 4i64], [2i64, 5i64], [3i64, 6i64]]
-- SHAPES-NEXT: {{\[}}[4i64, 5i64, 6i64], [1i64, 2i64, 3i64]]
-- SHAPES-NEXT: {{\[}}[1i64, 2i64, 3i64], [4i64, 5i64, 6i64], [0i64, 0i64, 0i64]]
-- SHAPES-NEXT: {{\[}}[2i64, 3i64, 1i64], [5i64, 6i64, 4i64]]
-- SHAPES-NEXT: 1i64
-- SHAPES-NEXT: [4i64, 5i64, 6i64]
entry shapes [n] [m] (a: [n][m]i64) =
  ( transpose a, flatten a, unflatten (flatten (transpose a)) :> [m][n]i64, reverse a
  , a ++ [replicate m 0], map (rotate 1) a, head (head a), last a)

-- EQUALITY:      false
-- EQUALITY-NEXT: true
-- EQUALITY-NEXT: true
entry equality [n] [m] (a: [n][m]i64) (b: [n][m]i64) =
  (a == b, a[0] == b[0], (a[0], 1) != (b[1], 1))
