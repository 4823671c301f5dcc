// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: ferry-opt %s -split-input-file -array-inline-pins -canonicalize -array-rotate -array-place="args=1000000" -array-check-placed 2>/dev/null | FileCheck %s
// RUN: ferry-opt %s -split-input-file -array-inline-pins -canonicalize -array-rotate -array-place="args=1000000" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WARNING

// A marked function makes an array, the entry maps over it on the device: one upload, no element crosses by itself.
func.func private @make(%n: i64) -> tensor<?xi64> attributes {array.pin = #array.side<host>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %t = array.iota %n, %c0, %c1 : i64 -> tensor<?xi64>
  return %t : tensor<?xi64>
}

// CHECK-LABEL: func @upload
// CHECK:       %[[T:.*]] = array.iota {{.*}} -> tensor<?xi64, #array.side<host>>
// CHECK-NEXT:  %[[UP:.*]] = array.transfer %[[T]]
// CHECK-NEXT:  %[[K:.*]] = array.launch "map"
// CHECK-NOT:   array.peek
// CHECK:       %[[R:.*]] = array.transfer %[[K]]
// CHECK-NEXT:  return %[[R]]
func.func @upload(%n: i64) -> tensor<?xi64> {
  %c1 = arith.constant 1 : i64
  %t = call @make(%n) : (i64) -> tensor<?xi64>
  %p = array.pin <device> "increment" {
    %r = array.map (%n) ins(%t : tensor<?xi64>) {
    ^bb0(%i: i64, %x: i64):
      %y = arith.addi %x, %c1 : i64
      array.yield %y : i64
    } : tensor<?xi64>
    array.yield %r : tensor<?xi64>
  } : tensor<?xi64>
  return %p : tensor<?xi64>
}

// -----

// Calls nest, and everything that a marked function makes is in host memory.
func.func private @inner(%xs: tensor<?xi64>, %n: i64) -> tensor<?xi64> {
  %r = array.map (%n) ins(%xs : tensor<?xi64>) {
  ^bb0(%i: i64, %x: i64):
    %y = arith.addi %x, %i : i64
    array.yield %y : i64
  } : tensor<?xi64>
  return %r : tensor<?xi64>
}
func.func private @outer(%xs: tensor<?xi64>, %n: i64) -> tensor<?xi64> attributes {array.pin = #array.side<host>} {
  %a = call @inner(%xs, %n) : (tensor<?xi64>, i64) -> tensor<?xi64>
  %b = array.copy %a : tensor<?xi64>
  %c = array.concat %a, %b : tensor<?xi64>, tensor<?xi64> -> tensor<?xi64>
  %z = arith.constant 0 : i64
  %s = array.scan (%n) ins(%c : tensor<?xi64>) neutral(%z : i64) {
  ^bb0(%i: i64, %x: i64):
    array.yield %x : i64
  } operator {
  ^bb0(%p: i64, %q: i64):
    %t = arith.addi %p, %q : i64
    array.yield %t : i64
  } : tensor<?xi64>
  %count, %f = array.filter (%n) ins(%s : tensor<?xi64>) {
  ^bb0(%i: i64, %x: i64):
    %k = arith.cmpi sgt, %x, %z : i64
    array.yield %k, %x : i1, i64
  } : tensor<?xi64>
  %o = arith.constant 1 : i64
  %v = array.slice %f[%z] [%count] [%o] : tensor<?xi64> -> tensor<?xi64>
  return %v : tensor<?xi64>
}

// CHECK-LABEL: func @nested
// CHECK-NOT:   array.launch
// CHECK:       array.map{{.*}} ins(%arg0 : tensor<?xi64, #array.side<host>>)
// CHECK-NOT:   array.launch
// CHECK:       array.copy {{.*}}side<host>
// CHECK-NEXT:  array.concat {{.*}}side<host>
// CHECK-NEXT:  array.scan{{.*}}side<host>
// CHECK:       array.filter{{.*}}side<host>
// CHECK-NOT:   array.launch
// CHECK:       return
// CHECK-NOT:   array.pin
func.func @nested(%xs: tensor<?xi64>) -> tensor<?xi64> {
  %n = arith.constant 1000000 : i64
  %r = call @outer(%xs, %n) : (tensor<?xi64>, i64) -> tensor<?xi64>
  return %r : tensor<?xi64>
}

// -----

// Under a map the mark means nothing.
// WARNING:     warning: 'twice' is marked for the host, but runs inside a parallel operation; the mark is ignored here
// CHECK-LABEL: func @ignored
// CHECK-NOT:   array.pin
func.func @ignored(%xs: tensor<?xi64>) -> tensor<?xi64> {
  %c0 = arith.constant 0 : i64
  %n = array.dim %xs, 0 : tensor<?xi64>
  %r = array.map (%n) ins(%xs : tensor<?xi64>) {
  ^bb0(%i: i64, %x: i64):
    %y = array.pin <host> "twice" {
      %t = arith.addi %x, %x : i64
      array.yield %t : i64
    } : i64
    array.yield %y : i64
  } : tensor<?xi64>
  return %r : tensor<?xi64>
}

// -----

// The result goes to the device only where something there reads it: in the arm, not before the branch.
// CHECK-LABEL: func @late
// CHECK:       array.copy
// CHECK-NOT:   array.transfer
// CHECK:       scf.if
// CHECK:         array.transfer
// CHECK:         array.launch "map"
// CHECK:       } else {
// CHECK-NOT:     array.transfer
// CHECK:         scf.yield
func.func @late(%xs: tensor<?xi64>, %c: i1) -> tensor<?xi64> {
  %n = array.dim %xs, 0 : tensor<?xi64>
  %h = array.pin <host> "work" {
    %q = array.copy %xs : tensor<?xi64>
    array.yield %q : tensor<?xi64>
  } : tensor<?xi64>
  %r = scf.if %c -> tensor<?xi64> {
    %p = array.pin <device> "kernel" {
      %m = array.map (%n) ins(%h : tensor<?xi64>) {
      ^bb0(%i: i64, %x: i64):
        %y = arith.addi %x, %i : i64
        array.yield %y : i64
      } : tensor<?xi64>
      array.yield %m : tensor<?xi64>
    } : tensor<?xi64>
    scf.yield %p : tensor<?xi64>
  } else {
    scf.yield %xs : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}
