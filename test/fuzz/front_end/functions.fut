-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module m = { type t = {x: f32, y: [2]i64} let f 't [n] (g: t -> t) (xs: *[n]t) : *[n]t = map g xs }
type^ shape = #square f64 | #circle {radius: f64}
#[cpu_function] #[noinline]
def loops [n][m] (xss: [n][m]f32) : (f32, []i8) =
  let (s, k) = loop (s, k) = (0f32, 0i64) while k < n do (s + xss[k, 0], k + 1)
  let ys = iota m with [0] = -1
  let ys[1:m:2] = replicate (m / 2) 0x7fi64
  in (s |> (+ 1) >-> f32.sqrt, if s >= 1e-3 && !(k == 2) then map i8.i64 (copy ys) else [])
