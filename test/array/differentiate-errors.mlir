// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: ferry-opt %s --array-differentiate --split-input-file --verify-diagnostics

func.func private @lgamma(f64) -> f64
func.func @gamma(%x: f64, %dx: f64) -> f64 {
  %r:2 = array.jvp at (%x : f64) along (%dx : f64) {
  ^bb0(%a: f64):
    // expected-error @+1 {{jvp: the derivative of 'lgamma' is not known}}
    %y = func.call @lgamma(%a) : (f64) -> f64
    array.yield %y : f64
  } : f64, f64
  return %r#1 : f64
}

// -----

func.func @clamp(%x: f64, %dx: f64) -> f64 {
  %r:2 = array.jvp at (%x : f64) along (%dx : f64) {
  ^bb0(%a: f64):
    // expected-error @+1 {{jvp: 'math.clampf' has no derivative}}
    %y = math.clampf %a to [%a, %a] : f64
    array.yield %y : f64
  } : f64, f64
  return %r#1 : f64
}
