// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: ferry-opt %s --array-inline-pins --verify-diagnostics --split-input-file

func.func private @again(%x: f32) -> f32 {
  // expected-error @+1 {{'func.call' op calls 'again' recursively}}
  %r = call @again(%x) : (f32) -> f32
  return %r : f32
}
func.func @main(%x: f32) -> f32 {
  %r = call @again(%x) : (f32) -> f32
  return %r : f32
}

// -----

func.func private @blocks(%x: f32) -> f32 {
  cf.br ^bb1
^bb1:
  return %x : f32
}
func.func @main(%x: f32) -> f32 {
  // expected-error @+1 {{'func.call' op calls 'blocks', which has several blocks}}
  %r = call @blocks(%x) : (f32) -> f32
  return %r : f32
}
