-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- == array of functions
-- error: an array cannot hold values of type
def f = [\x -> x + 1i32]
-- == array type of functions
-- error: an array cannot hold functions
def f (x: [](i32 -> i32)) = 1
-- == function from a branch
-- error: the branches of an 'if' cannot be values of type
def f (b: bool) = if b then (+ 1i32) else (+ 2)
-- == function from a case
-- error: the cases of a 'match' cannot be values of type
def f (b: bool) = match b case true -> (+ 1i32) case false -> (+ 2)
-- == function in a loop
-- error: a loop's parameter cannot be a value
def f = loop g = (+ 1i32) for i < 3 do g
-- == function for an unlifted type parameter
-- error: the argument has type
def id 't (x: t) = x
def f = id (\x -> x + 1i32)
-- == function for an unlifted type's parameter
-- error: 't' of 'box' cannot be
type box 't = (t, t)
def f (x: box (i32 -> i32)) = 1
-- == type that hides a function
-- error: 'f' would be a type without a '^'
type f = i32 -> i32
-- == type that hides sizes
-- error: this type has unknown sizes
type v = []i32
-- == map of functions
-- error: the argument has type
def f = map (\x -> \y -> x + y) [1, 2, 3]
-- == unused size parameter of a type
-- error: size parameter 'n' is not used in this type
type t [n] = i32
-- == refutable parameter
-- error: this pattern may fail to match
def f 1 = 2
-- == refutable constructor
-- error: this pattern may fail to match
def f (x: #a i32 | #b) = let #a y = x in y
-- == redefined and
-- error: the operator '&&' may not be redefined
def (&&) (x: i32) (y: i32) = x
-- == recursive function that returns a function
-- error: the recursive function 'f' returns a function
def f (n: i32) : (i32 -> i32) = let g = f (n - 1) in \x -> g x
-- == recursive function with another function
-- error: a recursive call must hand on the function parameters of 'f' as they are
def f (g: i32 -> i32) (n: i32) : i32 = if n == 0 then g n else f (\x -> g (x + 1)) (n - 1)
-- == recursive function not applied
-- error: a recursive call must hand on the function parameters of 'f' as they are
def f (g: i32 -> i32) (n: i32) : i32 = if n == 0 then g n else let h = f in h g (n - 1)
-- == recursion through a partial application
-- error: a recursive call of 'times', which takes functions, must have all 3 arguments
def times (n: i64) (f: f32 -> f32) (x: f32) : f32 =
  if n <= 0 then x else let rest = times (n - 1) f in rest (f x)
-- == parameter with a size only the body knows
-- error: is not the size of an array here
def f (b: bool) =
  let (n, _) = if b then (1i64, 2i64) else (3, 4)
  in \(xs: [n]f32) -> f32.sum xs
-- == wrong with itself and with an outer function of its name
-- error: the argument has type 'bool', but the function takes 'i32'
def f (x: i32) (y: i32) = x + y
module m = { def f (x: i32) : i32 = f true }
