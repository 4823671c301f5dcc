-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- A loop that sums an array next to a map that uses the sum: what the operations look like, and their locations.
-- RUN: ferry-lower-test %s main | FileCheck %s
-- RUN: ferry-lower-test %s main --locations | FileCheck %s --check-prefix=PLACES
-- RUN: ferry-lower-test %s main > %t && echo '[3, -4, 6]' | ferry-interpret %t main | FileCheck %s --check-prefix=VALUES

-- CHECK:       func.func @main(%[[XS:.*]]: tensor<?xi32> {array.extents = ["n"]}) -> (i32, tensor<?xi32>)
-- CHECK:         %[[N:.*]] = array.dim %[[XS]], 0
-- CHECK:         %[[TOTAL:.*]] = scf.for %[[I:.*]] = %{{.*}} to %[[N]] step %{{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (i32)
-- CHECK:           %[[X:.*]] = array.element %[[XS]][%[[I]]] unchecked
-- CHECK:           arith.addi %[[SUM]], %[[X]]
-- CHECK:         %[[YS:.*]] = array.map(%[[N]]) ins(%[[XS]] : tensor<?xi32>) {
-- CHECK-NEXT:    ^bb0(%{{.*}}: i64, %[[Y:.*]]: i32)
-- CHECK:           arith.addi %[[Y]], %[[TOTAL]]
-- CHECK:         return %[[TOTAL]], %[[YS]]

-- PLACES:      scf.yield %{{.*}} : i32 {{.*}}first.fut:[[# @LINE + 9]]:15
-- PLACES-NEXT: } "total"(
-- PLACES:      arith.addi %{{.*}} : i32 {{.*}}first.fut:[[# @LINE + 8]]:21
-- PLACES-NEXT: array.yield
-- PLACES-NEXT: } : tensor<?xi32> "shifted"(

-- VALUES:      5i32
-- VALUES-NEXT: [8i32, 1i32, 11i32]
entry main [n] (xs: [n]i32) =
  let total = loop sum = 0 for x in xs do sum + x
  let shifted = map (+ total) xs
  in (total, shifted)
