// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: ferry-opt %s -array-rotate -array-place="plan=all-device" -array-check-placed | FileCheck %s

// A module of linalg, tensor, scf and arith alone, with static shapes.

// CHECK-LABEL: func @iterate
// CHECK-SAME:  %[[A:[^:]+]]: tensor<64x64xf32, #array.side<host>>, %[[X:[^:]+]]: tensor<64xf32, #array.side<host>>
// CHECK-DAG:   %[[AD:.*]] = array.transfer %[[A]]
// CHECK-DAG:   %[[XD:.*]] = array.transfer %[[X]]
// CHECK:       %[[L:.*]] = scf.for {{.*}} iter_args(%[[V:.*]] = %[[XD]]) -> (tensor<64xf32, #array.side<device>>)
// CHECK:         linalg.fill
// CHECK:         linalg.matvec ins(%[[AD]], %[[V]]
// CHECK-NOT:     array.transfer
// CHECK:         scf.yield
// CHECK:       %[[R:.*]] = array.transfer %[[L]]
// CHECK:       return %[[R]]
func.func @iterate(%a: tensor<64x64xf32>, %x: tensor<64xf32>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c10 step %c1 iter_args(%v = %x) -> tensor<64xf32> {
    %e = tensor.empty() : tensor<64xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %m = linalg.matvec ins(%a, %v : tensor<64x64xf32>, tensor<64xf32>) outs(%f : tensor<64xf32>) -> tensor<64xf32>
    scf.yield %m : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}

// CHECK-LABEL: func @elements
// CHECK:       array.launch "generic"
// CHECK:       array.launch
// CHECK:         tensor.extract
// CHECK:       array.transfer
func.func @elements(%x: tensor<?xf32>) -> (tensor<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %a : f32
    linalg.yield %c : f32
  } -> tensor<?xf32>
  %s = tensor.extract %m[%c0] : tensor<?xf32>
  %t = tensor.insert %s into %m[%c0] : tensor<?xf32>
  return %t, %s : tensor<?xf32>, f32
}
