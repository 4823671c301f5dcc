-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- == different parameters
-- error: the argument has type '[m]i32', but the function takes '[n]i32'
def f [n] [m] (xs: [n]i32) (ys: [m]i32) = zip xs ys
-- == different constants
-- error: the argument has type '[3]
def f = zip [1, 2] [1, 2, 3]
-- == irregular array
-- error: this element of the array has type
def f = [[1, 2], [3]]
-- == declared result of another size
-- error: the body has type '[n]i32', but '[n + 1]i32' is needed
def f [n] (xs: [n]i32) : [n + 1]i32 = xs
-- == unused size parameter
-- error: size parameter 'n' is not the size of any parameter
def f [n] (x: i32) = x
-- == size that is no i64
-- error: an array size has type 'i32', but 'i64' is needed
def f (n: i32) (xs: [n]i32) = xs
-- == size of unknown name
-- error: unknown name 'n'
def f (xs: [n]i32) = xs
-- == size with a binding
-- error: this expression cannot be a size
def f (xs: [let x = 1 in x]i32) = xs
-- == two filters
-- error: the argument has type
def f (xs: []i32) = zip (filter (> 0) xs) (filter (> 1) xs)
-- == map that returns unknown sizes
-- error: the argument has type
def f (xs: []i64) = map (\x -> iota x) xs
-- == map of filter
-- error: the argument has type
def f (xs: [][]i32) = map (filter (> 0)) xs
-- == size known only inside
-- error: of this parameter has a size, 'x', that the caller cannot know
def f (x: i64, y: i64) (a: [x]bool) = true
-- == coercion to another type
-- error: this expression has type 'i32', but 'f32' is needed
def f (xs: []i32) = xs :> []f32
-- == coercion to another rank
-- error: this expression has type
def f (xs: []i32) = xs :> [][]i32
-- == unknown size without an array
-- error: the unknown size 'n' is not the size of an array here
type~ t = ?[n].i32
-- == unknown size of a function only
-- error: the unknown size 'n' is not the size of an array here
type^ t = ?[n].[n]bool -> bool
-- == size bound by let but unused
-- error: size 'n' is not the size of any array in the pattern
def f = let [n] (x: i32) = 1 in x
-- == ambiguous size
-- error: the size of an array here is ambiguous
def g [n] (f: [n]i64 -> i64) : i64 = n + f (iota n)
def f = g (\xs -> xs[0])
-- == loop that changes a declared size
-- error: the body of the loop has type
def f [n] (xs: [n]i32) = loop (ys: [n]i32) = xs for i < 3 do ys[1:]
-- == empty array made before its row size is known
-- error: the right operand of '==' has type '[k]i32'
def f (xs: []i32) = let a = [] : [][]i32 let b = [filter (> 0) xs] in a[0] == b[0]
-- == composition with an unknown size
-- error: that differs from call to call, but another argument has to be of that size
def f = filter (> 0i32) >-> length
-- == size of a function's arguments bound by let
-- error: size 'n' is not the size of any array in the pattern
def f (g: [4]i32 -> i32) = let [n] (h: [n]i32 -> i32) = g in n
-- == size made by consuming a parameter
-- error: this expression cannot be a size
def first (xs: *[]i64) : i64 = xs[0]
def f [n] (ns: *[n]i64) (xs: [first ns]i32) = xs[0]
-- == an element that takes a record with an array of another size
-- error: the new value has type
def f [n] (xs: *[n]{ys: [n]i32}) (ys: [2]i32) = xs with [0].ys = ys
-- == a value with size parameters and an unknown size
-- error: has a size that is not known
def f [n] = (iota n, filter (> 5) (iota n))
-- == partial composition with an unknown size
-- error: that differs from call to call, but another argument has to be of that size
def twice '^a '^b '^c (f: a -> b) (g: b -> c) (x: a) : (c, c) = (g (f x), g (f x))
def f = let both = twice iota in both (\xs -> length xs) 3
-- == result of a size that is part of a parameter
-- error: the result type mentions 'k', which is only a part of a parameter
def f (k: i64, b: bool) : [k]bool = replicate k b
-- == result of no elements of a size that is part of a parameter
-- error: the result type mentions 'k', which is only a part of a parameter
def f ({k}: {k: i64}) : [0][k]bool = []
-- == operands of an operator from left to right
-- error: becomes known only later
def f [n] (g: [n]i32 -> i32) (xs: [n]i32) = g xs
def h (xs: []i32) = f (\_ -> 0) <| filter (> 0) xs
-- == section of an unknown size
-- error: is needed here, but becomes known only later
def f (xs: []i32) (rows: [][]i32) = map (filter (> 0) xs ++) rows
-- == section before what it is applied to
-- error: is needed here, but becomes known only later
def f (k: i32) = ([1, 2] ++) <| (loop xs = [0] for _i < k do xs ++ xs)
-- == unknown size of a parameter of the result
-- error: the unknown size 'n' is not the size of an array here
def f (b: bool) = let (n, _) = if b then (1, 2) else (3, 4) in \(xs: [n]i32) -> xs
-- == recursion at other sizes of a result without a type
-- error: this recursive call is with another size 'n'
def f [n] (xs: [n]i32) = if n < 2 then xs else let ys = f (take (n - 1) xs) in xs
-- == parameter's name outside its function
-- error: the body has type
type^ measure = (k: i64) -> [k]i32 -> i64
def f : measure = \_ xs -> length xs
-- == sizes from different parts of a record
-- error: the body has type
def f (r: {n: i64, m: i64}) : [r.n]i32 = replicate r.m 0
