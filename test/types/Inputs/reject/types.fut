-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- == argument of the wrong type
-- error: the argument has type 'bool', but the function takes 'i32'
def g (x: i32) = x
def f = g true
-- == operands of different types
-- error: the right operand of '+' has type 'f32', but 'i32' is needed
def f (x: i32) (y: f32) = x + y
-- == operand that is no number
-- error: the left operand of '+' has type 'bool'
def f = true + 1
-- == operand that is no integer
-- error: the left operand of '&' has type 'f32'
def f (x: f32) = x & x
-- == negation of a bool
-- error: the operand of '-' has type 'bool'
def f = -true
-- == not of a float
-- error: the operand of '!' has type 'f32'
def f (x: f32) = !x
-- == condition that is no bool
-- error: the condition has type 'i32', but 'bool' is needed
def f (x: i32) = if x then 1 else 2
-- == branches of different types
-- error: the branches have different types: 'i32' and 'bool'
def f (x: bool) = if x then 1i32 else true
-- == elements of different types
-- error: this element of the array has type 'bool'
def f = [1i32, true]
-- == ascription
-- error: this expression has type 'f64', but 'i32' is needed
def f = 1f64 : i32
-- == declared result
-- error: the body has type 'bool', but 'i32' is needed
def f (x: i32) : i32 = x == 1
-- == too many arguments
-- error: one argument too many: the function takes 1
def g (x: i32) = x
def f = g 1 2
-- == application of a value
-- error: this is not a function; it has type 'i32'
def f (x: i32) = x 1
-- == tuples of different sizes
-- error: this pattern has type
def f = let (a, b, c) = (1, 2) in a
-- == no such field
-- error: no field 'z' here
def f (r: {x: i32}) = r.z
-- == fields of something that is no record
-- error: no field 'x' here
def f (r: i32) = r.x
-- == record not known
-- error: the type of this is ambiguous
def f r = r.x
-- == record update of an unknown record
-- error: the type of this is ambiguous; it is only known to be like '{x: _, ...}'
def f r = r with x = 1i32
-- == record update of another type
-- error: the new value has type 'bool', but 'i32' is needed
def f (r: {x: i32}) = r with x = true
-- == field given twice
-- error: field 'x' is given twice in this record
def f = {x = 1, x = 2}
-- == field twice in a type
-- error: field 'x' is named twice in this record type
def f (r: {x: i32, x: i32}) = 1
-- == field matched twice
-- error: field 'x' is matched twice in this pattern
def f ({x = a, x = b}: {x: i32}) = a
-- == indexing a number
-- error: this is not an array; it has type 'i32'
def f (x: i32) = x[0]
-- == too many indices
-- error: 2 indices for an array of 1 dimension
def f (x: []i32) = x[0, 0]
-- == index that is no integer
-- error: this index has type 'bool'
def f (x: []i32) = x[true]
-- == slice that is no i64
-- error: this part of a slice has type 'i32', but 'i64' is needed
def f (x: []i32) (i: i32) = x[i:]
-- == range of floats
-- error: the beginning of a range has type 'f32'
def f (x: f32) = x..<x
-- == loop over a number
-- error: what a 'for' runs over has type 'i32'
def f (x: i32) = loop a = 0 for y in x do a
-- == loop bound that is no integer
-- error: the bound of a loop has type 'f32'
def f (x: f32) = loop a = 0 for i < x do a
-- == loop body of another type
-- error: the body of the loop has type 'bool', but
def f = loop a = 0i32 for i < 10 do true
-- == infinite type
-- error: this expression, which is applied, has type
def f x = x x
-- == comparing functions
-- error: the left operand of '==' has type 'i32 -> i32'
def f (g: i32 -> i32) = g == g
-- == comparing type parameters
-- error: the left operand of '==' has type 't'
def f 't (x: t) (y: t) = x == y
-- == type parameter is not a number
-- error: the left operand of '+' has type 't'
def f 't (x: t) = x + x
-- == type parameter is not i32
-- error: the body has type 'i32', but 't' is needed
def f 't (_: t) : t = 1i32
-- == type parameter out of scope
-- error: the branches have different types
def f x = let g 'b (y: b) = if true then y else x in g
-- == arguments of a type
-- error: type 'pair' takes 1 arguments, not 2
type pair 't = (t, t)
def f (x: pair i32 f32) = x
-- == a size for a type
-- error: a type is needed here, not a size
type pair 't = (t, t)
def f (x: pair [2]) = x
-- == a type for a size
-- error: a size in brackets is needed here
type v [n] = [n]i32
def f (x: v i32) = x
-- == projection of a type by a constant too large
-- error: no field '2' here
def f = (1, 2).2
-- == type that grows exponentially
-- error: the type of this is too large
def p y = (y, y)
def f (x: i32) = p (p (p (p (p (p (p (p (p (p (p (p (p (p (p (p (p (p (p (p (p (p (p (p (p x))))))))))))))))))))))))
-- == comparison of anything
-- error: the type of this is ambiguous; it is only known that '==' or '!=' compares it
def same x y = x == y
-- == local functions have one type
-- error: the argument has type
def f (x: i32) (y: f32) =
  let pair v = (v, v)
  in (pair x, pair y)
-- == parameter named twice in a type
-- error: parameter 'n' is named twice in this function type
type^ t = (n: i64) -> (n: i64) -> [n]i32
-- == function type without a size
-- error: the parameter of a function type needs a size here
type^ t = []i32 -> i32
-- == record without a field that is used
-- error: the argument has type '{x: i64}', but the function takes '{x: _, y: _, ...}'
def f (n: i64) = let g = \r -> r.x + r.y in g {x = n}
-- == value without a constructor that is used
-- error: the body has type '(#c | ...)', but '#a | #b' is needed
def f : #a | #b = #c
