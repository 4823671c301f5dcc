-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- == size parameters
def f [n] (a: [n]i32) (b: [n]i32) : [n]i32 = map2 (+) a b
def g [n] [m] (xs: [n][m]f32) : [m][n]f32 = transpose xs
def h [n] (_: [n]i32) = n
-- == sizes inferred for parameters
def f xs ys = map2 (+) xs (ys: []i32)
def g (a: []i32) (b: []i32) = zip a b
-- == dependent results
def f (n: i64) : [n]i32 = replicate n 0
def g (n: i64) (m: i64) : [n][m]i32 = replicate n (replicate m 0)
def h = f 3 : [3]i32
-- == size expressions
def f [n] (xs: [n]i32) : [n + 1]i32 = xs ++ [0]
def g [n] [m] (xs: [n][m]i32) : [n * m]i32 = flatten xs
def h [n] (xs: [2 * n]i32) = unflatten xs
def k (xs: []i32) = iota (length xs) : [length xs]i64
-- == unknown sizes
def f (xs: []i32) = filter (> 0) xs
def g (xs: []i32) = let ys = filter (> 0) xs in map2 (+) ys ys
def h (xs: []i32) : ?[k].([k]i32, [k]i64) = let ys = filter (> 0) xs in (ys, indices ys)
def k (n: i32) = 0..<n
-- == branches with different sizes
def f (b: bool) = if b then [1, 2] else [3]
def g (b: bool) (xs: []i32) (ys: []i32) = if b then (xs, 1) else (ys, 2)
-- == coercion
def f (xs: []i32) (n: i64) = xs :> [n]i32
def g [n] [m] (xs: [n]i32) (ys: [m]i32) = map2 (+) xs (ys :> [n]i32)
def h (xs: [][]i32) = xs :> [2][]i32
-- == sizes bound by let
def f (xs: []i32) = let [n] (ys: [n]i32) = filter (> 0) xs in (n, replicate n 1, ys)
-- == slices of known size
def f [n] (xs: [n]i32) : ([n]i32, [3]i32, [n - 1]i32) = (xs[::-1], xs[:3], xs[1:])
def g [n] (xs: [n][n]i32) (i: i64) = xs[i, 1:3] : [2]i32
-- == ranges of known size
def f (n: i64) : ([n]i64, [n]i64, [10]i32) = (0..<n, 1...n, 0..1..<10)
-- == loops that keep a size
def f [n] (xs: [n]i32) : [n]i32 = loop ys = xs for _i < 10 do map (+ 1) ys
def g [n] (xs: [n]i32) (zs: [n]i32) = loop ys = xs for i < 10 do map2 (\y z -> y + z + i) ys zs
-- == loops that change a size
def f (n: i32) = loop xs = [1] for _i < n do xs ++ xs
def g (n: i32) = loop [k] (xs: [k]i32) = [1] for _i < n do xs[:k - 1]
-- == a size that leaves its scope as what it is equal to
def f (n: i64) : [n + 1]i64 = let m = n + 1 in iota m
-- == a let body whose size leaves its scope
def f (b: bool) = let n = if b then 1 else 2 in iota n
-- == function parameters with sizes
def f [n] (g: [n]i32 -> i32) (xs: [n]i32) = g xs
def h = f i32.sum [1, 2, 3]
def k 'a (f: (n: i64) -> [n]a) = (f 3 : [3]a)
-- == functions that return unknown sizes
def f (xs: []i32) = xs |> (\ys -> filter (> 0) ys) |> length
-- == partition
def f (xs: []i32) = let (yes, no) = partition (> 0) xs in length yes + length no
-- == constants with unknown sizes
def xs = filter (> 1) [1, 2, 3]
def n = length xs
-- == size arguments of types
type square [n] 't = [n][n]t
def f [n] (x: square [n] f32) : [n]f32 = x[0]
def g (x: square [] f32) = length x
-- == lifted types
type~ list = []i32
type^ fun = i32 -> i32
def f (x: list) (g: fun) = map g x
-- == arrays of arrays
def f [n] (xs: [n][n]f32) = map (\row -> f32.sum (map2 (*) row xs[0])) xs
-- == empty arrays
def f [n] (xs: [n]i32) : [0][n]i32 = []
def g = [] : [0]f32
-- == dotted sizes
def f (r: {n: i64}) : [r.n]i32 = replicate r.n 0
-- == open sizes of a result are those of the body
def firsts (n: i64) (xs: []i32) : []i32 = take n xs
def f (n: i64) (xss: [][]i32) = map (firsts n) xss
def g [n] (xs: [n]i32) (ys: [n]i32) = let double (zs: []i32) : []i32 = map (* 2) zs in map2 (+) (double xs) ys
-- == open sizes of parameters stay open
def same (xs: []i32) : []i32 = xs
def f [n] (xs: [n]i32) (ys: [3]i32) : ([n]i32, [3]i32) = (same xs, same ys)
-- == loops over what is made from an outer array
def f (n: i32, d: *[][]i32) : [][]i32 =
  let t = copy (transpose d)
  in loop d = d for i < n do loop d for j < n do d with [i, j] = i32.sum (map2 (+) d[i] t[j])
