-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- == updates of parameters that are given away
def f (xs: *[]i32) : *[]i32 = xs with [0] = 1
def g (xs: *[][]i32) = let xs[0, 1] = 2 let xs[1] = copy xs[0] in xs
-- == updates of fresh arrays
def f (n: i64) = let xs = iota n let xs[0] = 5 in xs
def g (xs: []i32) = let ys = map (+ 1) xs in ys with [0] = 0
def h (xs: []i32) = copy xs with [0] = 1
-- == results of functions whose type is inferred are fresh
def fresh (xs: []i32) = map (+ 1) xs
def f (xs: []i32) = fresh xs with [0] = 1
-- == reading before an update
def f (xs: *[]i32) = xs with [1] = xs[0] + i32.i64 (length xs)
-- == loops consume what they update
def f (n: i64) = loop xs = replicate n 0 for i < n do xs with [i] = i
def g (xs: *[]i32) = loop (ys: *[]i32) = xs for i in [0, 1] do ys with [i] = 1
def h (a: *[]i32) (b: *[]i32) = loop (x, y) = (a, b) for i < 10 do (y, x with [0] = i)
-- == either branch may consume
def f (xs: *[]i32) (b: bool) = if b then xs with [0] = 1 else xs
-- == what one arm consumes is no alias of the result
def f (xs: *[]i32) (b: bool) = let ys = if b then xs with [0] = 1 else xs in ys[0] + ys[1]
def g (xs: *[]i32) (b: bool) = let xs = if b then xs with [0] = 1 else xs[1:] in xs with [0] = 2
def h (xs: *[]i32) (n: i32) = let xs = match n case 0 -> xs with [0] = 1 case 1 -> xs case _ -> xs with [1] = 2 in xs[0]
def p (xs: *[]i32) (b: bool) = let (ys, n) = if b then (xs with [0] = 1, 1) else (xs, 2) in (ys with [n] = 1, n)
def l (xs: *[]i32) = loop xs for i < 9 do let xs = if i == 3 then xs else xs with [0] = i in xs with [1] = xs[0]
-- == parts of records are consumed by themselves
def f = let r = {a = [1, 2], b = [3]} let r.a[0] = 5 in (r.a, r.b)
def g (p: *([]i32, []i32)) = let (a, b) = p let a[0] = 1 in (a, b)
-- == a consuming function where one is expected
def apply 'a 'b (f: *a -> b) (x: *a) : b = f x
def set (xs: *[]i32) = xs with [0] = 1
def g (xs: *[]i32) = apply set xs
-- == scalars share nothing
def f (xs: *[]i32) = let x = xs[0] let xs[0] = 3 in xs[0] + x
-- == scatter and histograms
def f [n] (xs: *[]i32) (is: [n]i64) (vs: [n]i32) = scatter xs is vs
def g [n] (is: [n]i64) (vs: [n]f32) = reduce_by_index (replicate 10 0) (+) 0 is vs
-- == what a branch consumed has no other name afterwards
def put (xs: *[]i32) : []i32 = xs with [0] = 1
def f (xs: *[]i32) (b: bool) : *[]i32 = let ys = if b then put xs else xs in ys with [1] = 2
def g (xs: *[]i32) (k: i32) = let ys = match k case 0 -> xs case _ -> put xs in ys with [1] = 2
-- == what is consumed is not what an ordinary result shares memory with
def put (xs: *[]i32) (x: i32) : []i32 = xs with [0] = x
def f (n: i64) = let xs = replicate n 0 let ys = put xs 1 in i32.sum ys
-- == indices are evaluated before the new value
def last (xs: *[]i64) : i64 = xs[length xs - 1]
def f (xs: *[]i64) (ys: *[]i64) = ys with [xs[0]] = last xs
-- == updates inside of arrays and records
def f (xss: *[][]i32) = let xss[0][1] = 2 in xss
def g (xss: *[][][]i32) = xss with [0][1][2] = 3
def h (rs: *[]{a: []i32, b: i32}) = rs with [0].a[1] = 2
-- == constants with size parameters are made for every use
def ones [n] : [n]i32 = replicate n 1
def f (n: i64) : *[n]i32 = ones
-- == functions held by constants
def r = {f = \(xs: [2]i32) -> map (+ 1) xs, g = \(xs: [2]i32) -> xs}
def f (xs: [2]i32) = (r.f (copy xs), r.g (copy xs))
-- == sizes may consume what is made for them
def first (xs: *[]i64) : i64 = xs[0]
def f (xs: [first (iota 3)]i32) = xs[0]
-- == a result that may share memory with a constant of an abstract type
module m : { type t val make : i32 -> t val step : t -> i32 -> (t, []i32) } = { type t = [2]i32 def make x = [x, x] def step (t: t) (x: i32) : (t, []i32) = (t, [x]) }
def c = m.make 3
def f (x: i32) = (m.step c x).1
