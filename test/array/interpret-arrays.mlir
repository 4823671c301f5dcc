// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: echo '4 2i8' | ferry-interpret %s make | FileCheck %s --check-prefix=MAKE
// RUN: echo '[[1, 2, 3], [4, 5, 6]]' | ferry-interpret %s views | FileCheck %s --check-prefix=VIEWS
// RUN: echo '[[1, 2, 3], [4, 5, 6]]' | ferry-interpret %s updates | FileCheck %s --check-prefix=UPDATES
// RUN: echo '[1.5, -2.5]' | ferry-interpret %s joins | FileCheck %s --check-prefix=JOINS

// MAKE:      [-1i8, 1i8, 3i8, 5i8]
// MAKE-NEXT: empty([0]i8)
// MAKE-NEXT: {{\[}}[2i8, 2i8, 2i8, 2i8], [2i8, 2i8, 2i8, 2i8]]
// MAKE-NEXT: [2i8, -1i8]
// MAKE-NEXT: 2i8
func.func @make(%n: i64, %x: i8) -> (tensor<?xi8>, tensor<?xi8>, tensor<?x?xi8>, tensor<?xi8>, i8) {
  %minus = arith.constant -1 : i8
  %less = arith.constant -3 : i64
  %two = arith.constant 2 : i64
  %a = array.iota %n, %minus, %x : i8 -> tensor<?xi8>
  %b = array.iota %less, %minus, %x : i8 -> tensor<?xi8>
  %c = array.replicate (%n) %x : i8 -> tensor<?xi8>
  %d = array.replicate (%two) %c : tensor<?xi8> -> tensor<?x?xi8>
  %e = array.literal %x, %minus : i8, i8 -> tensor<?xi8>
  %f = array.from_scalar %x : i8 -> tensor<i8>
  %g = array.to_scalar %f : tensor<i8>
  return %a, %b, %d, %e, %g : tensor<?xi8>, tensor<?xi8>, tensor<?x?xi8>, tensor<?xi8>, i8
}

// VIEWS:      [4i32, 5i32, 6i32]
// VIEWS-NEXT: {{\[}}[6i32, 4i32], [3i32, 1i32]]
// VIEWS-NEXT: {{\[}}[1i32, 4i32], [2i32, 5i32], [3i32, 6i32]]
// VIEWS-NEXT: {{\[}}[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]]
// VIEWS-NEXT: 6i32
func.func @views(%x: tensor<?x?xi32>) -> (tensor<?xi32>, tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>, i32) {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %back = arith.constant -1 : i64
  %skip = arith.constant -2 : i64
  %row = array.row %x[%one] : tensor<?x?xi32> -> tensor<?xi32>
  %box = array.slice %x[%one, %two] [%two, %two] [%back, %skip] : tensor<?x?xi32> -> tensor<?x?xi32>
  %transposed = array.permute %x [1, 0] : tensor<?x?xi32> -> tensor<?x?xi32>
  %shaped = array.reshape %x to (%three, %two) : tensor<?x?xi32> -> tensor<?x?xi32>
  %last = array.element %x[%one, %two] : tensor<?x?xi32>
  return %row, %box, %transposed, %shaped, %last : tensor<?xi32>, tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>, i32
}

// The argument itself stays as it is.
// UPDATES:      {{\[}}[1i32, 9i32, 3i32], [4i32, 5i32, 6i32]]
// UPDATES-NEXT: {{\[}}[7i32, 7i32, 7i32], [4i32, 5i32, 6i32]]
// UPDATES-NEXT: {{\[}}[3i32, 2i32, 1i32], [4i32, 5i32, 6i32]]
// UPDATES-NEXT: {{\[}}[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]]
func.func @updates(%x: tensor<?x?xi32>) -> (tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %back = arith.constant -1 : i64
  %seven = arith.constant 7 : i32
  %nine = arith.constant 9 : i32
  %a = array.copy %x : tensor<?x?xi32>
  %element = array.update %a[%zero, %one] = %nine : tensor<?x?xi32>, i32
  %sevens = array.replicate (%three) %seven : i32 -> tensor<?xi32>
  %b = array.copy %x : tensor<?x?xi32>
  %row = array.update %b[%zero] = %sevens : tensor<?x?xi32>, tensor<?xi32>
  %c = array.copy %x : tensor<?x?xi32>
  %top = array.slice %x[%zero, %zero] [%one, %three] [%one, %one] : tensor<?x?xi32> -> tensor<?x?xi32>
  %box = array.insert_slice %c[%zero, %two] [%one, %three] [%one, %back] = %top : tensor<?x?xi32>, tensor<?x?xi32>
  return %element, %row, %box, %x : tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>
}

// JOINS: [1.5f32, -2.5f32, 1.5f32, -2.5f32]
func.func @joins(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = array.concat %x, %x : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
  return %r : tensor<?xf32>
}
