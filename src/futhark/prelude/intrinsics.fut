-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
--
-- What the rest of the prelude is made with, and what programs use at their own risk: accumulators, and views of an
-- array by an offset and strides.

module intrinsics = {
  -- `n` elements of undefined value.
  val scratch 't : (n: i64) -> *[n]t
  -- `i`, which must be an index of an array of `n` elements.
  val within : (n: i64) -> (i: i64) -> i64

  -- An array that is only written to, with positions outside ignored: replaced by `scatter_stream`, combined by
  -- `hist_stream`. These hand it through `f` for one element after the other.
  type~ acc 't = {written: t}
  val acc_write [n] 't : (acc: *acc ([n]t)) -> (i: i64) -> (v: t) -> *acc ([n]t)
  val scatter_stream [k] [n] 'a 'b : (dest: *[k]a) -> (f: *acc ([k]a) -> b -> acc ([k]a)) -> (bs: [n]b) -> *[k]a
  val hist_stream [k] [n] 'a 'b :
    (dest: *[k]a) -> (op: a -> a -> a) -> (ne: a) -> (f: *acc ([k]a) -> b -> acc ([k]a)) -> (bs: [n]b) -> *[k]a

  def flat_index_2d [n] 'a (as: [n]a) (offset: i64) (n1: i64) (s1: i64) (n2: i64) (s2: i64) : *[n1][n2]a =
    map (\i -> map (\j -> as[offset + i * s1 + j * s2]) (iota n2)) (iota n1)
  def flat_index_3d [n] 'a (as: [n]a) (offset: i64) (n1: i64) (s1: i64) (n2: i64) (s2: i64) (n3: i64) (s3: i64)
      : *[n1][n2][n3]a =
    map (\i -> flat_index_2d as (offset + i * s1) n2 s2 n3 s3) (iota n1)
  def flat_index_4d [n] 'a (as: [n]a) (offset: i64) (n1: i64) (s1: i64) (n2: i64) (s2: i64) (n3: i64) (s3: i64)
                    (n4: i64) (s4: i64) : *[n1][n2][n3][n4]a =
    map (\i -> flat_index_3d as (offset + i * s1) n2 s2 n3 s3 n4 s4) (iota n1)

  -- The positions that `flat_index` reads.
  def positions_1d (n: i64) (offset: i64) (n1: i64) (s1: i64) : *[n1]i64 =
    map (\i -> within n (offset + i * s1)) (iota n1)
  def positions_2d (n: i64) (offset: i64) (n1: i64) (s1: i64) (n2: i64) (s2: i64) : [n1 * n2]i64 =
    flatten (map (\i -> positions_1d n (offset + i * s1) n2 s2) (iota n1))
  def positions_3d (n: i64) (offset: i64) (n1: i64) (s1: i64) (n2: i64) (s2: i64) (n3: i64) (s3: i64)
      : [n1 * (n2 * n3)]i64 =
    flatten (map (\i -> positions_2d n (offset + i * s1) n2 s2 n3 s3) (iota n1))

  def flat_update_2d [n] [k] [l] 'a (as: *[n]a) (offset: i64) (s1: i64) (s2: i64) (bs: [k][l]a) : *[n]a =
    scatter as (positions_2d n offset k s1 l s2) (flatten bs)
  def flat_update_3d [n] [k] [l] [p] 'a (as: *[n]a) (offset: i64) (s1: i64) (s2: i64) (s3: i64) (bs: [k][l][p]a)
      : *[n]a =
    scatter as (positions_3d n offset k s1 l s2 p s3) (flatten (map flatten bs))
  def flat_update_4d [n] [k] [l] [p] [q] 'a (as: *[n]a) (offset: i64) (s1: i64) (s2: i64) (s3: i64) (s4: i64)
                     (bs: [k][l][p][q]a) : *[n]a =
    scatter as (flatten (map (\i -> positions_3d n (offset + i * s1) l s2 p s3 q s4) (iota k)))
            (flatten (map (\b -> flatten (map flatten b)) bs))
}

-- The results of `f`, whose lengths differ, one after the other: their lengths, a flag at the beginning of each, the
-- index of each one's beginning, the elements; and what `f` gives of the same shape every time.
def flatmap [n] 'a 'b 'c (f: a -> ?[k].([k]b, c)) (as: [n]a) : ?[m].([n]i64, [m]bool, [n]i64, [m]b, [n]c) =
  let (lengths, others) = unzip (map (\a -> let (bs, c) = f a in (length bs, c)) as)
  let ends = scan (+) 0 lengths
  let begins = map2 (-) ends lengths
  let m = if n == 0 then 0 else ends[n - 1]
  let elements =
    loop elements = intrinsics.scratch m
    for i < n do
      elements with [begins[i]:ends[i]] = (f as[i]).0
  let flags = scatter (replicate m false) (map2 (\i k -> if k == 0 then -1 else i) begins lengths) (rep true)
  in (lengths, flags, begins, elements, others)

def flatmap' [n] 'a 'b (f: a -> ?[k].[k]b) (as: [n]a) : ?[m].([n]i64, [m]bool, [n]i64, [m]b) =
  let (lengths, flags, begins, elements, _) = flatmap (\x -> (f x, ())) as
  in (lengths, flags, begins, elements)
