-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- == structures
module m = { def x = 1i32 local def y = 2i32 def z = x + y module n = { def w = z } }
def f = m.x + m.n.w
-- == open
module m = { def x = 1i32 }
open m
def y = x
-- == local opening
def f (x: f32) = f32.(sqrt x + pi)
-- == ascription
module m : { type t val make : i32 -> t val get : t -> i32 } = { type t = (i32, bool) def make x = (x, true) def get ((x, _): t) = x }
def f = m.get (m.make 3)
-- == abstract types in arrays
module m : { type t val make : i32 -> t val get : t -> i32 } = { type t = i32 def make x = x def get x = x }
def f (xs: []i32) = map m.make xs |> map m.get
-- == types that a module type defines
module m : { type t = i32 val x : t } = { type t = i32 def x = 3i32 }
def f = m.x + 1i32
-- == with
module type mt = { type t val x : t }
module m : mt with t = i32 = { type t = i32 def x = 3i32 }
def f = m.x + 1i32
-- == parametric modules
module type number = { type t val zero : t val add : t -> t -> t }
module sums (N: number) = { def sum [n] (xs: [n]N.t) : N.t = reduce N.add N.zero xs }
module ints = sums { type t = i32 def zero = 0i32 def add (x: i32) y = x + y }
entry main (xs: []i32) = ints.sum xs
-- == over number modules
module linalg (T: real) = { def norm [n] (xs: [n]T.t) = T.sqrt (T.sum (map (\x -> x T.* x) xs)) }
module l32 = linalg f32
def f (xs: []f32) = l32.norm xs
-- == with two parameters
module pair (A: { type t }) (B: { type t }) = { type t = (A.t, B.t) def swap (x: t) : (B.t, A.t) = (x.1, x.0) }
module p = pair i32 f64
def f = p.swap (1, 2)
-- == of higher order
module use (F: (X: { val x : i32 }) -> { val y : i32 }) = { module r = F { def x = 3i32 } def z = r.y }
module u = use (\(X: { val x : i32 }) -> { def y = X.x + 1 })
def f = u.z
-- == include and submodules
module type a = { type t val x : t }
module type b = { include a module inner : { val y : t } }
module m : b = { type t = i32 def x = 1i32 module inner = { def y = 2i32 } }
-- == parametric types
module type container = { type c 'a val empty 'a : c a }
module m : container = { type c 'a = [0]a def empty 'a : [0]a = [] }
-- == less general than the module has
module m : { val id : i32 -> i32 } = { def id x = x }
def f = m.id 3
-- == types with hidden sizes
module dict : { type~ d 'v val empty 'v : () -> d v val insert 'v : i32 -> v -> d v -> d v val size 'v : d v -> i64 } = {
  type~ d 'v = [](i32, v)
  def empty 'v () : d v = []
  def insert 'v (k: i32) (x: v) (m: d v) : d v = m ++ [(k, x)]
  def size 'v (m: d v) = length m
}
def f = dict.size (dict.insert 1 true (dict.insert 2 false (dict.empty ())))
-- == sorting over an order
module mk_sort (O: { type t val (<=) : t -> t -> bool }) = {
  def sort [n] (xs: [n]O.t) : [n]O.t =
    loop ys = copy xs for i < n do
      loop ys for j in 1..<n - i do
        if ys[j - 1] O.<= ys[j] then ys
        else let x = copy ys[j] let ys[j] = copy ys[j - 1] let ys[j - 1] = x in ys
}
module sort_f32 = mk_sort f32
entry sorted (xs: []f32) = sort_f32.sort xs
-- == sizes that a module type names
module type grid = { val n : i64 type row = [n]f32 val zero : row val pair : i64 -> [n * 2]i64 }
module small : grid = {
  def n = 3i64
  type row = [n]f32
  def zero = replicate n 0f32
  def pair i = replicate (n * 2) i
}
module rows (G: grid) = {
  def zeros (k: i64) : [k]G.row = replicate k G.zero
  def pairs [m] (is: [m]i64) : [m][G.n * 2]i64 = map G.pair is
}
module small_rows = rows small
def f = (small_rows.zeros 2, small_rows.pairs [1, 2])
-- == refinement by a more general type
module type boxes = { type^ box 'a }
module type general = boxes with box '^a = a
-- == types of unknown sizes
module type bags = { type~ bag val make : i64 -> bag val grow : bag -> bag val split : bag -> (bag, bag) }
module bags : bags = {
  type~ bag = []i32
  def make n = replicate n 0i32
  def grow (b: bag) = b ++ [1]
  def split (b: bag) = (b, drop 1 b)
}
module open_bags : bags with bag = ?[k].[k]i32 = {
  type~ bag = []i32
  def make n = replicate n 0i32
  def grow b = b ++ [1i32]
  def split b = (b, drop 1 b)
}
def f = let (a, b) = open_bags.split (open_bags.make 3) in (length a, length b)
module records : { type~ bag val fill : i64 -> bag -> bag val reset : bag -> bag } = {
  type~ bag = {items: []i32}
  def fill n (b: bag) = b with items = replicate n 0
  def reset (b: bag) = b with items = [1, 2]
}
-- == types of unknown sizes in parametric modules
module pairs (P: { type^ r }) = { def f [n] (r: P.r) (xs: [n]i32) = (r, xs) }
module pairs_of_arrays = pairs { type^ r = []f64 }
def f = pairs_of_arrays.f [1.0, 2.0] [3]
module both (P: { type~ list 't val rev 't : list t -> list t }) = {
  def rev_both 'a 'b ((xs, ys): (P.list a, P.list b)) = (P.rev xs, P.rev ys)
}
module both_arrays = both { type~ list 't = ?[k].[k]t def rev 't (xs: []t) = reverse xs }
def g = both_arrays.rev_both (iota 3, [true, false])
-- == hidden types whose sizes are equal by their own definition
module type matrix = { type t type~ m [a] [b] val dense [a] [b] : m [a] [b] -> [a][b]t }
module type both = {
  type t
  type~ rows [a] [b]
  module by_row : { include matrix with t = t with m [a] [b] = rows [a] [b] }
}
module made : both with t = i32 = {
  type t = i32
  module by_row = {
    type t = t
    type~ m [a] [b] = ?[k].{rows: [a](), columns: [b](), values: [k]t}
    def dense [a] [b] (_: m [a] [b]) : [a][b]t = replicate a (replicate b 0)
  }
  type~ rows [a] [b] = by_row.m [a] [b]
}
-- == coercion between sizes of a hidden type
module vectors (P: { type vec [n] val zero : (n: i64) -> vec [n] }) = {
  def same (n: i64) (m: i64) = P.zero m :> P.vec [n]
}
module lists = vectors { type vec [n] = [n]i32 def zero n = replicate n 0i32 }
def f = lists.same 2 2
-- == proofs as hidden types
module proof : {
  type eq [n] [m]
  val same [n] : eq [n] [n]
  val flip [n] [m] : eq [n] [m] -> eq [m] [n]
  val after [n] [m] [k] : eq [n] [m] -> eq [m] [k] -> eq [n] [k]
  val assoc [a] [b] [c] : eq [(a + b) + c] [a + (b + c)]
  val swap [a] [b] : eq [a + b] [b + a]
  val left [a] [b] [c] : eq [a] [b] -> eq [a + c] [b + c]
} = {
  type eq [n] [m] = [0][n][m]()
  def same = []
  def flip _ = []
  def after _ _ = []
  def assoc = []
  def swap = []
  def left _ = []
}
def f [a] [b] [c] (_: [a]()) (_: [b]()) (_: [c]()) =
  let p : proof.eq [b + (a + c)] [(a + b) + c] = (proof.flip proof.assoc) `proof.after` (proof.left proof.swap)
  in length (const (iota 1) p)
