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
