-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- What a program does wrong when it runs is said with its place, on the host and on sim, and status 1; nothing goes to standard output.
-- RUN: echo '[1, 2, 3] 7i64' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=INDEX
-- RUN: echo '[1, 2, 3] 7i64' | not ferry run %s --device sim --plan soacs-on-device 2>&1 | FileCheck %s --check-prefix=INDEX
-- RUN: echo '[1, 2, 3] 7i64' | not ferry run %s -e each --device sim --plan soacs-on-device 2>&1 | FileCheck %s --check-prefix=EACH
-- RUN: echo '[1, 2, 3] -1i64 1i64' | not ferry run %s -e part 2>&1 | FileCheck %s --check-prefix=SLICE
-- RUN: echo '[1, 2] [1, 0]' | not ferry run %s -e quotients 2>&1 | FileCheck %s --check-prefix=DIVISION
-- RUN: echo '[1, 2] [1, 0]' | not ferry run %s -e quotients --device sim --plan soacs-on-device 2>&1 | FileCheck %s --check-prefix=DIVISION
-- RUN: echo '-3' | not ferry run %s -e positive 2>&1 | FileCheck %s --check-prefix=ASSERT
-- RUN: echo '-3i64' | not ferry run %s -e numbers 2>&1 | FileCheck %s --check-prefix=RANGE
-- RUN: echo '-3i64 1i64' | not ferry run %s -e ones 2>&1 | FileCheck %s --check-prefix=REPLICATE
-- RUN: echo '[1, 2, 3] 7i64' | sh -c 'ferry run %s 2> %t; echo status $?' | FileCheck %s --check-prefix=STATUS

-- INDEX: run-time-errors.fut:[[@LINE+12]]:{{[0-9]+}}: error: Index [7] out of bounds for array of shape [3].
-- INDEX-NEXT: entry main [n] (xs: [n]i32) (at: i64) : i32 = reduce (+) 0 xs + xs[at]
-- INDEX-NEXT: {{^ +\^$}}
-- INDEX-NOT: {{.}}
-- STATUS-NOT: i32
-- STATUS: status 1
-- EACH: error: Index [7] out of bounds for array of shape [3].
-- SLICE: error: Index [-1:1] out of bounds for array of shape [3].
-- DIVISION: error: division by zero
-- ASSERT: error: Assertion is false: x > 0
-- RANGE: error: Range 0..<-3 is invalid.
-- REPLICATE: error: Cannot replicate -3 times.
entry main [n] (xs: [n]i32) (at: i64) : i32 = reduce (+) 0 xs + xs[at]
entry each [n] (xs: [n]i32) (at: i64) : [n]i32 = map (\x -> x + xs[i64.i32 x + at - 1]) xs
entry part [n] (xs: [n]i32) (a: i64) (b: i64) : []i32 = xs[a:b]
entry quotients [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 = map2 (/) xs ys
entry positive (x: i32) : i32 = assert (x > 0) x
entry numbers (n: i64) : []i64 = iota n
entry ones (n: i64) (m: i64) : [n][m]i32 = replicate n (replicate m 1)
