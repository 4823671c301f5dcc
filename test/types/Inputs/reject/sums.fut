-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- == no such constructor
-- error: the body has type
def f : #a | #b = #c
-- == payload missing
-- error: the body has type
def f : #a i32 | #b = #a
-- == ambiguous sum
-- error: the type of this is ambiguous
def f (x: bool) = #some x
-- == case missing
-- error: this 'match' has no case for '#b'
def f (x: #a | #b) = match x case #a -> 1
-- == nested case missing
-- error: this 'match' has no case for '(#a (_, false))'
def f (x: #a (i32, bool) | #b) = match x case #a (_, true) -> 1 case #b -> 2
-- == number missing
-- error: this 'match' has no case for every
def f (x: i32) = match x case 0 -> 1 case 1 -> 2
-- == bool missing
-- error: this 'match' has no case for 'false'
def f (x: bool) = match x case true -> 1
-- == pattern of another type
-- error: this pattern does not match values of type 'i32'
def f (x: i32) = match x case #a -> 1 case _ -> 2
-- == constructor twice
-- error: constructor '#a' is named twice in this sum type
type t = #a | #a i32
-- == cases of different types
-- error: the branches have different types
def f (x: bool) = match x case true -> 1i32 case false -> 2f32
-- == refutable parameter whose type comes later
-- error: this pattern may fail to match
def f (xs: [](#a i32 | #b)) = xs |> map (\(#a x) -> x)
-- == size of a constructor that is not used
-- error: the size of an array here is ambiguous
type~ sum = #foo ([]i32) | #bar ([]i32)
def f (xs: []i32) = let v : sum = #foo xs in 1
-- == function in an unlifted sum
-- error: 't' would be a type without a '^'
type t = #a (i32 -> i32) | #b
