// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: ferry-opt %s --canonicalize --cse | FileCheck %s
// RUN: echo '5 3' | ferry-interpret %s element_of_iota --passes=canonicalize
// RUN: echo '5 7' | not ferry-interpret %s element_of_iota --passes=canonicalize 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: echo '-5 0' | not ferry-interpret %s element_of_iota --passes=canonicalize 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: echo '2 1 1.5 [1, 2, 3, 4]' | ferry-interpret %s repeated --passes=canonicalize
// RUN: echo '[[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]] 1 2 0' | ferry-interpret %s transposed --passes=canonicalize
// RUN: echo '[1, 2]' | ferry-interpret %s combined_results --passes=canonicalize
// RUN: echo '[1, 2] 3' | ferry-interpret %s uniform_check --passes=canonicalize
// RUN: echo 'empty([0]i64) 0' | ferry-interpret %s uniform_check --passes=canonicalize
// RUN: echo '[1, 2] 0' | not ferry-interpret %s uniform_check --passes=canonicalize 2>&1 | FileCheck %s --check-prefix=ZERO

// OUTSIDE: error: Index [7] out of bounds for array of shape [5].
// EMPTY: error: Index [0] out of bounds for array of shape [0].
// CHECK-LABEL: func.func @element_of_iota
// CHECK-NOT: array.iota
// CHECK: array.assert
func.func @element_of_iota(%n: i64, %i: i64) -> i64 {
  %two = arith.constant 2 : i64
  %xs = array.iota %n, %two, %two : i64 -> tensor<?xi64>
  %r = array.element %xs[%i] : tensor<?xi64>
  return %r : i64
}

