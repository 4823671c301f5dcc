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
