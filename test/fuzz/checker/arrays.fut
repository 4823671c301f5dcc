-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- colouring-like
#[cpu_function] #[noinline]
def colour [n] [m] (rows: [n]i64) (cols: [m]i64) (nc: i64) : *[nc]i32 =
  let colours = replicate nc (-1)
  let marks = replicate nc (-1i64)
  let (colours, _) =
    loop (colours, marks) for j < nc do
      let marks = loop marks for k in rows[j]..<rows[j+1] do
        let c = colours[cols[k]]
        in if c >= 0 then marks with [i64.i32 c] = j else marks
      let (c, _) = loop (c, go) = (0i64, true) while go do
         if c < nc && marks[c] == j then (c + 1, true) else (c, false)
      in (colours with [j] = i32.i64 c, marks)
  in colours
def brus [n] (u: [n][n]f64) (v: [n][n]f64) : ([n][n]f64, [n][n]f64) =
  let lap (a: [n][n]f64) i j = a[(i+1)%n, j] + a[(i-1)%n,j] + a[i,(j+1)%n] + a[i,(j-1)%n] - 4*a[i,j]
  let f = tabulate_2d n n (\i j -> let (x, y) = (u[i,j], v[i,j]) in 1 + x*x*y - 4.4*x + 0.1*lap u i j)
  let g = tabulate_2d n n (\i j -> let (x, y) = (u[i,j], v[i,j]) in 3.4*x - x*x*y + 0.1*lap v i j)
  in (f, g)
def flatf [n] (uv: [2*n*n]f64) : [2*n*n]f64 =
  let xs = unflatten_3d uv
  let (f, g) = brus xs[0] xs[1]
  in flatten_3d [f, g]
entry jac [n] (uv: [2*n*n]f64) (seeds: [][2*n*n]f64) = map (\s -> jvp flatf uv s) seeds
entry hist (xs: []i32) = reduce_by_index (replicate 10 0) (+) 0 (map i64.i32 xs) (map (const 1) xs)
entry sum_loop (xs: []f64) = (loop s = 0 for x in xs do s + x, map (* 2) xs)
entry wh (x: []f32) = loop (y, err) = (copy x, f32.inf) while err > 1e-3 do
   let y' = map (/ 2) y in (y', f32.maximum (map2 (\a b -> f32.abs (a - b)) y y'))
entry argmax (xs: []f32) = reduce (\(a, i) (b, j) -> if a > b then (a, i) else (b, j)) (f32.lowest, -1) (zip xs (indices xs))
