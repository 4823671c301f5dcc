-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module type vec = { type t type elem val mk : elem -> elem -> t val (+) : t -> t -> t val x : t -> elem }
module mkvec (E: numeric) : vec with elem = E.t = {
  type t = {x: E.t, y: E.t}
  type elem = E.t
  def mk x y : t = {x, y}
  def (+) (a: t) (b: t) : t = {x = a.x E.+ b.x, y = a.y E.+ b.y}
  def x (a: t) = a.x
}
module v = mkvec f32
module w : vec = { type t = i32 type elem = i32 def mk (x: i32) (y: i32) = x + y def (+) (a: i32) (b: i32) = i32.(a + b) def x (a: i32) = a }
entry f (a: f32) = v.x (v.(mk a 2 + mk 1 1))
def g (a: w.elem) = w.x w.(mk a a + mk a a)
module counted (P: { type t val eq : t -> t -> bool }) = {
  def count [n] (x: P.t) (xs: [n]P.t) : i64 = i64.sum (map (\y -> i64.bool (P.eq x y)) xs)
}
module c = counted { type t = i32 def eq (x: i32) (y: i32) = x == y }
entry h (xs: []i32) = c.count 1 xs
module type S = { type^ state val init : state }
local module q = { type t = #a | #b i32  def mk : t = #b 2 }
def z = match q.mk case #a -> 0 case #b x -> x
open { def hidden = 1 local def really = 2 }
def y = hidden
module int_like : integral with t = u8 = u8
def bb = int_like.(highest + 3)
module hof (F: (X: { val x : i32 }) -> { val y : i32 }) = { module r = F { def x = 3 } def k = r.y }
module app = hof (\(X: { val x: i32 }) -> { def y = X.x + 1 })
