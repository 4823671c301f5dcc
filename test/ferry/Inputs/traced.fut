-- Something of each kind on each side: an array of the host's that the device reads, a map, a loop in one kernel.
def bend (x: f64) : f64 = loop y = x for _i < 100i32 do y * 0.5 + 1

entry main (n: i64) : ([]f64, f64) =
  let xs = scan (+) 0 (map f64.i64 (iota n))
  let ys = map (\i -> bend (xs[i] + xs[n - 1 - i])) (iota n)
  let last = loop s = 0 for i < i64.min n 10000 do s * 0.5 + ys[i]
  in (ys, last)
