-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Records, tuples and sums are their components; arrays of them are arrays of components.
-- RUN: ferry-lower-test %s records > %t && echo '3 4.0' | ferry-interpret %t records | FileCheck %s --check-prefix=RECORDS
-- RUN: ferry-lower-test %s arrays > %t && echo '[[1, 2], [3, 4]]' | ferry-interpret %t arrays | FileCheck %s --check-prefix=ARRAYS
-- RUN: ferry-lower-test %s arrays | FileCheck %s --check-prefix=FREE
-- RUN: ferry-lower-test %s sums > %t && echo '[-1, 0, 5]' | ferry-interpret %t sums | FileCheck %s --check-prefix=SUMS
-- RUN: ferry-lower-test %s units > %t && echo '3i64' | ferry-interpret %t units | FileCheck %s --check-prefix=UNITS
-- RUN: ferry-lower-test %s described --describe | FileCheck %s --check-prefix=DESCRIBED
-- RUN: ferry-lower-test %s described | FileCheck %s --check-prefix=SIGNATURE

type point = {x: i64, y: f64}
def move (p: point) (by: i64) = p with x = p.x + by

-- RECORDS:      5i64
-- RECORDS-NEXT: 4f64
-- RECORDS-NEXT: 2i64
-- RECORDS-NEXT: 4f64
-- RECORDS-NEXT: 7i64
entry records (a: i64) (b: f64) =
  let p = move {y = b, x = a} 2
  let {x = _, y} = p
  let nested = {inner = (p, 7i64), last = ()} with inner.0.x = 2
  let (q, seven) = nested.inner
  in (p.x, y, q.x, q.y, seven)

-- ARRAYS:      [2i64, 4i64]
-- ARRAYS-NEXT: {{\[}}[1i64, 2i64], [3i64, 4i64]]
-- ARRAYS-NEXT: [3i64, 7i64]
-- FREE-NOT: array.copy
-- FREE-NOT: array.concat
-- FREE:     array.map
entry arrays [n] [m] (a: [n][m]i64) =
  let rows = zip a (map i64.sum a)
  let (r, _) = unzip rows
  let lasts = map (\(row, _) -> row[m - 1]) rows
  in (lasts, r, map (.1) rows)

type shape = #empty | #circle i64 | #box i64 (i64, i64)
def area (s: shape) : i64 =
  match s
  case #empty -> 0
  case #circle r -> 3 * r * r
  case #box scale (w, 1) -> scale * w
  case #box scale (w, h) -> scale * w * h * 100
def shape_of (x: i64) : shape = if x < 0 then #empty else if x == 0 then #circle 2 else #box x (2, x - 4)

-- SUMS:      [0i64, 12i64, 10i64]
-- SUMS-NEXT: true
-- SUMS-NEXT: false
entry sums [n] (xs: [n]i64) =
  let shapes = map shape_of xs
  in (map area shapes, shapes[0] == #empty, shapes[2] == shapes[1])

-- DESCRIBED:      parameter p: {x: i64, y: f64} = i64/0 f64/0
-- DESCRIBED-NEXT: parameter xs: *[n](u8, [2]bool) = u8/1 bool/2
-- DESCRIBED-NEXT: result : [n]u8 = u8/1
-- DESCRIBED-NEXT: result : i64 = i64/0
-- SIGNATURE: func.func @described(%{{.*}}: i64, %{{.*}}: f64, %{{.*}}: tensor<?xi8> {{.*}}array.unique}, %{{.*}}: tensor<?x?xi1> {{.*}}array.unique}) -> (tensor<?xi8>, i64)
entry described [n] (p: {x: i64, y: f64}) (xs: *[n](u8, [2]bool)) : ([n]u8, i64) =
  (map (\(a, b) -> if b[0] then a else u8.f64 p.y) xs, p.x)

-- UNITS:      3i64
-- UNITS-NEXT: 4i64
-- UNITS-NEXT: 0i64
-- UNITS-NEXT: 7i64
-- UNITS-NEXT: 2i64
def units_for (n: i64) = map (\_ -> ()) (iota n)
entry units (n: i64) =
  let grown = loop us = replicate n () for _i < 2 do us ++ [()]
  let choice = if n > 2 then grown[1:] else grown
  let none = filter (\_ -> n < 0) choice
  let rows = map (\i -> (replicate n (), i)) (iota 2)
  in (length choice - 1, length choice, length none, length (grown ++ units_for 2), length rows)
