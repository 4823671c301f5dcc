-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Nested while loops that build five arrays in place, all of which one large map then reads: five uploads behind the loops, none inside.

def work (x: f64) : f64 = loop y = x for _i < 300i32 do y * 0.5 + 1

-- ==
-- entry: main
-- input { 3i64 } output { [20f64, 20f64, 20f64] }
-- input { 0i64 } output { empty([0]f64) }
-- input { 10000i64 } output { 10000*20f64 }
--
-- Five arrays of 10000 x 8 bytes go up behind the loops, for one launch; its result of as many bytes comes down.
-- placed auto {10000i64}: uploads 5 of 400000 bytes, downloads 1 of 80000 bytes, peeks 0, pokes 0, launches 1, peak 480000 bytes
-- placed soacs-on-device {10000i64}: uploads 5 of 400000 bytes, downloads 1 of 80000 bytes, peeks 0, pokes 0, launches 1, peak 480000 bytes
-- placed auto {0i64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
-- placed soacs-on-device {0i64}: uploads 0, downloads 0, peeks 0, pokes 0, launches 0, peak 0 bytes
entry main (n: i64) : []f64 =
  let (a, b, c, d, e, _) =
    loop (a, b, c, d, e, i) = (replicate n 0f64, replicate n 1f64, replicate n 2f64, replicate n 3f64, replicate n 4f64, 0) while i < n do
      let (a, b, c, k) =
        loop (a, b, c, k) = (a, b, c, 0i64) while k < 3 do
          let t = a[i] + f64.i64 k
          let a = a with [i] = t
          let b = b with [i] = b[i] + t
          let c = c with [i] = c[i] - t
          in (a, b, c, k + 1)
      let d = d with [i] = a[i] * 2
      let e = e with [i] = b[i] - 1
      in (a, b, c, d, e, i + 1)
  in map5 (\a b c d e -> work a + work b + work c + work d + work e + (a + b + c + d + e) * 0 + 10) a b c d e
