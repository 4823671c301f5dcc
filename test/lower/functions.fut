-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Functions exist only while lowering: first-class, partly applied, composed, polymorphic, from modules.
-- RUN: ferry-lower-test %s main > %t && echo '10 [1, 2, 3]' | ferry-interpret %t main | FileCheck %s
-- RUN: ferry-lower-test %s main | FileCheck %s --check-prefix=INLINED
-- RUN: ferry-lower-test %s modules > %t && echo '3' | ferry-interpret %t modules | FileCheck %s --check-prefix=MODULES
-- RUN: ferry-lower-test %s sizes > %t && echo '[5, 6, 7, 8]' | ferry-interpret %t sizes | FileCheck %s --check-prefix=SIZES

-- INLINED-NOT: func.call

def twice '^a (f: a -> a) (x: a) = f (f x)
def compose '^a '^b '^c (f: b -> c) (g: a -> b) = \x -> f (g x)
def choose (b: bool) (x: i64, y: i64) = if b then x else y
def pair '^a '^b (x: a) (y: b) = {first = x, second = y}

-- CHECK:      14i64
-- CHECK-NEXT: 30i64
-- CHECK-NEXT: 10i64
-- CHECK-NEXT: [11i64, 12i64, 13i64]
-- CHECK-NEXT: [9i64, 8i64, 7i64]
-- CHECK-NEXT: 6i64
-- CHECK-NEXT: [0i64, 1i64, 4i64]
entry main [n] (a: i64) (xs: [n]i64) =
  let add x y = x + y
  let scale = (* 3)
  let p = pair a scale
  in ( twice (+ 2) a
     , compose p.second (add 0) p.first
     , choose (n > 2) (a, 0)
     , map (twice (twice id) >-> add a) xs
     , map (a -) xs
     , xs |> map (+ 1) |> map (\x -> x - 1) |> reduce (+) 0
     , tabulate n (\i -> i * i))

module scaled = {
  def factor = 2i64
  def times (x: i64) = factor * x
  module inner = {
    def quadruple x = times (times x)
  }
}
open scaled

-- MODULES:      12i64
-- MODULES-NEXT: 2i64
entry modules (x: i64) = (inner.quadruple x, scaled.factor)

-- What a size is computed from may be an argument that is no size itself.
-- SIZES:      11i64
-- SIZES-NEXT: 11i64
-- SIZES-NEXT: [5i64, 6i64, 7i64]
-- SIZES-NEXT: 3i64
def cut [n] 't (k: i64) (xs: [n]t) : []t = xs[:k % (n + 1)]
entry sizes [n] (xs: [n]i64) =
  ( i64.sum (cut (loop k = 1 for _i < 1i32 do k + 1) xs)
  , xs |> cut (let k = 2 in k) |> i64.sum
  , cut (if xs[0] > 0 then 3 else 1) xs
  , length (flatten [cut (match xs[0] case 5 -> 3i64 case _ -> 1) xs]) )
