-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
--
-- The module of a floating-point type: $T is the type, $B its width in bits, $E the distance from 1 to the next value.

module $T = {
  local module bits = u$B
  type t = $T
  type int_t = u$B

  val (+) : t -> t -> t
  val (-) : t -> t -> t
  val (*) : t -> t -> t
  val (/) : t -> t -> t
  val (%) : t -> t -> t
  val (**) : t -> t -> t
  val (==) : t -> t -> bool
  val (!=) : t -> t -> bool
  val (<) : t -> t -> bool
  val (<=) : t -> t -> bool
  val (>) : t -> t -> bool
  val (>=) : t -> t -> bool
  val neg : t -> t

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
  val to_i64 : t -> i64
  val to_f64 : t -> f64
  val to_bits : t -> int_t
  val from_bits : int_t -> t

  val min : t -> t -> t
  val max : t -> t -> t
  val abs : t -> t
  val sgn : t -> t
  val sqrt : t -> t
  val rsqrt : t -> t
  val cbrt : t -> t
  val exp : t -> t
  val log : t -> t
  val log2 : t -> t
  val log10 : t -> t
  val log1p : t -> t
  val sin : t -> t
  val cos : t -> t
  val tan : t -> t
  val asin : t -> t
  val acos : t -> t
  val atan : t -> t
  val sinh : t -> t
  val cosh : t -> t
  val tanh : t -> t
  val asinh : t -> t
  val acosh : t -> t
  val atanh : t -> t
  val sinpi : t -> t -- of x times pi
  val cospi : t -> t
  val tanpi : t -> t
  val asinpi : t -> t -- divided by pi
  val acospi : t -> t
  val atanpi : t -> t
  val atan2 : (y: t) -> (x: t) -> t
  val atan2pi : (y: t) -> (x: t) -> t
  val hypot : t -> t -> t
  val gamma : t -> t
  val lgamma : t -> t
  val erf : t -> t
  val erfc : t -> t
  val ceil : t -> t
  val floor : t -> t
  val trunc : t -> t
  val round : t -> t -- halves to even
  val fma : (a: t) -> (b: t) -> (c: t) -> t
  val isinf : t -> bool
  val isnan : t -> bool
  val nextafter : (x: t) -> (y: t) -> t
  val ldexp : t -> i32 -> t
  val copysign : (x: t) -> (y: t) -> t

  def mad (a: t) (b: t) (c: t) : t = a * b + c
  def lerp (v0: t) (v1: t) (x: t) : t = v0 + (v1 - v0) * x
  def recip (x: t) : t = 1 / x
  def from_fraction (x: i64) (y: i64) : t = i64 x / i64 y

  def inf : t = 1 / 0
  def nan : t = 0 / 0
  def highest : t = inf
  def lowest : t = neg inf
  def epsilon : t = $E
  def pi : t = 3.14159265358979323846
  def e : t = 2.71828182845904523536

  def num_bits : i32 = $B
  def get_bit (bit: i32) (x: t) : i32 = bits.get_bit bit (to_bits x)
  def set_bit (bit: i32) (x: t) (b: i32) : t = from_bits (bits.set_bit bit (to_bits x) b)

  def sum [n] (xs: [n]t) : t = reduce_comm (+) 0 xs
  def product [n] (xs: [n]t) : t = reduce_comm (*) 1 xs
  def maximum [n] (xs: [n]t) : t = reduce_comm max lowest xs
  def minimum [n] (xs: [n]t) : t = reduce_comm min highest xs
}
