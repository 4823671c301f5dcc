// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: ferry-opt %s --array-inline-pins --array-check-inlined | FileCheck %s

// CHECK-NOT: func.func private @twice
func.func private @twice(%x: f32) -> f32 {
  %r = arith.addf %x, %x : f32
  return %r : f32
}
func.func private @on_host(%x: f32) -> f32 attributes {array.pin = #array.side<host>} {
  %r = call @twice(%x) : (f32) -> f32
  return %r : f32
}
// CHECK: func.func private @sinf
func.func private @sinf(f32) -> f32

// A pin stays where the call was; calls inside it are inlined as well, except of functions without a body.
// CHECK-LABEL: func.func @main
// CHECK: %[[R:.*]] = array.pin <host> "on_host" {
// CHECK-NEXT: %[[T:.*]] = arith.addf
// CHECK-NEXT: array.yield %[[T]]
// CHECK: call @sinf(%[[R]])
func.func @main(%x: f32) -> f32 {
  %r = call @on_host(%x) : (f32) -> f32
  %s = call @sinf(%r) : (f32) -> f32
  return %s : f32
}

// What a pinned function makes of its argument by a view is an array of its own, on the function's side.
func.func private @reversed(%xs: tensor<?xf32>, %n: i64) -> tensor<?xf32> attributes {array.pin = #array.side<host>} {
  %one = arith.constant 1 : i64
  %back = arith.constant -1 : i64
  %last = arith.subi %n, %one : i64
  %r = array.slice %xs[%last] [%n] [%back] unchecked : tensor<?xf32> -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @view
// CHECK:       array.pin <host> "reversed" {
// CHECK:         %[[V:.*]] = array.slice
// CHECK-NEXT:    %[[C:.*]] = array.copy %[[V]]
// CHECK-NEXT:    array.yield %[[C]]
func.func @view(%xs: tensor<?xf32>, %n: i64) -> tensor<?xf32> {
  %r = call @reversed(%xs, %n) : (tensor<?xf32>, i64) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
