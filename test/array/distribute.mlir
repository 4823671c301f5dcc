// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: ferry-opt %s --array-distribute | FileCheck %s
// RUN: echo '[[1, 2, 3], [4, 5, 6]] 10' | ferry-interpret %s nest --passes=array-distribute
// RUN: echo '[[0.5, 2, 3], [4, 5, 6]]' | ferry-interpret %s fission --passes=array-distribute
// RUN: echo '[[1, 2, 3], [4, 5, 6]]' | ferry-interpret %s row_sums --passes=array-distribute
// RUN: echo '3' | ferry-interpret %s triangle --passes=array-distribute
// RUN: echo '[[1, 2, 3], [4, 5, 6]]' | ferry-interpret %s small --passes=array-distribute
// RUN: echo '[[1, 2, 3], [4, 5, 6]] [1, 0]' | ferry-interpret %s gather --passes=array-distribute
// RUN: echo '[[1, 2, 3], [4, 5, 6]] [1, 2]' | not ferry-interpret %s gather --passes=array-distribute 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: echo '2 3 4' | ferry-interpret %s three --passes=array-distribute
// RUN: echo '[[1, 2, 3], [4, 5, 6]]' | ferry-interpret %s in_place --passes=array-distribute
// RUN: echo '[0.5, 1.5, 2, 3]' | ferry-interpret %s jacobian --passes=array-differentiate,canonicalize,cse,array-fuse,array-distribute,canonicalize
// RUN: ferry-opt %s --array-differentiate --canonicalize --cse --array-fuse --array-distribute --canonicalize | FileCheck %s --check-prefix=JACOBIAN


// CHECK-LABEL: func.func @nest
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xi32>, %[[BY:.*]]: i32)
// CHECK: array.map(%{{.*}}, %{{.*}}) ins(%[[X]] : tensor<?x?xi32>) {
// CHECK-NEXT: ^bb0(%[[I:.*]]: i64, %{{.*}}: i64, %[[E:.*]]: i32):
// CHECK-NOT: array.map
// CHECK: array.yield
func.func @nest(%x: tensor<?x?xi32>, %by: i32) -> tensor<?x?xi32> {
  %n = array.dim %x, 0 : tensor<?x?xi32>
  %r = array.map (%n) ins(%x : tensor<?x?xi32>) {
  ^bb0(%i: i64, %row: tensor<?xi32>):
    %m = array.dim %row, 0 : tensor<?xi32>
    %k = arith.trunci %i : i64 to i32
    %s = arith.addi %k, %by : i32
    %y = array.map (%m) ins(%row : tensor<?xi32>) {
    ^bb0(%j: i64, %e: i32):
      %f = arith.addi %e, %s : i32
      array.yield %f : i32
    } : tensor<?xi32>
    array.yield %y : tensor<?xi32>
  } : tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}

// A costly scalar, an inner map, a reduction of what it makes, and an inner map that uses all three.
// CHECK-LABEL: func.func @fission
// CHECK: %[[A:.*]] = array.map(%[[N:.*]]) ins(
// CHECK: math.exp
// CHECK: %[[Y:.*]] = array.map(%[[N]], %[[M:.*]]) ins(
// CHECK: %[[S:.*]] = array.map(%[[N]]) ins(%[[Y]] : tensor<?x?xf64>) {
// CHECK: array.reduce
// CHECK: %[[R:.*]]:2 = array.map(%[[N]], %[[M]]) ins(%[[Y]]
// CHECK: return %[[R]]#0, %[[R]]#1, %[[S]]
func.func @fission(%x: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : i64
  %n = array.dim %x, 0 : tensor<?x?xf64>
  %m = array.dim %x, 1 : tensor<?x?xf64>
  %r:3 = array.map (%n) ins(%x : tensor<?x?xf64>) {
  ^bb0(%i: i64, %row: tensor<?xf64>):
    %first = array.element %row[%c0] : tensor<?xf64>
    %a = math.exp %first : f64
    %y = array.map (%m) ins(%row : tensor<?xf64>) {
    ^bb0(%j: i64, %e: f64):
      %f = arith.mulf %e, %a : f64
      array.yield %f : f64
    } : tensor<?xf64>
    %s = array.reduce (%m) ins(%y : tensor<?xf64>) neutral(%zero : f64) {
    ^bb0(%j: i64, %e: f64):
      array.yield %e : f64
    } operator {
    ^bb0(%p: f64, %q: f64):
      %t = arith.addf %p, %q : f64
      array.yield %t : f64
    } : f64
    %z:2 = array.map (%m) ins(%y : tensor<?xf64>) {
    ^bb0(%j: i64, %e: f64):
      %f = arith.divf %e, %s : f64
      %g = arith.addf %e, %a : f64
      array.yield %f, %g : f64, f64
    } : tensor<?xf64>, tensor<?xf64>
    array.yield %z#0, %z#1, %s : tensor<?xf64>, tensor<?xf64>, f64
  } : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>
  return %r#0, %r#1, %r#2 : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>
}

