// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: ferry-opt %s -split-input-file -array-place -verify-diagnostics

func.func private @library(%xs: tensor<?xi64>) -> tensor<?xi64>

func.func @call(%xs: tensor<?xi64>) -> tensor<?xi64> {
  // expected-note @below {{'work' pins it}}
  %r = array.pin <device> "work" {
    // expected-error @below {{'call' is pinned to the device, but only the host can run it}}
    %q = func.call @library(%xs) : (tensor<?xi64>) -> tensor<?xi64>
    array.yield %q : tensor<?xi64>
  } : tensor<?xi64>
  return %r : tensor<?xi64>
}

// -----

// expected-error @below {{cannot be placed: it has several blocks}}
func.func @blocks(%xs: tensor<?xi64>, %c: i1) -> tensor<?xi64> {
  cf.cond_br %c, ^a, ^b
^a:
  return %xs : tensor<?xi64>
^b:
  return %xs : tensor<?xi64>
}
