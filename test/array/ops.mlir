// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each operation is printed as it is parsed.
// RUN: ferry-opt %s | ferry-opt | FileCheck %s
// RUN: ferry-opt %s --mlir-print-op-generic | ferry-opt | FileCheck %s

!host = tensor<?xf32, #array.side<host>>
!device = tensor<?xf32, #array.side<device>>

// CHECK-LABEL: func.func @creation
func.func @creation(%n: i64, %x: f32, %xs: tensor<?xf32>) {
  // CHECK: array.dim %{{.*}}, 0 : tensor<?xf32>
  %d = array.dim %xs, 0 : tensor<?xf32>
  // CHECK: array.iota %{{.*}}, %{{.*}}, %{{.*}} : i64 -> tensor<?xi64>
  %iota = array.iota %n, %d, %n : i64 -> tensor<?xi64>
  // CHECK: array.replicate(%{{.*}}, %{{.*}}) %{{.*}} : f32 -> tensor<?x?xf32>
  %r = array.replicate (%n, %d) %x : f32 -> tensor<?x?xf32>
  // CHECK: array.literal %{{.*}}, %{{.*}} : f32, f32 -> tensor<?xf32>
  %l = array.literal %x, %x : f32, f32 -> tensor<?xf32>
  // CHECK: array.alloc(%{{.*}}) : tensor<?xi1>
  %a = array.alloc (%n) : tensor<?xi1>
  // CHECK: array.from_scalar %{{.*}} : f32 -> tensor<f32>
  %s = array.from_scalar %x : f32 -> tensor<f32>
  // CHECK: array.to_scalar %{{.*}} : tensor<f32>
  %t = array.to_scalar %s : tensor<f32>
  return
}

// CHECK-LABEL: func.func @soacs
func.func @soacs(%n: i64, %xs: tensor<?xf32>, %to: tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  // CHECK: array.map(%{{.*}}) ins(%{{.*}} : tensor<?xf32>) {
  // CHECK-NEXT: ^bb0(%{{.*}}: i64, %{{.*}}: f32):
  // CHECK: } {name = "kept"} : tensor<?xf32>
  %m = array.map (%n) ins(%xs : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    array.yield %x : f32
  } {name = "kept"} : tensor<?xf32>
  // CHECK: array.map(%{{.*}}) {
  array.map (%n) {
  ^bb0(%i: i64):
    array.yield
  }
  // CHECK: array.reduce(%{{.*}}) ins(%{{.*}} : tensor<?xf32>) neutral(%{{.*}} : f32) {
  // CHECK: } operator {
  // CHECK: } {commutative} : f32
  %r = array.reduce (%n) ins(%xs : tensor<?xf32>) neutral(%zero : f32) {
  ^bb0(%i: i64, %x: f32):
    array.yield %x : f32
  } operator {
  ^bb0(%a: f32, %b: f32):
    array.yield %a : f32
  } {commutative} : f32
  // CHECK: array.scan(%{{.*}}) ins(%{{.*}} : tensor<?xf32>) neutral(%{{.*}} : f32) {
  %s = array.scan (%n) ins(%xs : tensor<?xf32>) neutral(%zero : f32) {
  ^bb0(%i: i64, %x: f32):
    array.yield %x : f32
  } operator {
  ^bb0(%a: f32, %b: f32):
    array.yield %a : f32
  } : tensor<?xf32>
  // CHECK: array.hist(%{{.*}}) ins(%{{.*}} : tensor<?xf32>) into(%{{.*}} : tensor<?xf32>) neutral(%{{.*}} : f32) rank 1 {
  %h = array.hist (%n) ins(%xs : tensor<?xf32>) into (%to : tensor<?xf32>) neutral(%zero : f32) rank 1 {
  ^bb0(%i: i64, %x: f32):
    array.yield %i, %x : i64, f32
  } operator {
  ^bb0(%a: f32, %b: f32):
    array.yield %a : f32
  } : tensor<?xf32>
  // CHECK: array.scatter(%{{.*}}) ins(%{{.*}} : tensor<?xf32>) into(%{{.*}} : tensor<?xf32>) rank 1 {
  %w = array.scatter (%n) ins(%xs : tensor<?xf32>) into (%h : tensor<?xf32>) rank 1 {
  ^bb0(%i: i64, %x: f32):
    array.yield %i, %x : i64, f32
  } : tensor<?xf32>
  // CHECK: array.filter(%{{.*}}) ins(%{{.*}} : tensor<?xf32>) {
  %count, %kept = array.filter (%n) ins(%xs : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32):
    %keep = arith.cmpf ogt, %x, %zero : f32
    array.yield %keep, %x : i1, f32
  } : tensor<?xf32>
  return
}

