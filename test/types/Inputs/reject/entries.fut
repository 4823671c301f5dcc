-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- == polymorphic
-- error: the entry point 'f' is polymorphic
entry f 't (x: t) = x
-- == higher order
-- error: the entry point 'f' takes or returns functions
entry f (g: i32 -> i32) = g 1
-- == returns a function that takes functions
-- error: the entry point 'main' takes or returns functions
def main (x: i32) = \(f: i32 -> i32) -> f x
-- == functions in a record
-- error: the entry point 'main' takes or returns functions
def main (x: i32) = {next = x + 1, add = \y -> x + y}
-- == polymorphic without parameters
-- error: the entry point 'f' is polymorphic
def same 't (x: t) = x
entry f = same
-- == result whose size nothing tells
-- error: the caller of the entry point 'f' would have to choose the size
entry f (b: bool) : [][]i32 = let _ = b in []
-- == size chosen by the caller
-- error: the caller of the entry point 'f' would have to choose the size 'n'
entry f [n] : [0][n]i32 = []
-- == size only in an expression
-- error: is not by itself the size of any parameter
entry f [x] (a: [x + 1]i32) = a
