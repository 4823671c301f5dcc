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
module dict : { type~ d 'v val empty 'v : d v val insert 'v : i32 -> v -> d v -> d v val size 'v : d v -> i64 } = {
  type~ d 'v = [](i32, v)
  def empty 'v : d v = []
  def insert 'v (k: i32) (x: v) (m: d v) : d v = m ++ [(k, x)]
  def size 'v (m: d v) = length m
}
def f = dict.size (dict.insert 1 true (dict.insert 2 false dict.empty))
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