-- == a size that only the result has
def table [n][m] (xs: [n]i32) = map (const (replicate m 0i32)) xs
def f (xs: []i32) : [][3]i32 = table xs
-- == a field that takes an array of another size
type~ s = {xs: []i32, k: i32}
def f (s: s) : s = s with xs = s.xs ++ [1]
def g [n] (s: {xs: [n]i32, k: i32}) : {xs: [n + 1]i32, k: i32} = s with xs = s.xs ++ [1]
-- == a field in a field that takes an array of another size
def f [n] (s: {a: {xs: [n]i32}, k: i32}) : {a: {xs: [2]i32}, k: i32} = s with a.xs = [1, 2]
-- == a value with size parameters
def zeros [n] = replicate n 0i32
def f (xs: [3]i32) = map2 (+) xs zeros
-- == assertions are sizes
def f (n: i64) : [n]f32 = replicate (assert (n >= 0) n) 1f32
-- == ranges and slices between two numbers
def f (lo: i64) (hi: i64) : ([hi - lo]i64, [hi + 1 - lo]i64) = (lo..<hi, lo..<hi + 1)
def g [n] (xs: [n]i32) (hi: i64) (lo: i64) : [hi - lo]i32 = xs[hi:lo:-1]
-- == recursion at other sizes
def total [n] (xs: [n]i32) = if n < 2 then i32.sum xs else total (take (n / 2) xs) + total (drop (n / 2) xs)
def settle [n] (xs: [n]i32) = if all (> 0) xs then xs else settle (map (+ 1) xs)
-- == branches of a sum type with different sizes
type maybe 't = #just t | #nothing
def f (b: bool) (n: i64) = if b then #just (iota n) else (#nothing : maybe ([2]i64)) :> maybe ([]i64)
def g (b: bool) (n: i64) = if b then (#nothing : maybe ([2]i64)) :> maybe ([]i64) else #just (iota n)
-- == branches that mention a parameter of unknown size
type~ bag = {items: []i32, count: i32}
def grow (b: bool) (s: bag) : bag = if b then {items = rep 0 : [length s.items + 2]i32, count = s.count} else s
-- == sizes that functions in results tell
def grid (n: i64) (m: i64) (x: f32) = replicate n (replicate m x)
def pairwise = uncurry grid
def f (a: i64) (b: i64) = map (map (+ 1)) (pairwise (a, b) 2)
def shaped (n: i64) : ([n](), [n]i32 -> i32) = (replicate n (), \xs -> xs[0])
def hidden = (\(g: i64 -> ?[k].([k](), [k]i32 -> i32)) -> g) shaped
-- == a field of what is only known to have it
def g (rows: []{key: i32}) (k: i32) = map (\r -> if r.key < k then r with key = k else r) rows
-- == sizes computed by operators as functions
def f [n] (ks: [n]i64) : [reduce (+) 0 ks]i64 = iota (reduce (+) 0 ks)
def g (ks: []i64) = length (f (map (\k -> k * 2) ks))
-- == sizes from the same unknown number
def halves [n] 'a (xs: [n]a) : ?[k].([k]a, [n - k]a) =
  let at = filter (< n) [n / 2]
  in (xs[0:at[0]], xs[at[0]:n])
-- == sizes of inferred sizes
def f (xs: [2]i32) = unflatten_3d (flatten (replicate (5 * 3) (replicate 4 xs[0]))) : [5][3][4]i32
-- == type arguments of lifted types may be functions
type^ box 'a = {inside: a}
def both '^a (x: box a) (y: box a) : box (a, a) = {inside = (x.inside, y.inside)}
def f (n: i64) = (both {inside = \(x: i64) -> x + n} {inside = \x -> x}).inside.0 1
-- == named parameters of functions in types
type^ sum_of = (k: i64) -> [k]i32 -> i32
def f : sum_of = \n (xs: [n]i32) -> i32.sum xs
def g [n] (xs: [n]i32) = f n xs
-- == sizes made of what a pipe hands on
def longer 't (xs: []t) (k: i64) : [k + 1]t = take (k + 1) xs
def f (n: i64) (xs: []i32) = n |> longer xs
-- == named parameters and functions that take anything
type^ adder = {sum: (k: i64) -> [k]() -> ()}
def f : adder = let sum _ _ = () in {sum}