// CHECK-LABEL: func.func @extents
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>, %[[N:.*]]: i64, %[[V:.*]]: f32)
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : i64
// CHECK-DAG: %[[D0:.*]] = array.dim %[[X]], 0
// CHECK-DAG: %[[D1:.*]] = array.dim %[[X]], 1
// CHECK: return %[[D1]], %[[D1]], %[[N]], %[[D0]], %[[D0]], %[[D1]], %[[TWO]]
func.func @extents(%x: tensor<?x?xf32>, %n: i64, %v: f32) -> (i64, i64, i64, i64, i64, i64, i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %t = array.permute %x [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  %a = array.dim %t, 0 : tensor<?x?xf32>
  %row = array.row %x[%zero] : tensor<?x?xf32> -> tensor<?xf32>
  %b = array.dim %row, 0 : tensor<?xf32>
  %many = array.replicate (%n) %x : tensor<?x?xf32> -> tensor<?x?x?xf32>
  %c = array.dim %many, 0 : tensor<?x?x?xf32>
  %d = array.dim %many, 1 : tensor<?x?x?xf32>
  %copy = array.copy %x : tensor<?x?xf32>
  %loop = scf.for %i = %zero to %n step %one iter_args(%y = %copy) -> tensor<?x?xf32> : i64 {
    %next = array.update %y[%i, %i] = %v : tensor<?x?xf32>, f32
    scf.yield %next : tensor<?x?xf32>
  }
  %e = array.dim %loop, 0 : tensor<?x?xf32>
  %f = array.dim %loop, 1 : tensor<?x?xf32>
  %pair = array.literal %v, %v : f32, f32 -> tensor<?xf32>
  %g = array.dim %pair, 0 : tensor<?xf32>
  return %a, %b, %c, %d, %e, %f, %g : i64, i64, i64, i64, i64, i64, i64
}

// CHECK-LABEL: func.func @views
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>, %[[I:.*]]: i64)
// CHECK-NOT: array.permute
// CHECK-NOT: array.slice
// CHECK-NOT: array.row
// CHECK: %[[E:.*]] = array.element %[[X]][%[[I]], %[[I]]] unchecked
// CHECK: %[[R:.*]] = array.reshape %[[X]] to
// CHECK: return %[[X]], %[[X]], %[[E]], %[[R]]
func.func @views(%x: tensor<?x?xf32>, %i: i64) -> (tensor<?x?xf32>, tensor<?x?xf32>, f32, tensor<?xf32>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = array.dim %x, 0 : tensor<?x?xf32>
  %m = array.dim %x, 1 : tensor<?x?xf32>
  %t = array.permute %x [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  %u = array.permute %t [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  %s = array.slice %x[%zero, %zero] [%n, %m] [%one, %one] : tensor<?x?xf32> -> tensor<?x?xf32>
  %row = array.row %x[%i] unchecked : tensor<?x?xf32> -> tensor<?xf32>
  %e = array.element %row[%i] unchecked : tensor<?xf32>
  %p = array.reshape %x to (%m, %n) : tensor<?x?xf32> -> tensor<?x?xf32>
  %q = array.reshape %p to (%i) : tensor<?x?xf32> -> tensor<?xf32>
  return %u, %s, %e, %q : tensor<?x?xf32>, tensor<?x?xf32>, f32, tensor<?xf32>
}

// Equal rows of equal elements are filled at once; an element of a row that is repeated is one of the row.
// CHECK-LABEL: func.func @repeated
// CHECK-SAME: (%[[N:.*]]: i64, %[[M:.*]]: i64, %[[V:.*]]: f32, %[[XS:.*]]: tensor<?xf32>)
// CHECK-NEXT: %[[R:.*]] = array.replicate(%[[N]], %[[M]]) %[[V]]
// CHECK-NEXT: %[[E:.*]] = array.element %[[XS]][%[[M]]] unchecked
// CHECK-NEXT: return %[[R]], %[[E]]
func.func @repeated(%n: i64, %m: i64, %v: f32, %xs: tensor<?xf32>) -> (tensor<?x?xf32>, f32) {
  %row = array.replicate (%m) %v : f32 -> tensor<?xf32>
  %r = array.replicate (%n) %row : tensor<?xf32> -> tensor<?x?xf32>
  %many = array.replicate (%n) %xs : tensor<?xf32> -> tensor<?x?xf32>
  %e = array.element %many[%m, %m] unchecked : tensor<?x?xf32>
  return %r, %e : tensor<?x?xf32>, f32
}

// An index into a transposed array is one into the array, the other way round; a checked one stays, with its message.
// CHECK-LABEL: func.func @transposed
// CHECK-SAME: (%[[X:.*]]: tensor<?x?x?xf32>, %[[I:.*]]: i64, %[[J:.*]]: i64, %[[K:.*]]: i64)
// CHECK: array.element %[[X]][%[[K]], %[[I]], %[[J]]] unchecked
// CHECK: array.element %{{.*}}[%[[I]], %[[J]], %[[K]]] : tensor
func.func @transposed(%x: tensor<?x?x?xf32>, %i: i64, %j: i64, %k: i64) -> (f32, f32) {
  %t = array.permute %x [1, 2, 0] : tensor<?x?x?xf32> -> tensor<?x?x?xf32>
  %a = array.element %t[%i, %j, %k] unchecked : tensor<?x?x?xf32>
  %b = array.element %t[%i, %j, %k] : tensor<?x?x?xf32>
  return %a, %b : f32, f32
}

// A reduction of a pair of which one part is used, and does not need the other.
// CHECK-LABEL: func.func @combined_results
// CHECK: array.reduce{{.*}} neutral(%{{[a-z0-9_]*}} : f32)
// CHECK: ^bb0(%{{.*}}: f32, %{{.*}}: f32):
func.func @combined_results(%x: tensor<?xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %n = array.dim %x, 0 : tensor<?xf32>
  %r:2 = array.reduce (%n) ins(%x : tensor<?xf32>) neutral(%zero, %one : f32, f32) {
  ^bb0(%i: i64, %e: f32):
    array.yield %e, %e : f32, f32
  } operator {
  ^bb0(%a: f32, %p: f32, %b: f32, %q: f32):
    %s = arith.addf %a, %b : f32
    %t = arith.mulf %p, %s : f32
    array.yield %s, %t : f32, f32
  } : f32, f32
  return %r#0 : f32
}

// CHECK-LABEL: func.func @nothing
// CHECK-NEXT: return %arg0
func.func @nothing(%x: f32) -> f32 {
  %true = arith.constant true
  array.assert %true, "never"
  %r = array.pin #array.side<host> "f" {
    array.yield %x : f32
  } : f32
  %s = array.from_scalar %r : f32 -> tensor<f32>
  %t = array.to_scalar %s : tensor<f32>
  return %t : f32
}

// A check that no point changes is made once, and not where there is no point. What was checked before is not again.
// ZERO: error: division by zero
// CHECK-LABEL: func.func @uniform_check
// CHECK: %[[NONE:.*]] = arith.cmpi sle
// CHECK: %[[HOLDS:.*]] = arith.ori %{{.*}}, %[[NONE]]
// CHECK: array.assert %[[HOLDS]], "division by zero"
// CHECK: array.map
// CHECK-NOT: array.assert
func.func @uniform_check(%xs: tensor<?xi64>, %by: i64) -> tensor<?xi64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = array.dim %xs, 0 : tensor<?xi64>
  %fine = arith.cmpi ne, %by, %zero : i64
  %r = array.map (%n) ins(%xs : tensor<?xi64>) {
  ^bb0(%i: i64, %x: i64):
    array.assert %fine, "division by zero"
    %d = arith.select %fine, %by, %one : i64
    %y = arith.divsi %x, %d : i64
    array.assert %fine, "division by zero"
    %z = arith.remsi %y, %d : i64
    array.yield %z : i64
  } : tensor<?xi64>
  return %r : tensor<?xi64>
}
