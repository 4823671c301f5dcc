-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- == literals of every type
def a : i8 = -128
def b : u64 = 18446744073709551615
def c = 0x1.8p1f32 + 1e-3f32
def d = 0b1010_1010u8
def e = (1_000i64, 2f64, 'x', "text\n", true)
def f : f16 = 1
def g = 300u8
-- == arithmetic
def f (x: i32) (y: i32) = (x + y * 2 - x / y % 3 // 4 %% 5) ** 2
def g (x: u8) = (x & 15 | 1 ^ 2) << 1 >> 2
def h (x: bool) = !x && x || x != false
def k (x: i64) = !x
-- == comparison of compound values
def f (x: (i32, bool)) = x == (1, true)
def g [n] (xs: [n]i32) (ys: [n]i32) = xs == ys
-- == conversions between number types
def f (x: i32) = f64.i32 x |> f32.f64 |> i64.f32 |> u8.i64 |> bool.u8 |> i32.bool
-- == records
type r = {a: {b: i32, c: f32}, d: bool}
def f (x: r) = x with a.b = 3
def g (x: r) = x.a.c
def h = let p = {x = 1, y = 2} let p.x = 5 in p.x + p.y
def k ({x, y}: {x: i32, y: i32}) = x + y
def l (p: {x: i32, y: i32}) = let {x, y = z} = p in x + z
-- == tuples
def f ((a, b): (i32, f32)) = (b, a).1
def g x = (\(a, _) -> a) (x, x)
-- == sections
def f = map (+ 1) [1, 2]
def g = map (2 -) [1, 2]
def h (xs: [](i32, (bool, f32))) = map (.1.0) xs
def k (xs: [][]i32) = map (.[0]) xs
def l = (`i32.max` 3) 4
def m = (i32.+) 1 2
-- == pipes
def f (xs: []i32) = xs |> map (* 2) |> filter (> 3) |> length
def g = length <| iota 10
def h = (+ 1) >-> (* 2)
-- == local functions are polymorphic if they say so
def f (x: i32) = let id 't (y: t) = y in (id x, id true)
-- == recursion
def fact (n: i32) : i32 = if n <= 1 then 1 else n * fact (n - 1)
def even (n: i32) = if n == 0 then true else even (n - 2)
-- == user operators
def (a: i32, b: i32) +^ (c: i32, d: i32) = (a + c, b + d)
def (<+>) 'a (x: a) (_: a) = x
def x = (1, 2) +^ (3, 4) <+> (5, 6)
-- == higher-order functions
def twice 't (f: t -> t) (x: t) = f (f x)
def compose f g x = f (g x)
def y = twice (twice (+ 1)) 0
def z = compose (+ 1) f32.to_i64 2.5
-- == attributes on everything
#[noinline] def f (x: i32) = #[unknown(a, 1, b(c))] x
#[cpu_function] entry main (xs: []i32) = #[sequential] map (+ 1) xs
def g (#[foo] x: i32) = x
-- == assertions and holes
def f (x: i32) : i32 = assert (x > 0) x + 1
def g : i32 = ???
-- == entry points
entry main (x: i32) (xs: *[]f64) : ([]f64, i32) = (xs, x)
entry other = 3
-- == recursion with a function
def f (g: i32 -> i32) (n: i32) : i32 = if n == 0 then g n else f g (n - 1)
-- == a lambda as the last argument
def f (xs: []i32) = map \x -> x + 1
def g (xs: []i32) = xs |> map \x ->
  let y = x in y * y
-- == indexing of an array literal
def f (x: i32) = [x, x + 1][1]
def g (xs: []i32) = copy [xs, xs][0]
-- == local functions on what is known of their arguments
def f (x: i32) (y: i32) = let first p = p.0 in first (x, y)
-- == entry points without parameters of their own
entry increment = map (i32.+ 1)
entry sum = reduce (f32.+) 0
entry scaled (k: i64) = map (* k)
entry grown : (n: i64) -> i32 -> [n]i32 = replicate
entry primes' (n: i64) = iota n
-- == a function that calls an outer one of its name
def f (x: i32) (y: i32) = x + y
module m = { def f (s: {a: i32, b: i32}) = f s.a s.b }
def g : i32 = m.f {a = 1, b = 2}
-- == an operator made of an outer one of its name
module m = { type t = {low: u64, high: u64} def (+) (a: t) (b: t) : t = {low = a.low + b.low, high = a.high + b.high} }
def f (a: m.t) (b: m.t) : u64 = (m.(a + b)).low
