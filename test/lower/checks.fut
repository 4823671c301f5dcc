-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- What is checked when the program runs, and what `#[unsafe]` trusts.
-- RUN: ferry-lower-test %s asserts > %t && echo '0' | not ferry-interpret %t asserts 2>&1 | FileCheck %s --check-prefix=ASSERT
-- RUN: echo '3' | ferry-interpret %t asserts | FileCheck %s --check-prefix=FINE
-- RUN: ferry-lower-test %s divide > %t && echo '1 0' | not ferry-interpret %t divide 2>&1 | FileCheck %s --check-prefix=DIVIDE
-- RUN: ferry-lower-test %s power > %t && echo '2 -1' | not ferry-interpret %t power 2>&1 | FileCheck %s --check-prefix=POWER
-- RUN: echo '3 20' | ferry-interpret %t power | FileCheck %s --check-prefix=POWERS
-- RUN: ferry-lower-test %s range > %t && echo '5 5 9' | not ferry-interpret %t range 2>&1 | FileCheck %s --check-prefix=STEP
-- RUN: echo '5 6 4' | not ferry-interpret %t range 2>&1 | FileCheck %s --check-prefix=AWAY
-- RUN: ferry-lower-test %s counts > %t && echo '-1' | not ferry-interpret %t counts 2>&1 | FileCheck %s --check-prefix=COUNTS
-- RUN: ferry-lower-test %s index > %t && echo '[1, 2] 2' | not ferry-interpret %t index 2>&1 | FileCheck %s --check-prefix=INDEX
-- RUN: ferry-lower-test %s slice > %t && echo '[1, 2, 3] 2 1' | not ferry-interpret %t slice 2>&1 | FileCheck %s --check-prefix=SLICE
-- RUN: echo '[1, 2, 3] 1 4' | not ferry-interpret %t slice 2>&1 | FileCheck %s --check-prefix=SLICE
-- RUN: echo '[1, 2, 3] 1 1' | ferry-interpret %t slice | FileCheck %s --check-prefix=EMPTY
-- RUN: ferry-lower-test %s coerce > %t && echo '[1, 2] 3' | not ferry-interpret %t coerce 2>&1 | FileCheck %s --check-prefix=COERCE
-- RUN: ferry-lower-test %s coerce_parts > %t && echo '[1, 2] 3' | not ferry-interpret %t coerce_parts 2>&1 | FileCheck %s --check-prefix=COERCE-PARTS
-- RUN: ferry-lower-test %s coerce_rows > %t && echo '[[1, 2]] 2' | not ferry-interpret %t coerce_rows 2>&1 | FileCheck %s --check-prefix=COERCE-ROWS
-- RUN: ferry-lower-test %s unflattened > %t && echo '[1, 2, 3] -1 -3' | not ferry-interpret %t unflattened 2>&1 | FileCheck %s --check-prefix=UNFLATTEN
-- RUN: ferry-lower-test %s replaced > %t && echo '[1, 2] [3, 4]' | not ferry-interpret %t replaced 2>&1 | FileCheck %s --check-prefix=REPLACED
-- RUN: ferry-lower-test %s shared > %t && echo '[1, 2] [1]' | not ferry-interpret %t shared 2>&1 | FileCheck %s --check-prefix=SHARED
-- RUN: ferry-lower-test %s trusted | FileCheck %s --check-prefix=TRUSTED
-- RUN: ferry-lower-test %s known | FileCheck %s --check-prefix=KNOWN

-- ASSERT: error: Assertion is false: x > 0 && x < 10
-- FINE: 6i64
entry asserts (x: i64) = assert (x > 0 && x < 10) (x * 2)

-- DIVIDE: error: division by zero
entry divide (x: i32) (y: i32) = x / y

-- POWER: error: negative exponent
-- POWERS: 3486784401i64
entry power (x: i64) (y: i64) = x ** y

-- STEP: error: Range 5..5..<9 is invalid.
-- AWAY: error: Range 5..6..<4 is invalid.
entry range (a: i64) (b: i64) (c: i64) = a..b..<c

-- COUNTS: error: Range 0..<-1 is invalid.
entry counts (n: i64) = iota n

-- INDEX: error: Index [2] out of bounds for array of shape [2].
entry index [n] (xs: [n]i32) (i: i64) = xs[i]

-- SLICE: error: {{.*}} out of bounds for array of shape [3].
-- EMPTY: empty([0]i32)
entry slice [n] (xs: [n]i32) (i: i64) (j: i64) = xs[i:j]

-- COERCE-ROWS: error: Value of shape [1] cannot match shape of type `[n]t`.
def of_length 't (n: i64) (xs: []t) = xs :> [n]t
entry coerce_rows (xs: [][]i32) (n: i64) = of_length n xs

-- COERCE-PARTS: error: Value of shape [2] cannot match shape of type `[n]i32`.
entry coerce_parts (xs: []i32) (n: i64) = (1, {part = xs}) :> (i32, {part: [n]i32})

-- COERCE: error: Value of shape [2] cannot match shape of type `[n]i32`.
entry coerce [m] (xs: [m]i32) (n: i64) = xs :> [n]i32

-- UNFLATTEN: error: Cannot unflatten array of shape [3] to array of shape [-1][-3].
entry unflattened [n] (xs: [n]i32) (a: i64) (b: i64) : [a][b]i32 = unflatten (xs :> [a * b]i32)

-- REPLACED: error: A slice of length 1 cannot be replaced by an array of length 2.
entry replaced [n] (xs: [n]i32) (ys: [2]i32) = copy xs with [::2] = ys

-- SHARED: error: The argument `ys` of type [n]i32 has a dimension of size 1, but n is 2.
entry shared [n] (xs: [n]i32) (ys: [n]i32) = map2 (+) xs ys

-- TRUSTED-NOT: array.assert
-- TRUSTED:     array.element %{{.*}}[%{{.*}}] unchecked
-- TRUSTED-NOT: array.assert
-- TRUSTED:     array.update %{{.*}} unchecked
-- TRUSTED-NOT: array.assert
entry trusted [n] (xs: *[n]i64) (i: i64) (d: i64) = #[unsafe] (xs with [i] = (xs[i + 1] / d) + i64.sum (iota d))

-- What is known to hold is not checked.
-- KNOWN-NOT: array.assert
entry known [n] (xs: [n]i64) = (iota n, xs[0:0], map (/ 2) xs, 0..<length xs, replicate 3 n)
