// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: ferry-opt %s --array-differentiate --array-check-differentiated --canonicalize | FileCheck %s
// RUN: echo '[0.5, 1.5, 2] [1, -1, 0.5]' | ferry-interpret %s map --passes=array-differentiate,canonicalize
// RUN: echo '[0.5, 1.5, 2] [1, -1, 0.5]' | ferry-interpret %s product --passes=array-differentiate,canonicalize
// RUN: echo '[0.5, 1.5, 2] [1, -1, 0.5]' | ferry-interpret %s scan --passes=array-differentiate,canonicalize
// RUN: echo '[0.5, 1.5, 2] [1, -1, 0.5] [0, 1, 0]' | ferry-interpret %s writes --passes=array-differentiate,canonicalize
// RUN: echo '[0.5, -1.5, 2] [1, -1, 0.5]' | ferry-interpret %s filter --passes=array-differentiate,canonicalize
// RUN: echo '0.5 1.0 3' | ferry-interpret %s loops --passes=array-differentiate,canonicalize
// RUN: echo '[0.5, 1.5, 2] [1, -1, 0.5]' | ferry-interpret %s updates --passes=array-differentiate,canonicalize
// RUN: echo '[[0.5, 1.5], [2, 3]] [[1, -1], [0.5, 2]]' | ferry-interpret %s views --passes=array-differentiate,canonicalize
// RUN: echo '0.5 1.0' | ferry-interpret %s second --passes=array-differentiate,canonicalize
// RUN: echo '[0.5, 1.5, 2]' | ferry-interpret %s seeds --passes=array-differentiate,canonicalize
// RUN: echo '[0.5, 1.5, 2] [1, -1, 0.5]' | ferry-interpret %s pinned --passes=array-differentiate,canonicalize

// One map for values and tangents; what does not depend on the argument has no tangent.
// CHECK-LABEL: func.func @map
// CHECK: array.map
// CHECK: %[[Y:.*]] = math.exp
// CHECK-NEXT: %[[D:.*]] = arith.mulf %[[Y]],
// CHECK-NEXT: array.yield %[[Y]], %[[D]]
func.func @map(%x: tensor<?xf64>, %dx: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = array.jvp at (%x : tensor<?xf64>) along (%dx : tensor<?xf64>) {
  ^bb0(%a: tensor<?xf64>):
    %n = array.dim %a, 0 : tensor<?xf64>
    %y = array.map (%n) ins(%a : tensor<?xf64>) {
    ^bb0(%i: i64, %e: f64):
      %f = math.exp %e : f64
      array.yield %f : f64
    } : tensor<?xf64>
    array.yield %y : tensor<?xf64>
  } : tensor<?xf64>, tensor<?xf64>
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

// The operator combines pairs by the product rule.
// CHECK-LABEL: func.func @product
// CHECK: array.reduce
// CHECK: operator
// CHECK-NEXT: ^bb0(%[[A:.*]]: f64, %[[DA:.*]]: f64, %[[B:.*]]: f64, %[[DB:.*]]: f64):
// CHECK-DAG: arith.mulf %[[A]], %[[B]]
// CHECK-DAG: arith.mulf %[[DA]], %[[B]]
// CHECK-DAG: arith.mulf %[[A]], %[[DB]]
func.func @product(%x: tensor<?xf64>, %dx: tensor<?xf64>) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %r:2 = array.jvp at (%x : tensor<?xf64>) along (%dx : tensor<?xf64>) {
  ^bb0(%a: tensor<?xf64>):
    %n = array.dim %a, 0 : tensor<?xf64>
    %y = array.reduce (%n) ins(%a : tensor<?xf64>) neutral(%one : f64) {
    ^bb0(%i: i64, %e: f64):
      array.yield %e : f64
    } operator {
    ^bb0(%p: f64, %q: f64):
      %s = arith.mulf %p, %q : f64
      array.yield %s : f64
    } : f64
    array.yield %y : f64
  } : f64, f64
  return %r#0, %r#1 : f64, f64
}

// An operator of two parts of which one, an index, has no tangent: the largest element so far and where it is.
// CHECK-LABEL: func.func @scan
func.func @scan(%x: tensor<?xf64>, %dx: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xi64>) {
  %least = arith.constant -1.0e9 : f64
  %none = arith.constant -1 : i64
  %r:4 = array.jvp at (%x : tensor<?xf64>) along (%dx : tensor<?xf64>) {
  ^bb0(%a: tensor<?xf64>):
    %n = array.dim %a, 0 : tensor<?xf64>
    %y:2 = array.scan (%n) ins(%a : tensor<?xf64>) neutral(%least, %none : f64, i64) {
    ^bb0(%i: i64, %e: f64):
      %s = arith.mulf %e, %e : f64
      array.yield %s, %i : f64, i64
    } operator {
    ^bb0(%p: f64, %i: i64, %q: f64, %j: i64):
      %more = arith.cmpf ogt, %q, %p : f64
      %s = arith.select %more, %q, %p : f64
      %k = arith.select %more, %j, %i : i64
      array.yield %s, %k : f64, i64
    } : tensor<?xf64>, tensor<?xi64>
    array.yield %y#0, %y#1 : tensor<?xf64>, tensor<?xi64>
  } : tensor<?xf64>, tensor<?xi64>, tensor<?xf64>, tensor<?xi64>
  return %r#2, %r#1 : tensor<?xf64>, tensor<?xi64>
}

