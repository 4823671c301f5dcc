// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: ferry-opt %s --array-fuse | FileCheck %s
// RUN: ferry-opt %s --array-fuse=one-side | FileCheck %s --check-prefix=ONE
// RUN: echo '[1.5, 2.5, -3]' | ferry-interpret %s map_reduce --passes=array-fuse
// RUN: echo '[1.5, 2.5, -3]' | ferry-interpret %s cheap_twice --passes=array-fuse
// RUN: echo '[1.5, 2.5, -3]' | ferry-interpret %s costly_twice --passes=array-fuse
// RUN: echo '[1.5, 2.5, -3]' | ferry-interpret %s kept_result --passes=array-fuse
// RUN: echo '[1.5, 2.5, -3]' | ferry-interpret %s kept_for_the_host --passes=array-fuse
// RUN: echo '[1.5, 2.5, -3] [1]' | ferry-interpret %s unequal_siblings --passes=array-fuse
// RUN: echo '[1.5, 2.5, -3]' | ferry-interpret %s siblings --passes=array-fuse
// RUN: echo '[0, 5, 1] [1.5, 2.5, -3] [0, 0]' | ferry-interpret %s writes --passes=array-fuse
// RUN: echo '[1.5, 2.5, -3]' | ferry-interpret %s consumed_between --passes=array-fuse
// RUN: echo '4 10' | ferry-interpret %s made_inputs --passes=array-fuse
// RUN: echo '[[1, 2], [3, 4]] [5, 6]' | ferry-interpret %s rows --passes=array-fuse
// RUN: echo '[1.5, 2.5, -3]' | ferry-interpret %s pinned --passes=array-fuse
// RUN: echo '[3, 1, 2]' | ferry-interpret %s scan_filter --passes=array-fuse
// RUN: echo '[3, 1, 2] 7' | ferry-interpret %s results --passes=array-fuse
// RUN: echo '[1.5, 2.5, -3] [2, 0, 1]' | ferry-interpret %s by_index --passes=array-fuse
// RUN: echo '[1.5, 2.5, -3] [2, 0, 3]' | not ferry-interpret %s by_index --passes=array-fuse 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: echo '[1.5, 2.5, -3]' | ferry-interpret %s read_by_loop --passes=array-fuse

