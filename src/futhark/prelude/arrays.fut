-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
--
-- The module of bool, functions on arrays, functions on functions, derivatives.

module bool = {
  type t = bool
  val i8 : i8 -> t
  val i16 : i16 -> t
  val i32 : i32 -> t
  val i64 : i64 -> t
  val u8 : u8 -> t
  val u16 : u16 -> t
  val u32 : u32 -> t
  val u64 : u64 -> t
  val f16 : f16 -> t
  val f32 : f32 -> t
  val f64 : f64 -> t
  def bool (x: bool) : t = x
}

-- Functions on functions.
def (|>) '^a '^b (x: a) (f: a -> b) : b = f x
def (<|) '^a '^b (f: a -> b) (x: a) : b = f x
def (>->) '^a '^b '^c (f: a -> b) (g: b -> c) (x: a) : c = g (f x)
def (<-<) '^a '^b '^c (g: b -> c) (f: a -> b) (x: a) : c = g (f x)
def flip '^a '^b '^c (f: a -> b -> c) (y: b) (x: a) : c = f x y
def curry '^a '^b '^c (f: (a, b) -> c) (x: a) (y: b) : c = f (x, y)
def uncurry '^a '^b '^c (f: a -> b -> c) (x: a, y: b) : c = f x y
def const '^a '^b (x: a) (_: b) : a = x
def id '^a (x: a) : a = x
def iterate 'a (n: i32) (f: a -> a) (x: a) : a = loop y = x for _i < n do f y
def iterate_while 'a (p: a -> bool) (f: a -> a) (x: a) : a = loop y = x while p y do f y
def iterate_until 'a (p: a -> bool) (f: a -> a) (x: a) : a = loop y = x while !(p y) do f y

-- Array operations without a function.
val concat [n] [m] 't : (xs: [n]t) -> (ys: [m]t) -> *[n + m]t
val transpose [n] [m] 't : (a: [n][m]t) -> [m][n]t
val flatten [n] [m] 't : (xs: [n][m]t) -> [n * m]t
val unflatten 't [n] [m] : (xs: [n * m]t) -> [n][m]t
val manifest 't : (x: t) -> *t

def (++) [n] [m] 't (xs: [n]t) (ys: [m]t) : *[n + m]t = concat xs ys
def length [n] 't (_: [n]t) : i64 = n
def null [n] 't (_: [n]t) : bool = n == 0
def head [n] 't (xs: [n]t) : t = xs[0]
def last [n] 't (xs: [n]t) : t = xs[n - 1]
def tail [n] 't (xs: [n]t) : [n - 1]t = xs[1:]
def init [n] 't (xs: [n]t) : [n - 1]t = xs[0:n - 1]
def take [n] 't (k: i64) (xs: [n]t) : [k]t = xs[0:k]
def drop [n] 't (k: i64) (xs: [n]t) : [n - k]t = xs[k:]
def split [n] [m] 't (xs: [n + m]t) : ([n]t, [m]t) = (xs[0:n], xs[n:n + m] :> [m]t)
def sized [m] 't (n: i64) (xs: [m]t) : [n]t = xs :> [n]t
def reverse [n] 't (xs: [n]t) : [n]t = xs[::-1]
def indices [n] 't (_: [n]t) : *[n]i64 = iota n
def rep 't [n] (x: t) : *[n]t = replicate n x
def rotate [n] 't (r: i64) (xs: [n]t) : *[n]t = map (\i -> xs[(i + r) % n]) (iota n)
def flatten_3d [n] [m] [l] 't (xs: [n][m][l]t) : [n * m * l]t = flatten (flatten xs)
def flatten_4d [n] [m] [l] [k] 't (xs: [n][m][l][k]t) : [n * m * l * k]t = flatten (flatten_3d xs)
def unflatten_3d 't [n] [m] [l] (xs: [n * m * l]t) : [n][m][l]t = unflatten (unflatten xs)
def unflatten_4d 't [n] [m] [l] [k] (xs: [n * m * l * k]t) : [n][m][l][k]t = unflatten (unflatten_3d xs)
def and [n] (xs: [n]bool) : bool = all id xs
def or [n] (xs: [n]bool) : bool = any id xs
def foldl [n] 'a 'b (f: a -> b -> a) (acc: a) (xs: [n]b) : a = loop acc for x in xs do f acc x
def foldr [n] 'a 'b (f: b -> a -> a) (acc: a) (xs: [n]b) : a = loop acc for x in reverse xs do f x acc
def tabulate 'a (n: i64) (f: i64 -> a) : *[n]a = map f (iota n)
def tabulate_2d 'a (n: i64) (m: i64) (f: i64 -> i64 -> a) : *[n][m]a = tabulate n (\i -> tabulate m (f i))
def tabulate_3d 'a (n: i64) (m: i64) (o: i64) (f: i64 -> i64 -> i64 -> a) : *[n][m][o]a =
  tabulate n (\i -> tabulate_2d m o (f i))

-- Derivatives: of a function at a point, forward along `x'`, backward along `y'`; with a `2`, the value too. The
-- multiple forms take several directions at once.
val jvp2 'a 'b : (f: a -> b) -> (x: a) -> (x': a) -> (b, b)
val vjp2 'a 'b : (f: a -> b) -> (x: a) -> (y': b) -> (b, a)
val jmp2 'a 'b [n] : (f: a -> b) -> (x: a) -> (x': [n]a) -> (b, [n]b)
val mjp2 'a 'b [n] : (f: a -> b) -> (x: a) -> (y': [n]b) -> (b, [n]a)
val with_vjp 'a 'b : (f: a -> b) -> (f': (res: b) -> (res_adj: b) -> a) -> (x: a) -> b
val with_vjp_tape 'a 'b 'c : (f: a -> (c, b)) -> (f': (c, b) -> a) -> (x: a) -> b
def jvp 'a 'b (f: a -> b) (x: a) (x': a) : b = (jvp2 f x x').1
def vjp 'a 'b (f: a -> b) (x: a) (y': b) : a = (vjp2 f x y').1
def jmp 'a 'b [n] (f: a -> b) (x: a) (x': [n]a) : [n]b = (jmp2 f x x').1
def mjp 'a 'b [n] (f: a -> b) (x: a) (y': [n]b) : [n]a = (mjp2 f x y').1

-- Short names of conversions, and identities that carry an attribute.
def r32 (x: i32) : f32 = f32.i32 x
def t32 (x: f32) : i32 = i32.f32 x
def r64 (x: i32) : f64 = f64.i32 x
def t64 (x: f64) : i32 = i32.f64 x
def not (x: bool) : bool = !x
def opaque 't (x: t) : t = #[opaque] x
def trace 't (x: t) : t = #[trace] x
def break 't (x: t) : t = #[break] x