// CHECK-LABEL: func.func @writes
func.func @writes(%x: tensor<?xf64>, %dx: tensor<?xf64>, %is: tensor<?xi64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %c1 = arith.constant 1 : i64
  %r:4 = array.jvp at (%x : tensor<?xf64>) along (%dx : tensor<?xf64>) {
  ^bb0(%a: tensor<?xf64>):
    %n = array.dim %a, 0 : tensor<?xf64>
    %bins = array.replicate (%n) %one : f64 -> tensor<?xf64>
    %h = array.hist (%n) ins(%is, %a : tensor<?xi64>, tensor<?xf64>) into (%bins : tensor<?xf64>) neutral(%one : f64) rank 1 {
    ^bb0(%i: i64, %at: i64, %e: f64):
      %s = math.sin %e : f64
      array.yield %at, %s : i64, f64
    } operator {
    ^bb0(%p: f64, %q: f64):
      %s = arith.mulf %p, %q : f64
      array.yield %s : f64
    } : tensor<?xf64>
    %to = array.copy %a : tensor<?xf64>
    %last = array.slice %is[%c1] [%c1] [%c1] : tensor<?xi64> -> tensor<?xi64>
    %w = array.scatter (%c1) ins(%last : tensor<?xi64>) into (%to : tensor<?xf64>) rank 1 {
    ^bb0(%i: i64, %at: i64):
      %e = array.element %a[%at] : tensor<?xf64>
      %s = math.exp %e : f64
      array.yield %at, %s : i64, f64
    } : tensor<?xf64>
    array.yield %h, %w : tensor<?xf64>, tensor<?xf64>
  } : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
  return %r#2, %r#3 : tensor<?xf64>, tensor<?xf64>
}

// CHECK-LABEL: func.func @filter
func.func @filter(%x: tensor<?xf64>, %dx: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r:2 = array.jvp at (%x : tensor<?xf64>) along (%dx : tensor<?xf64>) {
  ^bb0(%a: tensor<?xf64>):
    %n = array.dim %a, 0 : tensor<?xf64>
    %count, %kept = array.filter (%n) ins(%a : tensor<?xf64>) {
    ^bb0(%i: i64, %e: f64):
      %keep = arith.cmpf ogt, %e, %zero : f64
      %s = arith.mulf %e, %e : f64
      array.yield %keep, %s : i1, f64
    } : tensor<?xf64>
    %y = array.slice %kept[%c0] [%count] [%c1] : tensor<?xf64> -> tensor<?xf64>
    array.yield %y : tensor<?xf64>
  } : tensor<?xf64>, tensor<?xf64>
  return %r#1 : tensor<?xf64>
}

// Carried values become active in the loop; a branch makes one arm's tangent zero.
// CHECK-LABEL: func.func @loops
// CHECK: scf.for
// CHECK: scf.while
func.func @loops(%x: f64, %dx: f64, %n: i64) -> (f64, f64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1.0 : f64
  %ten = arith.constant 10.0 : f64
  %r:2 = array.jvp at (%x : f64) along (%dx : f64) {
  ^bb0(%a: f64):
    %s:3 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %one, %q = %one, %k = %c0) -> (f64, f64, i64) : i64 {
      %t = arith.mulf %p, %a : f64
      %u = arith.addf %t, %q : f64
      %even = arith.cmpi eq, %k, %c0 : i64
      %v = scf.if %even -> f64 {
        scf.yield %one : f64
      } else {
        %w = math.sin %u : f64
        scf.yield %w : f64
      }
      %k1 = arith.addi %k, %c1 : i64
      scf.yield %u, %v, %k1 : f64, f64, i64
    }
    %w:2 = scf.while (%p = %one, %q = %s#0) : (f64, f64) -> (f64, f64) {
      %square = arith.mulf %q, %q : f64
      %more = arith.cmpf olt, %square, %ten : f64
      scf.condition(%more) %p, %square : f64, f64
    } do {
    ^bb0(%p: f64, %q: f64):
      %t = arith.addf %p, %q : f64
      %u = arith.addf %q, %one : f64
      scf.yield %t, %u : f64, f64
    }
    %y = arith.addf %w#0, %w#1 : f64
    array.yield %y : f64
  } : f64, f64
  return %r#0, %r#1 : f64, f64
}

