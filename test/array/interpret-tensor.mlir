// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules that never saw our dialect.
// RUN: echo '[[1, 2], [3, 4]] [[5, 6], [7, 8]]' | ferry-interpret %s product | FileCheck %s --check-prefix=PRODUCT
// RUN: echo '3' | ferry-interpret %s make | FileCheck %s --check-prefix=MAKE

// PRODUCT: {{\[}}[19f32, 22f32], [43f32, 50f32]]
func.func @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %b, %c1 : tensor<?x?xf32>
  %empty = tensor.empty(%n, %m) : tensor<?x?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%zeros : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// MAKE:      [0i64, 9i64, 2i64]
// MAKE-NEXT: 9i64
func.func @make(%n: i64) -> (tensor<?xi64>, i64) {
  %c1 = arith.constant 1 : index
  %nine = arith.constant 9 : i64
  %size = arith.index_cast %n : i64 to index
  %empty = tensor.empty(%size) : tensor<?xi64>
  %iota = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%empty : tensor<?xi64>) {
  ^bb0(%old: i64):
    %i = linalg.index 0 : index
    %x = arith.index_cast %i : index to i64
    linalg.yield %x : i64
  } -> tensor<?xi64>
  %r = tensor.insert %nine into %iota[%c1] : tensor<?xi64>
  %x = tensor.extract %r[%c1] : tensor<?xi64>
  return %r, %x : tensor<?xi64>, i64
}
