// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: ferry-opt %s --array-check-inlined --verify-diagnostics --split-input-file
// RUN: not ferry-opt %s --array-check-placed --split-input-file 2>&1 | FileCheck %s --check-prefix=PLACED
// RUN: not ferry-opt %s --array-check-differentiated --split-input-file 2>&1 | FileCheck %s --check-prefix=DERIVATIVE
// RUN: not ferry-opt %s --array-check-lowered --split-input-file 2>&1 | FileCheck %s --check-prefix=LOWERED

func.func private @callee(%x: f64) -> f64 {
  return %x : f64
}
func.func private @external(%x: f64) -> f64
func.func @caller(%x: f64) -> f64 {
  // expected-error @+1 {{'func.call' op is left after inlining: the callee has a body}}
  %y = call @callee(%x) : (f64) -> f64
  %z = call @external(%y) : (f64) -> f64
  return %z : f64
}

// -----

// DERIVATIVE: error: 'array.jvp' op is left after differentiation: derivatives are code now
// LOWERED: error: 'array.jvp' op is left after lowering: no array operation can be translated
func.func @derivative(%x: f64) -> f64 {
  %r:2 = array.jvp at (%x : f64) along (%x : f64) {
  ^bb0(%a: f64):
    array.yield %a : f64
  } : f64, f64
  return %r#1 : f64
}

// -----

// PLACED: error: 'array.pin' op is left after placement: pins are part of the placement now
func.func @pinned(%x: f64) -> f64 {
  %r = array.pin <host> "f" {
    array.yield %x : f64
  } : f64
  return %r : f64
}

// -----

// PLACED: error: 'array.iota' op is left after placement: a result has no side
func.func @unplaced(%n: i64) -> tensor<?xi64> {
  %r = array.iota %n, %n, %n : i64 -> tensor<?xi64>
  return %r : tensor<?xi64>
}

// -----

// LOWERED: error: 'tensor.empty' op is left after lowering: a result is still a tensor
func.func @tensors(%n: index) -> tensor<?xf32> {
  %r = tensor.empty(%n) : tensor<?xf32>
  return %r : tensor<?xf32>
}
