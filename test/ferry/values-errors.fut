-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- What is wrong with arguments is said with their place and their parameter; nothing goes to standard output.
-- RUN: printf '[1, 2]' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=FEW
-- RUN: printf '' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=NONE
-- RUN: printf '[1, 2] 0i64 5' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=MANY
-- RUN: printf '[1, 2' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=OPEN
-- RUN: printf '[1, [2]] 0i64' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=MIXED
-- RUN: printf '[1, 2f32] 0i64' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=TYPE
-- RUN: printf '[1, 2.5] 0i64' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=FRACTION
-- RUN: printf '[[1, 2]] 0i64' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=RANK
-- RUN: printf '3 0i64' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=SCALAR
-- RUN: printf '[99999999999] 0i64' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=BIG
-- RUN: printf '[1, \000] 0i64' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=NUL
-- RUN: printf '[1, \377] 0i64' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=BYTE
-- RUN: printf 'maybe' | not ferry run %s -e flag 2>&1 | FileCheck %s --check-prefix=BOOL
-- RUN: printf '[[1], [2, 3]]' | not ferry run %s -e rows 2>&1 | FileCheck %s --check-prefix=RAGGED
-- RUN: printf '[1, 2] [3]' | not ferry run %s -e pairs 2>&1 | FileCheck %s --check-prefix=SIZES
-- RUN: printf '[1, 2] [3]' | not ferry run %s -e pairs --device sim 2>&1 | FileCheck %s --check-prefix=SIZES
-- RUN: printf '[%1000000d] 0i64' 1 | ferry run %s | FileCheck %s --check-prefix=LONG
-- RUN: %python -c "print('[' * 1000000)" | not ferry run %s 2>&1 | FileCheck %s --check-prefix=DEEP
-- RUN: not sh -c "ferry run %s < %S" 2>&1 | FileCheck %s --check-prefix=FOLDER

-- FEW: <stdin>:1:7: error: no more values, where one of type i64 should be
-- FEW-NEXT: note: reading argument 2 (at: i64) of 2 to 'main'
-- NONE: <stdin>:1:1: error: no more values, where one of type []i32 should be
-- MANY: <stdin>:1:13: error: more values than 'main' has parameters, 2
-- OPEN: <stdin>:1:1: error: an array without its closing ']'
-- MIXED: <stdin>:1:5: error: a row among numbers
-- TYPE: <stdin>:1:5: error: expected a value of type i32, found '2f32'
-- FRACTION: <stdin>:1:5: error: '2.5' is no i32
-- RANK: <stdin>:1:1: error: expected a value of type []i32, found one of type [][]i32
-- SCALAR: <stdin>:1:1: error: expected a value of type []i32, found no array
-- BIG: <stdin>:1:2: error: '99999999999' is out of the range of i32
-- NUL: <stdin>:1:5: error: expected a value of type i32, found byte 0x00
-- BYTE: <stdin>:1:5: error: expected a value of type i32, found byte 0xff
-- BOOL: <stdin>:1:1: error: expected a value of type bool, found 'maybe'
-- RAGGED: <stdin>:1:7: error: a row of length 2 among rows of length 1
-- SIZES: error: The argument `ys` of type [n]i32 has a dimension of size 1, but n is 2.
-- LONG: 1i32
-- DEEP: <stdin>:1:65: error: an array of more than 64 dimensions
-- FOLDER: <stdin>: error: Is a directory
entry main [n] (xs: [n]i32) (at: i64) : i32 = xs[at]
entry flag (b: bool) : bool = !b
entry rows [n] [m] (xss: [n][m]i32) : i64 = n * m
entry pairs [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 = map2 (+) xs ys
