-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
--
-- The module of an integer type: $T is the type, $B its width in bits, $L and $H its lowest and highest value.

module $T = {
  type t = $T

  val (+) : t -> t -> t
  val (-) : t -> t -> t
  val (*) : t -> t -> t
  val (/) : t -> t -> t
  val (%) : t -> t -> t
  val (//) : t -> t -> t
  val (%%) : t -> t -> t
  val (**) : t -> t -> t
  val (&) : t -> t -> t
  val (|) : t -> t -> t
  val (^) : t -> t -> t
  val (<<) : t -> t -> t
  val (>>) : t -> t -> t
  val (>>>) : t -> t -> t -- shifts in zeros
  val (==) : t -> t -> bool
  val (!=) : t -> t -> bool
  val (<) : t -> t -> bool
  val (<=) : t -> t -> bool
  val (>) : t -> t -> bool
  val (>=) : t -> t -> bool
  val neg : t -> t
  val not : t -> t

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
  val bool : bool -> t
  val to_i32 : t -> i32
  val to_i64 : t -> i64

  val min : t -> t -> t
  val max : t -> t -> t
  val abs : t -> t
  val sgn : t -> t
  val popc : t -> i32
  val clz : t -> i32
  val ctz : t -> i32
  val mul_hi : (x: t) -> (y: t) -> t
  def mad_hi (a: t) (b: t) (c: t) : t = mul_hi a b + c

  def lowest : t = $L
  def highest : t = $H
  def num_bits : i32 = $B
  def get_bit (bit: i32) (x: t) : i32 = to_i32 ((x >> i32 bit) & 1)
  def set_bit (bit: i32) (x: t) (b: i32) : t = (x & not (1 << i32 bit)) | ((i32 b & 1) << i32 bit)

  def sum [n] (xs: [n]t) : t = reduce_comm (+) 0 xs
  def product [n] (xs: [n]t) : t = reduce_comm (*) 1 xs
  def maximum [n] (xs: [n]t) : t = reduce_comm max lowest xs
  def minimum [n] (xs: [n]t) : t = reduce_comm min highest xs
}
