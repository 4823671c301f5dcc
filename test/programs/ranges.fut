-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Ranges and slices as long as their type has numbers, and steps as large: what is between two numbers may not fit the type that they have.

-- ==
-- entry: narrow
-- input { -128i8 127i8 } output { 255i64 -255i32 255i64 }
-- input { 100i8 100i8 } output { 0i64 0i32 0i64 }
-- input { 1i8 -1i8 } error: Range 1..<-1 is invalid
entry narrow (a: i8) (b: i8) : (i64, i32, i64) =
  let xs = a..<b in (length xs, i32.sum (map i32.i8 xs), length (b..>a))

-- ==
-- entry: by
-- input { -100i8 100i8 127i8 } output { [-100i8, 100i8] }
-- input { 127i8 -128i8 -128i8 } output { [127i8, -128i8] }
-- input { -128i8 -127i8 -126i8 } output { [-128i8, -127i8, -126i8] }
-- input { 1i8 1i8 3i8 } error: Range 1..1...3 is invalid
entry by (a: i8) (b: i8) (c: i8) : []i8 = a..b...c

-- ==
-- entry: unsigned
-- input { 0u8 255u8 255u8 } output { [0u8, 255u8] }
-- input { 255u8 254u8 252u8 } output { [255u8, 254u8, 253u8, 252u8] }
-- input { 0u8 200u8 100u8 } output { [0u8] }
entry unsigned (a: u8) (b: u8) (c: u8) : []u8 = a..b...c

-- ==
-- entry: wide
-- input { 0i64 9223372036854775807i64 9223372036854775807i64 } output { [0i64] }
-- input { -9223372036854775808i64 -1i64 9223372036854775807i64 } output { [-9223372036854775808i64, -1i64, 9223372036854775806i64] }
-- input { 5i64 7i64 5i64 } output { empty([0]i64) }
-- input { 0i64 3i64 10i64 } output { [0i64, 3i64, 6i64, 9i64] }
-- input { 0i64 3i64 9i64 } output { [0i64, 3i64, 6i64] }
entry wide (a: i64) (b: i64) (c: i64) : []i64 = a..b..<c

-- ==
-- entry: slice
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] 1i64 5i64 9223372036854775807i64 } output { [2i64] }
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] 4i64 0i64 -9223372036854775808i64 } output { [5i64] }
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] 4i64 0i64 -3i64 } output { [5i64, 2i64] }
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] 1i64 5i64 3i64 } output { [2i64, 5i64] }
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] 2i64 2i64 3i64 } output { empty([0]i64) }
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] 3i64 1i64 3i64 } error: out of bounds
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] 3i64 2i64 3i64 } error: out of bounds
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] 1i64 2i64 -2i64 } error: out of bounds
entry slice [n] (xs: [n]i64) (a: i64) (b: i64) (by: i64) : []i64 = xs[a:b:by]
