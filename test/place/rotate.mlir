// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: ferry-opt %s -array-rotate -split-input-file | FileCheck %s
// RUN: ferry-opt %s -array-rotate -array-rotate -split-input-file | FileCheck %s

// A loop that may have no trip gets a guard; its initial values are the results where it is skipped.
// CHECK-LABEL: func @may_be_skipped
// CHECK-SAME:  %[[XS:[^:]+]]: tensor<?xi32>, %[[N:[^:]+]]: i64
// CHECK:       %[[ENTERED:.*]] = arith.cmpi slt, %{{.*}}, %[[N]] : i64
// CHECK-NEXT:  scf.if %[[ENTERED]] -> (i32) {
// CHECK-NEXT:    %[[R:.*]] = scf.for
// CHECK:         } {array.entered}
// CHECK-NEXT:    scf.yield %[[R]] : i32
// CHECK-NEXT:  } else {
// CHECK-NEXT:    scf.yield %c7_i32 : i32
// CHECK-NEXT:  }
func.func @may_be_skipped(%xs: tensor<?xi32>, %n: i64) -> i32 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %z = arith.constant 7 : i32
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z) -> i32 : i64 {
    %x = array.element %xs[%i] : tensor<?xi32>
    %y = arith.addi %acc, %x : i32
    scf.yield %y : i32
  }
  return %s : i32
}

// -----

// CHECK-LABEL: func @always_entered
// CHECK-NOT:   scf.if
// CHECK:       scf.for
// CHECK:       array.entered
func.func @always_entered(%xs: tensor<?xi32>) -> i32 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c9 = arith.constant 9 : i64
  %z = arith.constant 0 : i32
  %s = scf.for %i = %c0 to %c9 step %c1 iter_args(%acc = %z) -> i32 : i64 {
    %x = array.element %xs[%i] : tensor<?xi32>
    %y = arith.addi %acc, %x : i32
    scf.yield %y : i32
  }
  return %s : i32
}

// -----

// No array: nothing to place, nothing to rotate.
// CHECK-LABEL: func @scalars
// CHECK-NOT:   scf.if
func.func @scalars(%n: i64) -> i64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c0) -> i64 : i64 {
    %y = arith.addi %acc, %i : i64
    scf.yield %y : i64
  }
  return %s : i64
}

// -----

// CHECK-LABEL: func @while
// CHECK-SAME:  %[[XS:[^:]+]]: tensor<?xf32>
// CHECK:       %[[X0:.*]] = array.element %[[XS]]
// CHECK:       %[[GO:.*]] = arith.cmpf olt, %[[X0]]
// CHECK-NEXT:  %[[R:.*]] = scf.if %[[GO]] -> (tensor<?xf32>) {
// CHECK-NEXT:    %[[W:.*]] = scf.while (%[[A:.*]] = %[[XS]])
// CHECK-NEXT:      %[[M:.*]] = array.map
// CHECK:           %[[X:.*]] = array.element %[[M]]
// CHECK-NEXT:      %[[C:.*]] = arith.cmpf olt, %[[X]]
// CHECK-NEXT:      scf.condition(%[[C]]) %[[M]]
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^bb0(%[[B:.*]]: tensor<?xf32>):
// CHECK-NEXT:      scf.yield %[[B]]
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.yield %[[W]]
// CHECK-NEXT:  } else {
// CHECK-NEXT:    scf.yield %[[XS]]
func.func @while(%xs: tensor<?xf32>, %n: i64) -> tensor<?xf32> {
  %c0 = arith.constant 0 : i64
  %one = arith.constant 1.0 : f32
  %r = scf.while (%a = %xs) : (tensor<?xf32>) -> tensor<?xf32> {
    %x = array.element %a[%c0] : tensor<?xf32>
    %c = arith.cmpf olt, %x, %one : f32
    scf.condition(%c) %a : tensor<?xf32>
  } do {
  ^bb0(%b: tensor<?xf32>):
    %m = array.map (%n) ins(%b : tensor<?xf32>) {
    ^bb1(%i: i64, %x: f32):
      %y = arith.addf %x, %x : f32
      array.yield %y : f32
    } : tensor<?xf32>
    scf.yield %m : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
