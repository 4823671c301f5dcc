-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Arguments in binary form that are cut short, of another version, type or rank, or that no memory could hold.
-- RUN: printf 'b\002\001 i32\002\000\000\000\000\000\000\000\001\000\000\000\003\000\000\000' | ferry run %s | FileCheck %s --check-prefix=RIGHT
-- RUN: printf 'b' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=VERSIONLESS
-- RUN: printf 'b\003\001 i32' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=VERSION
-- RUN: printf 'b\002\001 i3' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=TYPELESS
-- RUN: printf 'b\002\001 xyz\001\000\000\000\000\000\000\000' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
-- RUN: printf 'b\002\001 i32\001\000\000' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=SHAPELESS
-- RUN: printf 'b\002\001 i32\003\000\000\000\000\000\000\000\001\000\000\000' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=SHORT
-- RUN: printf 'b\002\001 i32\377\377\377\377\377\377\377\377' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=NEGATIVE
-- RUN: printf 'b\002\001 i32\000\000\000\000\000\000\000\100' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=HUGE
-- RUN: printf 'b\002\001 f32\000\000\000\000\000\000\000\000' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=TYPE
-- RUN: printf 'b\002\002 i32\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000' | not ferry run %s 2>&1 | FileCheck %s --check-prefix=RANK
-- RUN: printf 'b\002\000bool\002' | not ferry run %s -e flag 2>&1 | FileCheck %s --check-prefix=BOOL

-- RIGHT: 4i32
-- VERSIONLESS: <stdin>:1:1: error: a binary value that ends in its version
-- VERSION: <stdin>:1:1: error: a binary value of version 3, where 2 is known
-- TYPELESS: <stdin>:1:1: error: a binary value that ends in its type
-- UNKNOWN: <stdin>:1:1: error: a binary value of unknown type
-- SHAPELESS: <stdin>:1:1: error: a binary value that ends in its shape
-- SHORT: <stdin>:1:1: error: a binary value of type [3]i32 that lacks 8 of its 12 bytes
-- NEGATIVE: <stdin>:1:1: error: a binary value with an impossible shape
-- HUGE: <stdin>:1:1: error: a binary value with an impossible shape
-- TYPE: <stdin>:1:1: error: expected a value of type []i32, found one of type []f32
-- RANK: <stdin>:1:1: error: expected a value of type []i32, found one of type [][]i32
-- BOOL: error: a binary bool that is neither 0 nor 1
entry main [n] (xs: [n]i32) : i32 = reduce (+) 0 xs
entry flag (b: bool) : bool = !b
