-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- == option
type option 'a = #some a | #none
def get (x: option i32) = match x case #some y -> y case #none -> 0
def make (b: bool) : option f32 = if b then #some 1 else #none
-- == nested patterns
type t = #a (i32, bool) | #b {x: f32} | #c
def f (x: t) = match x case #a (0, true) -> 1 case #a (n, _) -> n case #b {x} -> i32.f32 x case #c -> -1
-- == constants
def f (x: i32) = match x case 0 -> 'z' case -1 -> 'l' case _ -> 'm'
def g (x: bool) = match x case true -> 1 case false -> 2
def h (x: (bool, u8)) = match x case (true, 'a') -> 1 case (_, 3) -> 2 case (false, y) -> y case (true, _) -> 0
-- == one constructor always matches
type t = #only i32
def f ((#only x): t) = x
-- == constructors as arguments
type c = #red | #green
def f (x: c) (y: c) = x == y
def g = f #red #green
-- == arrays of sums
type t = #a i32 | #b
def f (xs: []t) = map (\x -> match x case #a y -> y case #b -> 0) xs
-- == coercion of a sum that is not known to open sizes
type maybe 't = #just t | #nothing
def f (b: bool) (n: i64) = if b then #just (iota n) else #nothing :> maybe ([]i64)
