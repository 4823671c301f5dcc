-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- == too large for i8
-- error: the number 128 is out of bounds for type 'i8'
def f : i8 = 128
-- == too small for i8
-- error: the number -129 is out of bounds for type 'i8'
def f : i8 = -129
-- == too large for u8
-- error: the number 257 is out of bounds for type 'u8'
def f = 257 : u8
-- == too large for the default type
-- error: the number 3000000000 is out of bounds for type 'i32'
def f = 3000000000
-- == too large for any type
-- error: the number 99999999999999999999 is out of bounds for type 'i64'
def f : i64 = 99999999999999999999
-- == in a pattern
-- error: the number 256 is out of bounds for type 'u8'
def f (x: u8) = match x case 256 -> 1 case _ -> 2
-- == negative and unsigned
-- error: the number -1 is out of bounds for type 'u16'
def f : u16 = -1
-- == too large for a float
-- error: the number 1e39 is out of bounds for type 'f32'
def f : f32 = 1e39
-- == too small for a float
-- error: the number -2e308 is out of bounds for type 'f64'
def f = -2e308