// A thread reduces a row.
// CHECK-LABEL: func.func @row_sums
// CHECK: array.map(%{{[a-z0-9]*}}) ins(
// CHECK: array.reduce
func.func @row_sums(%x: tensor<?x?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %n = array.dim %x, 0 : tensor<?x?xi32>
  %m = array.dim %x, 1 : tensor<?x?xi32>
  %r = array.map (%n) ins(%x : tensor<?x?xi32>) {
  ^bb0(%i: i64, %row: tensor<?xi32>):
    %s = array.reduce (%m) ins(%row : tensor<?xi32>) neutral(%zero : i32) {
    ^bb0(%j: i64, %e: i32):
      array.yield %e : i32
    } operator {
    ^bb0(%p: i32, %q: i32):
      %t = arith.addi %p, %q : i32
      array.yield %t : i32
    } : i32
    array.yield %s : i32
  } : tensor<?xi32>
  return %r : tensor<?xi32>
}

// Extents that vary with the index.
// CHECK-LABEL: func.func @triangle
// CHECK: array.map(%{{[a-z0-9]*}}) {
// CHECK: array.map(%{{[a-z0-9]*}}) {
func.func @triangle(%n: i64) -> tensor<?xi64> {
  %zero = arith.constant 0 : i64
  %r = array.map (%n) {
  ^bb0(%i: i64):
    %y = array.map (%i) {
    ^bb0(%j: i64):
      %p = arith.muli %j, %j : i64
      array.yield %p : i64
    } : tensor<?xi64>
    %s = array.scan (%i) ins(%y : tensor<?xi64>) neutral(%zero : i64) {
    ^bb0(%j: i64, %e: i64):
      array.yield %e : i64
    } operator {
    ^bb0(%p: i64, %q: i64):
      %t = arith.addi %p, %q : i64
      array.yield %t : i64
    } : tensor<?xi64>
    %sum = array.reduce (%i) ins(%s : tensor<?xi64>) neutral(%zero : i64) {
    ^bb0(%j: i64, %e: i64):
      array.yield %e : i64
    } operator {
    ^bb0(%p: i64, %q: i64):
      %t = arith.addi %p, %q : i64
      array.yield %t : i64
    } : i64
    array.yield %sum : i64
  } : tensor<?xi64>
  return %r : tensor<?xi64>
}

// CHECK-LABEL: func.func @small
// CHECK: array.map(%{{[a-z0-9]*}}) ins(
// CHECK: array.map(%c3_i64) ins(
func.func @small(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %c3 = arith.constant 3 : i64
  %n = array.dim %x, 0 : tensor<?x?xi32>
  %r = array.map (%n) ins(%x : tensor<?x?xi32>) {
  ^bb0(%i: i64, %row: tensor<?xi32>):
    %y = array.map (%c3) ins(%row : tensor<?xi32>) {
    ^bb0(%j: i64, %e: i32):
      %f = arith.addi %e, %e : i32
      array.yield %f : i32
    } : tensor<?xi32>
    array.yield %y : tensor<?xi32>
  } : tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}

// Rows chosen by index: the check runs once a row, whatever the rows' length; rows are not copied.
// OUTSIDE: error: Index [2] out of bounds for array of shape [2][3].
// CHECK-LABEL: func.func @gather
// CHECK: array.map(%{{[a-z0-9]*}}) ins(
// CHECK: array.assert
// CHECK: array.map(%{{[a-z0-9]*}}, %{{[a-z0-9]*}})
func.func @gather(%x: tensor<?x?xi32>, %is: tensor<?xi64>) -> tensor<?x?xi32> {
  %n = array.dim %is, 0 : tensor<?xi64>
  %m = array.dim %x, 1 : tensor<?x?xi32>
  %r = array.map (%n) ins(%is : tensor<?xi64>) {
  ^bb0(%i: i64, %at: i64):
    %row = array.row %x[%at] : tensor<?x?xi32> -> tensor<?xi32>
    %y = array.map (%m) ins(%row : tensor<?xi32>) {
    ^bb0(%j: i64, %e: i32):
      %f = arith.addi %e, %e : i32
      array.yield %f : i32
    } : tensor<?xi32>
    array.yield %y : tensor<?xi32>
  } : tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}

