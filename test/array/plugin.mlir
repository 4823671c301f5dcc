// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MLIR's own optimizer loads the dialect and the passes, placement's too.
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(array-fuse)' | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(array-fuse,array-rotate,array-place{args=1000 plan=soacs-on-device})' | FileCheck %s --check-prefix=PLACED

// PLACED: array.launch
// PLACED: array.transfer
// CHECK-NOT: array.iota
// CHECK: array.map(%arg0) {
func.func @squares(%n: i64) -> tensor<?xi64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %is = array.iota %n, %zero, %one : i64 -> tensor<?xi64>
  %r = array.map (%n) ins(%is : tensor<?xi64>) {
  ^bb0(%i: i64, %x: i64):
    %y = arith.muli %x, %x : i64
    array.yield %y : i64
  } : tensor<?xi64>
  return %r : tensor<?xi64>
}