// CHECK-LABEL: func.func @parts
func.func @parts(%x: tensor<?x?xf32>, %i: i64, %v: f32) {
  // CHECK: array.element %{{.*}}[%{{.*}}, %{{.*}}] : tensor<?x?xf32>
  %e = array.element %x[%i, %i] : tensor<?x?xf32>
  // CHECK: array.element %{{.*}}[%{{.*}}, %{{.*}}] unchecked : tensor<?x?xf32>
  %f = array.element %x[%i, %i] unchecked : tensor<?x?xf32>
  // CHECK: array.row %{{.*}}[%{{.*}}] : tensor<?x?xf32> -> tensor<?xf32>
  %row = array.row %x[%i] : tensor<?x?xf32> -> tensor<?xf32>
  // CHECK: array.slice %{{.*}}[%{{.*}}] [%{{.*}}] [%{{.*}}] : tensor<?xf32> -> tensor<?xf32>
  %s = array.slice %row[%i] [%i] [%i] : tensor<?xf32> -> tensor<?xf32>
  // CHECK: array.permute %{{.*}} [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  %p = array.permute %x [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  // CHECK: array.reshape %{{.*}} to(%{{.*}}) : tensor<?x?xf32> -> tensor<?xf32>
  %r = array.reshape %x to (%i) : tensor<?x?xf32> -> tensor<?xf32>
  // CHECK: array.concat %{{.*}}, %{{.*}} : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
  %c = array.concat %s, %r : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
  // CHECK: array.copy %{{.*}} : tensor<?x?xf32>
  %y = array.copy %x : tensor<?x?xf32>
  // CHECK: array.update %{{.*}}[%{{.*}}, %{{.*}}] = %{{.*}} : tensor<?x?xf32>, f32
  %u = array.update %y[%i, %i] = %v : tensor<?x?xf32>, f32
  // CHECK: array.update %{{.*}}[%{{.*}}] = %{{.*}} unchecked : tensor<?x?xf32>, tensor<?xf32>
  %w = array.update %u[%i] = %row unchecked : tensor<?x?xf32>, tensor<?xf32>
  // CHECK: array.insert_slice %{{.*}}[%{{.*}}] [%{{.*}}] [%{{.*}}] = %{{.*}} : tensor<?xf32>, tensor<?xf32>
  %z = array.insert_slice %c[%i] [%i] [%i] = %s : tensor<?xf32>, tensor<?xf32>
  // CHECK: array.assert %{{.*}}, "{0} is {1}"(%{{.*}}, %{{.*}})
  %ok = arith.cmpi slt, %i, %i : i64
  array.assert %ok, "{0} is {1}" (%i, %i)
  return
}

// CHECK-LABEL: func.func @derivative
func.func @derivative(%x: f32) -> f32 {
  // CHECK: array.jvp at(%{{.*}} : f32) along(%{{.*}} : f32) {
  %r:2 = array.jvp at (%x : f32) along (%x : f32) {
  ^bb0(%a: f32):
    array.yield %a : f32
  } : f32, f32
  return %r#1 : f32
}

// CHECK-LABEL: func.func @placement
// CHECK-SAME: array.pin = #array.side<device>
func.func @placement(%x: !host, %i: i64, %v: f32) -> !host attributes {array.pin = #array.side<device>} {
  // CHECK: array.pin <host> "f" {
  array.pin #array.side<host> "f" {
    array.yield
  }
  // CHECK: array.transfer %{{.*}} : tensor<?xf32, #array.side<host>> -> tensor<?xf32, #array.side<device>>
  %d = array.transfer %x : !host -> !device
  // CHECK: array.launch "k" sequential {
  %k = array.launch "k" sequential {
    array.yield %d : !device
  } : !device
  // CHECK: array.peek %{{.*}}[%{{.*}}] : tensor<?xf32, #array.side<device>>
  %p = array.peek %k[%i] : !device
  // CHECK: array.poke %{{.*}}[%{{.*}}] = %{{.*}} : tensor<?xf32, #array.side<device>>, f32
  %q = array.poke %k[%i] = %v : !device, f32
  // CHECK: array.pass %{{.*}} : f32 -> tensor<f32, #array.side<device>>
  %passed = array.pass %v : f32 -> tensor<f32, #array.side<device>>
  // CHECK: array.tick %{{.*}}
  array.tick %i
  // CHECK: array.observe 3
  array.observe 3
  // CHECK: array.observe 4 of %{{.*}}
  array.observe 4 of %i
  // CHECK: array.resident 8 to 16
  array.resident 8 to 16
  %h = array.transfer %q : !device -> !host
  return %h : !host
}