// CHECK-LABEL: func.func @three
// CHECK: array.map(%arg0, %arg1, %arg2) {
func.func @three(%n: i64, %m: i64, %k: i64) -> tensor<?x?x?xi64> {
  %r = array.map (%n) {
  ^bb0(%a: i64):
    %s = array.map (%m) {
    ^bb0(%b: i64):
      %t = array.map (%k) {
      ^bb0(%c: i64):
        %p = arith.muli %a, %b : i64
        %q = arith.addi %p, %c : i64
        array.yield %q : i64
      } : tensor<?xi64>
      array.yield %t : tensor<?xi64>
    } : tensor<?x?xi64>
    array.yield %s : tensor<?x?xi64>
  } : tensor<?x?x?xi64>
  return %r : tensor<?x?x?xi64>
}

// What the body updates in place stays in its thread.
// CHECK-LABEL: func.func @in_place
// CHECK: array.map(%{{[a-z0-9]*}}) ins(
// CHECK: array.map(%{{[a-z0-9]*}}) ins(
// CHECK: scf.for
func.func @in_place(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = array.dim %x, 0 : tensor<?x?xi32>
  %m = array.dim %x, 1 : tensor<?x?xi32>
  %r = array.map (%n) ins(%x : tensor<?x?xi32>) {
  ^bb0(%i: i64, %row: tensor<?xi32>):
    %y = array.map (%m) ins(%row : tensor<?xi32>) {
    ^bb0(%j: i64, %e: i32):
      %f = arith.addi %e, %e : i32
      array.yield %f : i32
    } : tensor<?xi32>
    %z = scf.for %j = %c1 to %m step %c1 iter_args(%a = %y) -> tensor<?xi32> : i64 {
      %h = arith.subi %j, %c1 : i64
      %p = array.element %a[%h] : tensor<?xi32>
      %q = array.element %a[%j] : tensor<?xi32>
      %s = arith.addi %p, %q : i32
      %b = array.update %a[%j] = %s : tensor<?xi32>, i32
      scf.yield %b : tensor<?xi32>
    }
    array.yield %z : tensor<?xi32>
  } : tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}

// A Jacobian, one derivative a column: grid maps alone, nothing made inside a body.
// JACOBIAN-LABEL: func.func @jacobian
// JACOBIAN: %[[N:.*]] = array.dim
// JACOBIAN-COUNT-3: array.map(%[[N]], %[[N]])
// JACOBIAN-NOT: array.map
// JACOBIAN: return
func.func @jacobian(%x: tensor<?xf64>) -> tensor<?x?xf64> {
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %c1 = arith.constant 1 : i64
  %n = array.dim %x, 0 : tensor<?xf64>
  %j = array.map (%n) {
  ^bb0(%c: i64):
    %seed = array.map (%n) {
    ^bb0(%i: i64):
      %here = arith.cmpi eq, %i, %c : i64
      %e = arith.select %here, %one, %zero : f64
      array.yield %e : f64
    } : tensor<?xf64>
    %r:2 = array.jvp at (%x : tensor<?xf64>) along (%seed : tensor<?xf64>) {
    ^bb0(%a: tensor<?xf64>):
      %y = array.map (%n) ins(%a : tensor<?xf64>) {
      ^bb0(%i: i64, %e: f64):
        %next = arith.addi %i, %c1 : i64
        %k = arith.remsi %next, %n : i64
        %neighbour = array.element %a[%k] : tensor<?xf64>
        %p = arith.mulf %e, %neighbour : f64
        array.yield %p : f64
      } : tensor<?xf64>
      %z = array.map (%n) ins(%y : tensor<?xf64>) {
      ^bb0(%i: i64, %e: f64):
        %next = arith.addi %i, %c1 : i64
        %k = arith.remsi %next, %n : i64
        %neighbour = array.element %y[%k] : tensor<?xf64>
        %p = arith.mulf %e, %neighbour : f64
        array.yield %p : f64
      } : tensor<?xf64>
      array.yield %z : tensor<?xf64>
    } : tensor<?xf64>, tensor<?xf64>
    array.yield %r#1 : tensor<?xf64>
  } : tensor<?x?xf64>
  return %j : tensor<?x?xf64>
}
