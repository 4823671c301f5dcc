-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- == unknown name
-- error: unknown name 'y'
def f x = x + y
-- == unknown name in a module
-- error: unknown name 'i32.foo'
def f = i32.foo 1
-- == unknown module
-- error: unknown module 'm'
def f : m.t = 1
-- == unknown type
-- error: unknown type 'foo'
def f (x: foo) = x
-- == unknown module type
-- error: unknown module type 'mt'
module m : mt = { def x = 1 }
-- == a module is no value
-- error: 'i32' is a module, not a value
def f = i32
-- == a value is no module
-- error: 'x' is a value, not a module
def x = 1
open x
-- == a name twice in a pattern
-- error: the name 'x' is bound twice in one pattern
def f (x, x) = x
-- == a name twice in parameters
-- error: the name 'x' is bound twice in one pattern
def f x x = x
-- == used before its definition
-- error: unknown name 'g'
def f = g
def g = 1
-- == a constant is not in scope of itself
-- error: unknown name 'x'
def x = x + 1
-- == type parameter twice
-- error: type parameter 't' is declared twice
def f 't 't (x: t) = x
-- == size name twice
-- error: the name 'n' is bound twice in one pattern
def f = let [n][n] (x: [n][n]i32) = [[1]] in n
-- == value defined twice
-- error: 'f' is defined twice
def f = 1
def f = 2
-- == type defined twice
-- error: 't' is defined twice
type t = i32
type t = f32
-- == value and module of one name
-- error: 'm' is defined twice
module m = { def x = 1 }
def m = 2
-- == use of a name with an underscore
-- error: '_unused' is used, but a name that begins with an underscore stands for nothing
def f (_unused: i32) = _unused + 1