// A map of a map of an array, summed: one pass over the array, no array in between.
// CHECK-LABEL: func.func @map_reduce
// CHECK-NOT: array.map
// CHECK: array.reduce
// CHECK: mulf
// CHECK: addf
// CHECK: operator
func.func @map_reduce(%xs: tensor<?xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %n = array.dim %xs, 0 : tensor<?xf32>
  %squares = array.map (%n) ins(%xs : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %y = arith.mulf %x, %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %m = array.dim %squares, 0 : tensor<?xf32>
  %shifted = array.map (%m) ins(%squares, %xs : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32, %x0: f32):
    %y = arith.addf %x, %x0 : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %sum = array.reduce (%m) ins(%shifted : tensor<?xf32>) neutral(%zero : f32) {
  ^bb0(%i: i64, %x: f32):
    array.yield %x : f32
  } operator {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    array.yield %c : f32
  } : f32
  return %sum : f32
}

// Two consumers over different grids: computing x + x again is cheaper than storing it.
// CHECK-LABEL: func.func @cheap_twice
// CHECK-COUNT-1: array.map
// CHECK-NOT: array.map
// CHECK: array.reduce
func.func @cheap_twice(%xs: tensor<?xf32>) -> (tensor<?xf32>, f32) {
  %zero = arith.constant 0.0 : f32
  %n = array.dim %xs, 0 : tensor<?xf32>
  %twice = array.map (%n) ins(%xs : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %y = arith.addf %x, %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %r = array.map (%n) ins(%twice : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %y = math.exp %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %sum = array.reduce (%n) ins(%twice : tensor<?xf32>) neutral(%zero : f32) {
  ^bb0(%i: i64, %x: f32):
    array.yield %x : f32
  } operator {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    array.yield %c : f32
  } : f32
  return %r, %sum : tensor<?xf32>, f32
}

// exp is not computed again: the first consumer, a map, makes it as well.
// CHECK-LABEL: func.func @costly_twice
// CHECK: %[[BOTH:.*]]:2 = array.map
// CHECK-COUNT-1: math.exp
// CHECK-NOT: math.exp
// CHECK: array.reduce{{.*}} ins(%[[BOTH]]#0
func.func @costly_twice(%xs: tensor<?xf32>) -> (tensor<?xf32>, f32) {
  %zero = arith.constant 0.0 : f32
  %n = array.dim %xs, 0 : tensor<?xf32>
  %exps = array.map (%n) ins(%xs : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %y = math.exp %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %r = array.map (%n) ins(%exps : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %y = arith.mulf %x, %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %sum = array.reduce (%n) ins(%exps : tensor<?xf32>) neutral(%zero : f32) {
  ^bb0(%i: i64, %x: f32):
    array.yield %x : f32
  } operator {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    array.yield %c : f32
  } : f32
  return %r, %sum : tensor<?xf32>, f32
}

// Both are needed on the host: it may make the second from the first, which is brought over anyway. If all runs on one
// side, one map makes both.
// CHECK-LABEL: func.func @kept_result
// CHECK: %[[A:.*]] = array.map
// CHECK: %[[B:.*]] = array.map{{.*}} ins(%[[A]]
// CHECK: return %[[A]], %[[B]]
// ONE-LABEL: func.func @kept_result
// ONE: %[[BOTH:.*]]:2 = array.map
// ONE-NOT: array.map
// ONE: return %[[BOTH]]#0, %[[BOTH]]#1
func.func @kept_result(%xs: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %n = array.dim %xs, 0 : tensor<?xf32>
  %a = array.map (%n) ins(%xs : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %y = math.sin %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %b = array.map (%n) ins(%a : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %y = math.cos %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  return %a, %b : tensor<?xf32>, tensor<?xf32>
}

// The same where the host reads elements, or a view of the result, or a pinned part of the program does.
// CHECK-LABEL: func.func @kept_for_the_host
// CHECK-COUNT-2: array.map
// CHECK: scf.for
func.func @kept_for_the_host(%xs: tensor<?xf32>) -> (f32, f32) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = array.dim %xs, 0 : tensor<?xf32>
  %a = array.map (%n) ins(%xs : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %y = math.sin %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %b = array.map (%n) ins(%a : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %y = arith.addf %x, %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %view = array.slice %a[%c0] [%n] [%c1] : tensor<?xf32> -> tensor<?xf32>
  %f = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f32 : i64 {
    %x = array.element %view[%i] : tensor<?xf32>
    %t = arith.divf %x, %s : f32
    scf.yield %t : f32
  }
  %g = array.pin #array.side<host> "total" {
    %sum = array.reduce (%n) ins(%b : tensor<?xf32>) neutral(%zero : f32) {
    ^bb0(%i: i64, %x: f32):
      array.yield %x : f32
    } operator {
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      array.yield %z : f32
    } : f32
    array.yield %sum : f32
  } : f32
  return %f, %g : f32, f32
}

// Maps of one array: one for parallel code, two for the host, which may make the cheap one itself.
// CHECK-LABEL: func.func @unequal_siblings
// CHECK-COUNT-3: array.map
// CHECK: scf.for
// ONE-LABEL: func.func @unequal_siblings
// ONE: %{{.*}}:3 = array.map
func.func @unequal_siblings(%xs: tensor<?xf32>, %is: tensor<?xi64>) -> (tensor<?xf32>, tensor<?xf32>, f32) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i64
  %n = array.dim %xs, 0 : tensor<?xf32>
  %a = array.map (%n) ins(%xs : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %y = math.sin %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %b = array.map (%n) ins(%xs : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %y = arith.addf %x, %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %c = array.map (%n) ins(%xs : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %y = math.cos %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %c1 = arith.constant 1 : i64
  %f = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f32 : i64 {
    %sum = array.reduce (%n) ins(%c : tensor<?xf32>) neutral(%s : f32) {
    ^bb0(%j: i64, %x: f32):
      array.yield %x : f32
    } operator {
    ^bb0(%x: f32, %y: f32):
      %z = arith.maximumf %x, %y : f32
      array.yield %z : f32
    } : f32
    scf.yield %sum : f32
  }
  return %a, %b, %f : tensor<?xf32>, tensor<?xf32>, f32
}

// Two sums and two maps of one array: one reduction, one map.
// CHECK-LABEL: func.func @siblings
// CHECK: %{{.*}}:2 = array.map
// CHECK: %{{.*}}:2 = array.reduce
// CHECK: operator
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[P:.*]]: f32, %[[B:.*]]: f32, %[[Q:.*]]: f32):
// CHECK-DAG: arith.addf %[[A]], %[[B]]
// CHECK-DAG: arith.maximumf %[[P]], %[[Q]]
func.func @siblings(%xs: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, f32, f32) {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %n = array.dim %xs, 0 : tensor<?xf32>
  %a = array.map (%n) ins(%xs : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %y = math.sin %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %sum = array.reduce (%n) ins(%xs : tensor<?xf32>) neutral(%zero : f32) {
  ^bb0(%i: i64, %x: f32):
    array.yield %x : f32
  } operator {
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %y : f32
    array.yield %z : f32
  } : f32
  %b = array.map (%n) ins(%xs : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %y = math.cos %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %max = array.reduce (%n) ins(%xs : tensor<?xf32>) neutral(%least : f32) {
  ^bb0(%i: i64, %x: f32):
    array.yield %x : f32
  } operator {
  ^bb0(%x: f32, %y: f32):
    %z = arith.maximumf %x, %y : f32
    array.yield %z : f32
  } : f32
  return %a, %b, %sum, %max : tensor<?xf32>, tensor<?xf32>, f32, f32
}

// Indices and values are computed where they are written.
// CHECK-LABEL: func.func @writes
// CHECK-NOT: array.map
// CHECK: array.scatter
// CHECK: math.exp
// CHECK-NOT: array.map
// CHECK: array.hist
// CHECK: math.exp
func.func @writes(%is: tensor<?xi32>, %xs: tensor<?xf32>, %to: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %n = array.dim %is, 0 : tensor<?xi32>
  %at = array.map (%n) ins(%is : tensor<?xi32>) {
  ^bb0(%i: i64, %x: i32):
    %y = arith.extsi %x : i32 to i64
    array.yield %y : i64
  } : tensor<?xi64>
  %values = array.map (%n) ins(%xs : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %y = math.exp %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %a = array.copy %to : tensor<?xf32>
  %r = array.scatter (%n) ins(%at, %values : tensor<?xi64>, tensor<?xf32>) into (%a : tensor<?xf32>) rank 1 {
  ^bb0(%i: i64, %j: i64, %x: f32):
    array.yield %j, %x : i64, f32
  } : tensor<?xf32>
  %others = array.map (%n) ins(%xs : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %y = math.exp %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %b = array.copy %to : tensor<?xf32>
  %s = array.hist (%n) ins(%at, %others : tensor<?xi64>, tensor<?xf32>) into (%b : tensor<?xf32>) neutral(%zero : f32) rank 1 {
  ^bb0(%i: i64, %j: i64, %x: f32):
    array.yield %j, %x : i64, f32
  } operator {
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %y : f32
    array.yield %z : f32
  } : tensor<?xf32>
  return %r, %s : tensor<?xf32>, tensor<?xf32>
}

// The map must read the array before it is updated, and the scatter's body may not read what it writes.
// CHECK-LABEL: func.func @consumed_between
// CHECK: array.map
// CHECK: array.update
// CHECK: array.map
// CHECK: array.scatter
func.func @consumed_between(%arg: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %at = arith.constant 0 : i64
  %xs = array.copy %arg : tensor<?xf32>
  %n = array.dim %xs, 0 : tensor<?xf32>
  %a = array.map (%n) ins(%xs : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %y = arith.addf %x, %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %ys = array.update %xs[%at] = %zero : tensor<?xf32>, f32
  %b = array.map (%n) ins(%a : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %y = arith.mulf %x, %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %reversed = array.map (%n) ins(%ys : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %y = math.exp %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %zs = array.scatter (%n) ins(%reversed : tensor<?xf32>) into (%ys : tensor<?xf32>) rank 1 {
  ^bb0(%i: i64, %x: f32):
    array.yield %i, %x : i64, f32
  } : tensor<?xf32>
  return %b, %zs : tensor<?xf32>, tensor<?xf32>
}

// iota and replicate are arithmetic in the body.
// CHECK-LABEL: func.func @made_inputs
// CHECK-NOT: array.iota
// CHECK-NOT: array.replicate
// CHECK: array.map(%{{.*}}) {
func.func @made_inputs(%n: i64, %by: i32) -> tensor<?xi32> {
  %three = arith.constant 3 : i32
  %is = array.iota %n, %by, %three : i32 -> tensor<?xi32>
  %xs = array.replicate (%n) %by : i32 -> tensor<?xi32>
  %r = array.map (%n) ins(%is, %xs : tensor<?xi32>, tensor<?xi32>) {
  ^bb0(%i: i64, %x: i32, %y: i32):
    %z = arith.muli %x, %y : i32
    array.yield %z : i32
  } : tensor<?xi32>
  return %r : tensor<?xi32>
}

// A product of a matrix and a vector: the products of a row never become an array.
// CHECK-LABEL: func.func @rows
// CHECK: array.map
// CHECK-NOT: array.map
// CHECK: array.reduce
// CHECK: mulf
func.func @rows(%m: tensor<?x?xf32>, %v: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %n = array.dim %m, 0 : tensor<?x?xf32>
  %k = array.dim %v, 0 : tensor<?xf32>
  %products = array.map (%n) ins(%m : tensor<?x?xf32>) {
  ^bb0(%i: i64, %row: tensor<?xf32>):
    %p = array.map (%k) ins(%row, %v : tensor<?xf32>, tensor<?xf32>) {
    ^bb0(%j: i64, %x: f32, %y: f32):
      %z = arith.mulf %x, %y : f32
      array.yield %z : f32
    } : tensor<?xf32>
    array.yield %p : tensor<?xf32>
  } : tensor<?x?xf32>
  %r = array.map (%n) ins(%products : tensor<?x?xf32>) {
  ^bb0(%i: i64, %row: tensor<?xf32>):
    %sum = array.reduce (%k) ins(%row : tensor<?xf32>) neutral(%zero : f32) {
    ^bb0(%j: i64, %x: f32):
      array.yield %x : f32
    } operator {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      array.yield %c : f32
    } : f32
    array.yield %sum : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @pinned
// CHECK: array.map
// CHECK: array.pin
// CHECK: array.reduce
func.func @pinned(%xs: tensor<?xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %n = array.dim %xs, 0 : tensor<?xf32>
  %a = array.map (%n) ins(%xs : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %y = arith.addf %x, %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %r = array.pin #array.side<host> "total" {
    %sum = array.reduce (%n) ins(%a : tensor<?xf32>) neutral(%zero : f32) {
    ^bb0(%i: i64, %x: f32):
      array.yield %x : f32
    } operator {
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      array.yield %z : f32
    } : f32
    array.yield %sum : f32
  } : f32
  return %r : f32
}

// CHECK-LABEL: func.func @scan_filter
// CHECK-NOT: array.map
// CHECK: array.scan
// CHECK: array.filter
func.func @scan_filter(%xs: tensor<?xi32>) -> (tensor<?xi32>, i64) {
  %zero = arith.constant 0 : i32
  %n = array.dim %xs, 0 : tensor<?xi32>
  %squares = array.map (%n) ins(%xs : tensor<?xi32>) {
  ^bb0(%i: i64, %x: i32):
    %y = arith.muli %x, %x : i32
    array.yield %y : i32
  } : tensor<?xi32>
  %sums = array.scan (%n) ins(%squares : tensor<?xi32>) neutral(%zero : i32) {
  ^bb0(%i: i64, %x: i32):
    array.yield %x : i32
  } operator {
  ^bb0(%x: i32, %y: i32):
    %z = arith.addi %x, %y : i32
    array.yield %z : i32
  } : tensor<?xi32>
  %count, %kept = array.filter (%n) ins(%squares : tensor<?xi32>) {
  ^bb0(%i: i64, %x: i32):
    %keep = arith.cmpi sgt, %x, %zero : i32
    array.yield %keep, %x : i1, i32
  } : tensor<?xi32>
  return %sums, %count : tensor<?xi32>, i64
}

// Results that need no map: the input, a constant, the index; and one that is unused.
// CHECK-LABEL: func.func @results
// CHECK-NOT: array.map
// CHECK-DAG: array.replicate
// CHECK-DAG: array.iota
// CHECK: return %arg0
func.func @results(%xs: tensor<?xi32>, %c: i32) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi64>) {
  %n = array.dim %xs, 0 : tensor<?xi32>
  %r:4 = array.map (%n) ins(%xs : tensor<?xi32>) {
  ^bb0(%i: i64, %x: i32):
    %y = arith.muli %x, %x : i32
    array.yield %x, %c, %i, %y : i32, i32, i64, i32
  } : tensor<?xi32>, tensor<?xi32>, tensor<?xi64>, tensor<?xi32>
  return %r#0, %r#1, %r#2 : tensor<?xi32>, tensor<?xi32>, tensor<?xi64>
}

// Reads at computed indices of what is cheap to compute: each computes it, after the check of its index.
// OUTSIDE: error: Index [3] out of bounds for array of shape [3].
// CHECK-LABEL: func.func @by_index
// CHECK-COUNT-1: array.map
// CHECK: array.assert %{{.*}}, "Index [{0}] out of bounds
// CHECK: array.element %{{.*}} unchecked
// CHECK: addf
// CHECK-NOT: array.map
func.func @by_index(%xs: tensor<?xf32>, %is: tensor<?xi64>) -> tensor<?xf32> {
  %n = array.dim %xs, 0 : tensor<?xf32>
  %k = array.dim %is, 0 : tensor<?xi64>
  %twice = array.map (%n) ins(%xs : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %y = arith.addf %x, %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %r = array.map (%k) ins(%is : tensor<?xi64>) {
  ^bb0(%i: i64, %at: i64):
    %x = array.element %twice[%at] : tensor<?xf32>
    %y = array.element %twice[%i] : tensor<?xf32>
    %z = arith.mulf %x, %y : f32
    array.yield %z : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// Sequential code keeps the array that it reads: it may be on another side than the map.
// CHECK-LABEL: func.func @read_by_loop
// CHECK: array.map
// CHECK: scf.for
func.func @read_by_loop(%xs: tensor<?xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = array.dim %xs, 0 : tensor<?xf32>
  %twice = array.map (%n) ins(%xs : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %y = arith.addf %x, %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f32 : i64 {
    %x = array.element %twice[%i] : tensor<?xf32>
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  return %r : f32
}
