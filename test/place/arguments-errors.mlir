// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not ferry-opt %s -array-place="args=10xq" 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not ferry-opt %s -array-place="args=foo" 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not ferry-opt %s -array-place="args=-1x4" 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not ferry-opt %s -array-place="assume=size=10" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not ferry-opt %s -array-place="assume=n=-10" 2>&1 | FileCheck %s --check-prefix=LENGTH
// RUN: ferry-opt %s -array-place="args=? assume=n=10"
//
// What the pass is told of arguments and sizes is checked.

// WORD: error: argument '{{.*}}' is neither a number, nor extents such as 10x20, nor ? if nothing is known
// NAME: error: no size or whole number is called 'size', which an assumption names
// LENGTH: error: 'n' is a length, and assumed to be -10
func.func @main(%xs: tensor<?xi64> {array.extents = ["n"]}) -> tensor<?xi64> {
  return %xs : tensor<?xi64>
}
