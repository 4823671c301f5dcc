-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
def f x = x + 1
def apply f x = f x
entry main (xs: []i32) = map (+1) xs
def g [n] (xs: [n]f64) (ys: [n]f64) = reduce (+) 0 (map2 (*) xs ys)
def h (n: i64) = map (\i -> f64.i64 i * 2.0) (iota n)
def summ (xs: []i32) = loop acc = 0 for x in xs do acc + x
def fibs (n: i64) (xs: *[]i32) : *[]i32 = loop xs for i < n do xs with [i] = xs[i-1] + i32.i64 i
def grow (n: i32) = loop xs = [1] for i < n do xs ++ xs
def inv [n] (xs: [n]i32) = loop ys = copy xs for i < 10 do map (+1) ys
def swap [n] (a: [n]i32) (b: [n]i32) = loop (a, b) for i < 10 do (b, a)
def flt (xs: []i32) = filter (> 0) xs
def flt2 (xs: []i32) = xs |> filter (> 0) |> map (*2)
def br (b: bool) = if b then [1,2] else [3]
def rec1 (p: {x: i32, y: f32}) = p with x = p.x + 1
def proj (xs: [](i32,bool)) = map (.0) xs : []i32
def pw (n: i64) = (0..<n, 0...n, 5..<n)
def ack (m: i32) (n: i32) : i32 = if m == 0 then n + 1 else if n == 0 then ack (m-1) 1 else ack (m-1) (ack m (n-1))
def comp = (+1) >-> (*2) >-> f64.i32
def mat [n][m] (a: [n][m]f32) (b: [m][]f32) = map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a
def sl [n] (xs: [n]i32) (i: i64) = (xs[1:], xs[:i], xs[i:], xs[::2], xs[::-1], xs[2:5])
def up [n] (xs: *[n][n]i32) = let xs[1,2] = 3 let xs[0] = replicate n 1 in xs
type opt 'a = #some a | #none
def mm (o: opt i32) = match o case #some x -> x case #none -> 0
def mk (x: i32) : opt i32 = if x > 0 then #some x else #none
def eqq (x: i32) = (x, 2) == (3, x)
def part xs = partition (>0.0) xs
def polylet x = let id y = y in (id x, id 1, id true)
def lam = \(xs: []i32) -> length xs
def cnst = iota 10
def coer (xs: []i32) (n: i64) = xs :> [n]i32
def fl [n][m] (xss: [n][m]i32) = unflatten (flatten xss)
def strs = "hello" ++ [10]
def spec = i32.(max 1 2 + highest)
def uu = i32.max
