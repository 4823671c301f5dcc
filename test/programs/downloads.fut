-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- RUN: %python %S/check.py %s
--
-- Arrays and scalars that come from the device while the host does something else: used behind a loop, in one arm of a branch, by the next kernel, or
-- not before the program ends. Their blocks are given back or written meanwhile.

#[cpu_function]
def mixed (n: i64) (seed: i64) : i64 = loop s = seed for i < n do (s * 31 + i) % 1000003

-- What is mixed for 0 and 3 trips: 5; ((5 * 31) * 31 + 1) * 31 + 2 = 148988.
-- ==
-- entry: array
-- input { [1i64, 2i64] 0i64 } output { [2i64, 5i64] 5i64 }
-- input { [1i64, 2i64] 3i64 } output { [2i64, 5i64] 148988i64 }
-- input { empty([0]i64) 3i64 } output { empty([0]i64) 148988i64 }
entry array (xs: []i64) (n: i64) : ([]i64, i64) =
  let ys = map (\x -> x * x + 1) xs
  in (ys, mixed n 5)

-- The sum comes as an array of rank 0, which is read where it is needed: 7 + 5.
-- ==
-- entry: scalar
-- input { [1i64, 2i64] 0i64 } output { 12i64 }
-- input { [1i64, 2i64] 3i64 } output { 148995i64 }
entry scalar (xs: []i64) (n: i64) : i64 =
  let s = i64.sum (map (\x -> x * x + 1) xs)
  let t = mixed n 5
  in s + t

-- Two scalars are first used by one operation.
-- ==
-- entry: scalars
-- input { [1i64, 2i64] 0i64 } output { 30i64 }
-- input { [1i64, 2i64] 3i64 } output { 149013i64 }
entry scalars (xs: []i64) (n: i64) : i64 =
  let s = i64.sum (map (\x -> x * x + 1) xs)
  let p = i64.product (map (+ s) xs)
  let t = mixed n 5
  in p - s * 4 - 19 + t

-- ==
-- entry: arms
-- input { [1i64, 2i64] 0i64 } output { 5i64 }
-- input { [1i64, 2i64] 3i64 } output { 148989i64 }
-- input { empty([0]i64) 0i64 } error: Index \[0\] out of bounds
entry arms (xs: []i64) (n: i64) : i64 =
  let ys = map (\x -> x - 1) xs
  let t = mixed n 5
  in if t > 100 then ys[0] + ys[1] + t else ys[0] * 7 + t

-- `ys` is read on the host while kernels go on to make others in memory that was its own, trip by trip.
-- ==
-- entry: trips
-- input { [1i64, 2i64] 0i64 } output { 0i64 [1i64, 2i64] }
-- input { [1i64, 2i64] 1i64 } output { 31i64 [2i64, 4i64] }
-- input { [1i64, 2i64] 3i64 } output { 5428i64 [8i64, 16i64] }
entry trips (xs: []i64) (n: i64) : (i64, []i64) =
  loop (sum, xs) = (0, xs) for i < n do
    let ys = map (* 2) xs
    let t = mixed i 5
    let zs = map (+ 1) ys
    let s = loop s = t for j < length ys do s + ys[j] * zs[j]
    in (sum + s, ys)

-- A kernel updates what the host still has to read, in place or in a copy.
-- ==
-- entry: updated
-- input { [1i64, 2i64] 1i64 } output { [9i64, 3i64] 160i64 }
entry updated (xs: []i64) (n: i64) : ([]i64, i64) =
  let ys = map (+ 1) xs
  let t = mixed n 5
  let zs = scatter (copy ys) [0] [9]
  in (zs, t + ys[0] + ys[1])