// An array that starts as a constant and is written with what depends on the argument.
// CHECK-LABEL: func.func @updates
func.func @updates(%x: tensor<?xf64>, %dx: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f64
  %r:2 = array.jvp at (%x : tensor<?xf64>) along (%dx : tensor<?xf64>) {
  ^bb0(%a: tensor<?xf64>):
    %n = array.dim %a, 0 : tensor<?xf64>
    %start = array.replicate (%n) %zero : f64 -> tensor<?xf64>
    %y = scf.for %i = %c1 to %n step %c1 iter_args(%b = %start) -> tensor<?xf64> : i64 {
      %j = arith.subi %i, %c1 : i64
      %before = array.element %b[%j] : tensor<?xf64>
      %e = array.element %a[%i] : tensor<?xf64>
      %s = arith.mulf %e, %e : f64
      %t = arith.addf %before, %s : f64
      %next = array.update %b[%i] = %t : tensor<?xf64>, f64
      scf.yield %next : tensor<?xf64>
    }
    %part = array.slice %a[%c0] [%c1] [%c1] : tensor<?xf64> -> tensor<?xf64>
    %z = array.insert_slice %y[%c0] [%c1] [%c1] = %part : tensor<?xf64>, tensor<?xf64>
    array.yield %z : tensor<?xf64>
  } : tensor<?xf64>, tensor<?xf64>
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

// CHECK-LABEL: func.func @views
func.func @views(%x: tensor<?x?xf64>, %dx: tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %two = arith.constant 2.0 : f64
  %r:4 = array.jvp at (%x : tensor<?x?xf64>) along (%dx : tensor<?x?xf64>) {
  ^bb0(%a: tensor<?x?xf64>):
    %t = array.permute %a [1, 0] : tensor<?x?xf64> -> tensor<?x?xf64>
    %row = array.row %t[%c1] : tensor<?x?xf64> -> tensor<?xf64>
    %flat = array.reshape %a to (%c4) : tensor<?x?xf64> -> tensor<?xf64>
    %e = array.element %a[%c0, %c0] : tensor<?x?xf64>
    %f = arith.mulf %e, %e : f64
    %pair = array.literal %f, %two : f64, f64 -> tensor<?xf64>
    %joined = array.concat %row, %flat, %pair : tensor<?xf64>, tensor<?xf64>, tensor<?xf64> -> tensor<?xf64>
    %many = array.replicate (%c4) %joined : tensor<?xf64> -> tensor<?x?xf64>
    array.yield %joined, %many : tensor<?xf64>, tensor<?x?xf64>
  } : tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>
  return %r#2, %r#3 : tensor<?xf64>, tensor<?x?xf64>
}

// A derivative of a derivative.
// CHECK-LABEL: func.func @second
// CHECK-NOT: array.jvp
func.func @second(%x: f64, %dx: f64) -> (f64, f64) {
  %r:4 = array.jvp at (%x : f64) along (%dx : f64) {
  ^bb0(%a: f64):
    %s:2 = array.jvp at (%a : f64) along (%a : f64) {
    ^bb0(%b: f64):
      %t = math.sin %b : f64
      %u = arith.mulf %t, %a : f64
      array.yield %u : f64
    } : f64, f64
    array.yield %s#0, %s#1 : f64, f64
  } : f64, f64, f64, f64
  return %r#2, %r#3 : f64, f64
}

// One derivative per seed, in parallel.
// CHECK-LABEL: func.func @seeds
func.func @seeds(%x: tensor<?xf64>) -> tensor<?x?xf64> {
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
        %neighbour = array.element %a[%k] unchecked : tensor<?xf64>
        %p = arith.mulf %e, %neighbour : f64
        array.yield %p : f64
      } : tensor<?xf64>
      array.yield %y : tensor<?xf64>
    } : tensor<?xf64>, tensor<?xf64>
    array.yield %r#1 : tensor<?xf64>
  } : tensor<?x?xf64>
  return %j : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @pinned
// CHECK: array.pin <host> "f"
// CHECK: array.map
func.func @pinned(%x: tensor<?xf64>, %dx: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = array.jvp at (%x : tensor<?xf64>) along (%dx : tensor<?xf64>) {
  ^bb0(%a: tensor<?xf64>):
    %y = array.pin #array.side<host> "f" {
      %n = array.dim %a, 0 : tensor<?xf64>
      %z = array.map (%n) ins(%a : tensor<?xf64>) {
      ^bb0(%i: i64, %e: f64):
        %f = math.cos %e : f64
        array.yield %f : f64
      } : tensor<?xf64>
      array.yield %z : tensor<?xf64>
    } : tensor<?xf64>
    array.yield %y : tensor<?xf64>
  } : tensor<?xf64>, tensor<?xf64>
  return %r#1 : tensor<?xf64>
}
