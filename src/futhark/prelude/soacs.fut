-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
--
-- Second-order array combinators. A `val` is a built-in operation: lowering implements it under that name.

-- Arrays of tuples.
val zip [n] 'a 'b : (as: [n]a) -> (bs: [n]b) -> *[n](a, b)
val zip3 [n] 'a 'b 'c : (as: [n]a) -> (bs: [n]b) -> (cs: [n]c) -> *[n](a, b, c)
val zip4 [n] 'a 'b 'c 'd : (as: [n]a) -> (bs: [n]b) -> (cs: [n]c) -> (ds: [n]d) -> *[n](a, b, c, d)
val zip5 [n] 'a 'b 'c 'd 'e :
  (as: [n]a) -> (bs: [n]b) -> (cs: [n]c) -> (ds: [n]d) -> (es: [n]e) -> *[n](a, b, c, d, e)
val unzip [n] 'a 'b : (xs: [n](a, b)) -> ([n]a, [n]b)
val unzip3 [n] 'a 'b 'c : (xs: [n](a, b, c)) -> ([n]a, [n]b, [n]c)
val unzip4 [n] 'a 'b 'c 'd : (xs: [n](a, b, c, d)) -> ([n]a, [n]b, [n]c, [n]d)
val unzip5 [n] 'a 'b 'c 'd 'e : (xs: [n](a, b, c, d, e)) -> ([n]a, [n]b, [n]c, [n]d, [n]e)
def zip2 [n] 'a 'b (as: [n]a) (bs: [n]b) : *[n](a, b) = zip as bs
def unzip2 [n] 'a 'b (xs: [n](a, b)) : ([n]a, [n]b) = unzip xs

val map 'a [n] 'x : (f: a -> x) -> (as: [n]a) -> *[n]x
val map2 'a 'b [n] 'x : (f: a -> b -> x) -> (as: [n]a) -> (bs: [n]b) -> *[n]x
val map3 'a 'b 'c [n] 'x : (f: a -> b -> c -> x) -> (as: [n]a) -> (bs: [n]b) -> (cs: [n]c) -> *[n]x
val map4 'a 'b 'c 'd [n] 'x :
  (f: a -> b -> c -> d -> x) -> (as: [n]a) -> (bs: [n]b) -> (cs: [n]c) -> (ds: [n]d) -> *[n]x
val map5 'a 'b 'c 'd 'e [n] 'x :
  (f: a -> b -> c -> d -> e -> x) -> (as: [n]a) -> (bs: [n]b) -> (cs: [n]c) -> (ds: [n]d) -> (es: [n]e) -> *[n]x
def map1 'a [n] 'x (f: a -> x) (as: [n]a) : *[n]x = map f as

-- `op` is associative with neutral element `ne`; for `reduce_comm` and histograms also commutative.
val reduce [n] 'a : (op: a -> a -> a) -> (ne: a) -> (as: [n]a) -> a
val reduce_comm [n] 'a : (op: a -> a -> a) -> (ne: a) -> (as: [n]a) -> a
val scan [n] 'a : (op: a -> a -> a) -> (ne: a) -> (as: [n]a) -> *[n]a

-- Positions outside the destination are ignored.
val scatter 't [k] [n] : (dest: *[k]t) -> (is: [n]i64) -> (vs: [n]t) -> *[k]t
val scatter_2d 't [k] [n] [l] : (dest: *[k][n]t) -> (is: [l](i64, i64)) -> (vs: [l]t) -> *[k][n]t
val scatter_3d 't [k] [n] [o] [l] : (dest: *[k][n][o]t) -> (is: [l](i64, i64, i64)) -> (vs: [l]t) -> *[k][n][o]t
val hist 'a [n] : (op: a -> a -> a) -> (ne: a) -> (k: i64) -> (is: [n]i64) -> (as: [n]a) -> *[k]a
val reduce_by_index 'a [k] [n] :
  (dest: *[k]a) -> (op: a -> a -> a) -> (ne: a) -> (is: [n]i64) -> (as: [n]a) -> *[k]a
val reduce_by_index_2d 'a [k] [n] [m] :
  (dest: *[k][m]a) -> (op: a -> a -> a) -> (ne: a) -> (is: [n](i64, i64)) -> (as: [n]a) -> *[k][m]a
val reduce_by_index_3d 'a [k] [n] [m] [l] :
  (dest: *[k][m][l]a) -> (op: a -> a -> a) -> (ne: a) -> (is: [n](i64, i64, i64)) -> (as: [n]a) -> *[k][m][l]a

val filter [n] 'a : (p: a -> bool) -> (as: [n]a) -> ?[k].*[k]a
val replicate 't : (n: i64) -> (x: t) -> *[n]t
val iota : (n: i64) -> *[n]i64
val copy 't : (x: t) -> *t

def all [n] 'a (f: a -> bool) (as: [n]a) : bool = reduce_comm (&&) true (map f as)
def any [n] 'a (f: a -> bool) (as: [n]a) : bool = reduce_comm (||) false (map f as)

def spread 't [n] (k: i64) (x: t) (is: [n]i64) (vs: [n]t) : *[k]t = scatter (replicate k x) is vs

def exscan [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : *[n]a =
  let sums = scan op ne as
  in map (\i -> if i == 0 then ne else sums[i - 1]) (iota n)

def partition [n] 'a (p: a -> bool) (as: [n]a) : ?[k].([k]a, [n - k]a) =
  let [k] (yes: [k]a) = filter p as
  let no = filter (\x -> !(p x)) as
  in (yes, no :> [n - k]a)

def partition2 [n] 'a (p1: a -> bool) (p2: a -> bool) (as: [n]a) : ?[k][l].([k]a, [l]a, [n - k - l]a) =
  let [k] (first: [k]a) = filter p1 as
  let [l] (second: [l]a) = filter (\x -> !(p1 x) && p2 x) as
  let rest = filter (\x -> !(p1 x) && !(p2 x)) as
  in (first, second, rest :> [n - k - l]a)
