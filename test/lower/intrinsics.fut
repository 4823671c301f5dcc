-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- What the module `intrinsics` and flatmap do.
-- RUN: ferry-lower-test %s flat > %t && echo '[3i64, 0, 2] [10, 20, 30]' | ferry-interpret %t flat | FileCheck %s --check-prefix=FLAT
-- RUN: ferry-lower-test %s flat > %t && echo 'empty([0]i64) empty([0]i32)' | ferry-interpret %t flat | FileCheck %s --check-prefix=EMPTY
-- RUN: ferry-lower-test %s rows > %t && echo '[2i64, 1] [[1, 2], [3, 4]]' | ferry-interpret %t rows | FileCheck %s --check-prefix=ROWS
-- RUN: ferry-lower-test %s written > %t && echo '[0, 0, 0, 0] [1i64, 3, 9, 1]' | ferry-interpret %t written | FileCheck %s --check-prefix=WRITTEN
-- RUN: ferry-lower-test %s counted > %t && echo '[0, 5] [1i64, 0, 1, -1]' | ferry-interpret %t counted | FileCheck %s --check-prefix=COUNTED
-- RUN: ferry-lower-test %s strided > %t && echo '[0, 1, 2, 3, 4, 5, 6, 7]' | ferry-interpret %t strided | FileCheck %s --check-prefix=STRIDED
-- RUN: ferry-lower-test %s beyond > %t && echo '1i64' | not ferry-interpret %t beyond 2>&1 | FileCheck %s --check-prefix=BEYOND

-- FLAT:      [3i64, 0i64, 2i64]
-- FLAT-NEXT: [true, false, false, true, false]
-- FLAT-NEXT: [0i64, 3i64, 3i64]
-- FLAT-NEXT: [10i32, 10i32, 10i32, 30i32, 30i32]
-- FLAT-NEXT: [11i32, 21i32, 31i32]
-- EMPTY:      empty([0]i64)
-- EMPTY-NEXT: empty([0]bool)
-- EMPTY-NEXT: empty([0]i64)
-- EMPTY-NEXT: empty([0]i32)
entry flat [n] (ks: [n]i64) (xs: [n]i32) = flatmap (\(k, x) -> (replicate k x, x + 1)) (zip ks xs)

-- ROWS: {{\[}}[1i32, 2i32], [1i32, 2i32], [3i32, 4i32]]
entry rows [n] [m] (ks: [n]i64) (xs: [n][m]i32) = (flatmap' (\(k, x) -> replicate k x) (zip ks xs)).3

-- WRITTEN: [0i32, 7i32, 7i32, 7i32]
entry written (xs: *[]i32) (is: []i64) =
  let write_twice (acc: *intrinsics.acc ([]i32)) i =
    loop acc for k < 2 do intrinsics.acc_write acc (i + k) 7
  in intrinsics.scatter_stream xs write_twice is

-- COUNTED: [1i32, 7i32]
entry counted (xs: *[]i32) (is: []i64) =
  intrinsics.hist_stream xs (+) 0 (\(acc: *intrinsics.acc ([]i32)) i -> intrinsics.acc_write acc i 1) is

-- STRIDED:      {{\[}}[1i32, 4i32], [2i32, 5i32]]
-- STRIDED-NEXT: [0i32, 9i32, 8i32, 3i32, 9i32, 8i32, 6i32, 7i32]
entry strided (xs: []i32) =
  (intrinsics.flat_index_2d xs 1 2 1 2 3, intrinsics.flat_update_2d (copy xs) 1 1 3 [[9, 9], [8, 8]])

-- BEYOND: Index [2] out of bounds for array of shape [2].
entry beyond (n: i64) = intrinsics.flat_update_2d (replicate (n + 1) 0) 0 1 2 [[1, 2]]
