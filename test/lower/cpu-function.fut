-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Marked functions are functions of the module, an instance for each use; others are inlined.
-- RUN: ferry-lower-test %s main | FileCheck %s
-- RUN: ferry-lower-test %s main > %t && echo '3' | ferry-interpret %t main | FileCheck %s --check-prefix=VALUES
-- RUN: ferry-lower-test %s under_map 2>&1 | FileCheck %s --check-prefix=IGNORED
-- RUN: ferry-lower-test %s marked | FileCheck %s --check-prefix=MARKED

#[cpu_function]
def numbers 'a (n: i64) (x: a) : [n](i64, a) = zip (iota n) (replicate n x)

#[noinline]
def total [n] (f: i64 -> i64) (xs: [n]i64) : i64 = i64.sum (map f xs)

#[noinline]
def scaled [n] (factor: i64) (xs: *[n]i64) : *[n]i64 = map (* factor) xs

-- CHECK:       func.func @main(%[[N:.*]]: i64) -> (i64, tensor<?xi64>)
-- CHECK-DAG:     %[[XS:.*]]:2 = call @numbers(%[[N]], %{{.*}}) : (i64, f32) -> (tensor<?xi64>, tensor<?xf32>)
-- CHECK-DAG:     call @numbers_1(%[[N]], %{{.*}}) : (i64, i64) -> (tensor<?xi64>, tensor<?xi64>)
-- CHECK:         array.reduce
-- CHECK:         call @scaled(
-- CHECK:       func.func private @numbers(%[[M:.*]]: i64, %[[X:.*]]: f32) -> (tensor<?xi64>, tensor<?xf32>) attributes {array.pin = #array.side<host>}
-- CHECK:         array.replicate(%[[M]]) %[[X]]
-- CHECK:       func.func private @numbers_1({{.*}} attributes {array.pin = #array.side<host>}
-- CHECK:       func.func private @scaled(%{{.*}}: i64, %{{.*}}: tensor<?xi64>) -> tensor<?xi64> {
-- VALUES:      8i64
-- VALUES-NEXT: [0i64, 2i64, 4i64]
entry main (n: i64) =
  let (xs, _) = unzip (numbers n 1.5f32)
  let (ys, zs) = unzip (numbers n 2i64)
  in (total (+ zs[0]) xs - 1, scaled 2 ys)

#[cpu_function]
def twice (x: i64) = x * 2

-- IGNORED: cpu-function.fut:[[# @LINE + 5]]:{{[0-9]+}}: warning: `#[cpu_function]` on `twice` is ignored here: it is called inside a parallel operation
-- IGNORED: func.func @under_map
-- IGNORED-NOT: call
-- IGNORED:     array.map
-- IGNORED-NOT: call
entry under_map [n] (xs: [n]i64) = map (\x -> twice x) xs

-- MARKED:      func.func @marked(%[[X:.*]]: i64) -> i64
-- MARKED-NEXT:   %[[R:.*]] = call @marked_1(%[[X]])
-- MARKED-NEXT:   return %[[R]]
-- MARKED:      func.func private @marked_1({{.*}} attributes {array.pin = #array.side<host>}
#[cpu_function]
entry marked (x: i64) = loop x for i < 10 do x * i
