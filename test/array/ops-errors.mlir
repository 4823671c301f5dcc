// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each mistake that the verifiers refuse.
// RUN: ferry-opt %s --verify-diagnostics --split-input-file

func.func @f(%xs: tensor<?xf32>) {
  // expected-error @+1 {{'array.dim' op dimension 1 of an array of rank 1}}
  %r = array.dim %xs, 1 : tensor<?xf32>
  return
}

// -----

func.func @f(%n: i64) {
  // expected-error @+1 {{'array.iota' op makes an array of rank 1}}
  %r = array.iota %n, %n, %n : i64 -> tensor<?x?xi64>
  return
}

// -----

func.func @f(%n: i64) {
  // expected-error @+1 {{'array.iota' op a value of type 'i64' is no element of 'tensor<?xi32>' after 1 indices}}
  %r = array.iota %n, %n, %n : i64 -> tensor<?xi32>
  return
}

// -----

func.func @f(%n: i64) {
  // expected-error @+1 {{'array.replicate' op a value of type 'i64' is no element of 'tensor<?x?xi64>' after 1 indices}}
  %r = array.replicate (%n) %n : i64 -> tensor<?x?xi64>
  return
}

// -----

func.func @f(%n: i64) {
  // expected-error @+1 {{'array.literal' op needs at least one element}}
  %r = "array.literal"() : () -> tensor<?xi64>
  return
}

// -----

func.func @f(%n: i64) {
  // expected-error @+1 {{'array.alloc' op needs an extent for each dimension}}
  %r = array.alloc (%n) : tensor<?x?xi64>
  return
}

// -----

func.func @f(%n: i64) {
  // expected-error @+1 {{'array.map' op needs at least one extent}}
  array.map () {
    array.yield
  }
  return
}

// -----

func.func @f(%n: i64, %xs: tensor<?xf32>) {
  // expected-error @+1 {{'array.map' op body argument: expected 2 values, found 1}}
  %r = array.map (%n) ins(%xs : tensor<?xf32>) {
  ^bb0(%i: i64):
    array.yield %i : i64
  } : tensor<?xi64>
  return
}

// -----

func.func @f(%n: i64, %xs: tensor<?xf32>) {
  // expected-error @+1 {{'array.map' op body argument 1: expected 'f32', found 'f64'}}
  %r = array.map (%n) ins(%xs : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f64):
    array.yield %i : i64
  } : tensor<?xi64>
  return
}

// -----

func.func @f(%n: i64, %xs: tensor<?xf32>) {
  // expected-error @+1 {{'array.map' op an input of type 'tensor<?xf32>' has fewer dimensions than the grid, 2}}
  %r = array.map (%n, %n) ins(%xs : tensor<?xf32>) {
  ^bb0(%i: i64, %j: i64, %x: f32):
    array.yield %i : i64
  } : tensor<?x?xi64>
  return
}

// -----

func.func @f(%n: i64) {
  // expected-error @+1 {{'array.map' op result 0: expected 'tensor<?xi64>', found 'tensor<?xf32>'}}
  %r = array.map (%n) {
  ^bb0(%i: i64):
    array.yield %i : i64
  } : tensor<?xf32>
  return
}

// -----

func.func @f(%n: i64) {
  // expected-error @+1 {{'array.map' op result: expected 1 values, found 0}}
  array.map (%n) {
  ^bb0(%i: i64):
    array.yield %i : i64
  }
  return
}

// -----

func.func @f(%n: i64) {
  // expected-error @+1 {{'array.map' op a region must end in array.yield}}
  array.map (%n) {
  ^bb0(%i: i64):
    scf.yield
  }
  return
}

// -----

func.func @f(%x: i64) {
  // expected-error @+1 {{'array.reduce' op needs at least one extent}}
  %r = array.reduce () neutral(%x : i64) {
    array.yield %x : i64
  } operator {
  ^bb0(%a: i64, %b: i64):
    array.yield %a : i64
  } : i64
  return
}

// -----

func.func @f(%n: i64, %x: f32) {
  // expected-error @+1 {{'array.reduce' op body result 0: expected 'f32', found 'i64'}}
  %r = array.reduce (%n) neutral(%x : f32) {
  ^bb0(%i: i64):
    array.yield %i : i64
  } operator {
  ^bb0(%a: f32, %b: f32):
    array.yield %a : f32
  } : f32
  return
}

// -----

func.func @f(%n: i64) {
  // expected-error @+1 {{'array.reduce' op operator argument: expected 2 values, found 1}}
  %r = array.reduce (%n) neutral(%n : i64) {
  ^bb0(%i: i64):
    array.yield %i : i64
  } operator {
  ^bb0(%a: i64):
    array.yield %a : i64
  } : i64
  return
}

// -----

func.func @f(%n: i64, %x: f32) {
  // expected-error @+1 {{'array.reduce' op operator result 0: expected 'i64', found 'f32'}}
  %r = array.reduce (%n) neutral(%n : i64) {
  ^bb0(%i: i64):
    array.yield %i : i64
  } operator {
  ^bb0(%a: i64, %b: i64):
    array.yield %x : f32
  } : i64
  return
}

// -----

func.func @f(%n: i64) {
  // expected-error @+1 {{'array.scan' op result 0: expected 'tensor<?xi64>', found 'tensor<?x?xi64>'}}
  %r = array.scan (%n) neutral(%n : i64) {
  ^bb0(%i: i64):
    array.yield %i : i64
  } operator {
  ^bb0(%a: i64, %b: i64):
    array.yield %a : i64
  } : tensor<?x?xi64>
  return
}

// -----

func.func @f(%n: i64, %to: tensor<?xi64>) {
  // expected-error @+1 {{'array.scatter' op rank must be at least 1}}
  %r = array.scatter (%n) into (%to : tensor<?xi64>) rank 0 {
  ^bb0(%i: i64):
    array.yield %to : tensor<?xi64>
  } : tensor<?xi64>
  return
}

// -----

func.func @f(%n: i64, %to: tensor<?xi64>) {
  // expected-error @+1 {{'array.scatter' op 2 indices into a destination of type 'tensor<?xi64>'}}
  %r = array.scatter (%n) into (%to : tensor<?xi64>) rank 2 {
  ^bb0(%i: i64):
    array.yield %i, %i, %i : i64, i64, i64
  } : tensor<?xi64>
  return
}

// -----

func.func @f(%n: i64, %to: tensor<?xi64>) {
  // expected-error @+1 {{'array.scatter' op body result: expected 2 values, found 1}}
  %r = array.scatter (%n) into (%to : tensor<?xi64>) rank 1 {
  ^bb0(%i: i64):
    array.yield %i : i64
  } : tensor<?xi64>
  return
}

// -----

func.func @f(%n: i64, %x: f32, %to: tensor<?xi64>) {
  // expected-error @+1 {{'array.hist' op neutral value 0: expected 'i64', found 'f32'}}
  %r = array.hist (%n) into (%to : tensor<?xi64>) neutral(%x : f32) rank 1 {
  ^bb0(%i: i64):
    array.yield %i, %i : i64, i64
  } operator {
  ^bb0(%a: i64, %b: i64):
    array.yield %a : i64
  } : tensor<?xi64>
  return
}

// -----

func.func @f(%n: i64) {
  // expected-error @+1 {{'array.filter' op the body must yield an i1 first}}
  %c, %r = array.filter (%n) {
  ^bb0(%i: i64):
    array.yield %i, %i : i64, i64
  } : tensor<?xi64>
  return
}

// -----

func.func @f(%i: i64, %x: tensor<?x?xf32>) {
  // expected-error @+1 {{'array.element' op 1 indices into an array of rank 2}}
  %r = array.element %x[%i] : tensor<?x?xf32>
  return
}

// -----

func.func @f(%i: i64, %x: tensor<?x?xf32>) {
  // expected-error @+1 {{'array.row' op 2 indices into an array of rank 2}}
  %r = array.row %x[%i, %i] : tensor<?x?xf32> -> tensor<?xf32>
  return
}

// -----

func.func @f(%i: i64, %x: tensor<?x?xf32>) {
  // expected-error @+1 {{'array.slice' op needs a start, a length and a stride for each of 2 dimensions}}
  %r = array.slice %x[%i] [%i] [%i] : tensor<?x?xf32> -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<?x?xf32>) {
  // expected-error @+1 {{'array.permute' op needs each dimension once}}
  %r = array.permute %x [1, 1] : tensor<?x?xf32> -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<?x?xf32>) {
  // expected-error @+1 {{'array.permute' op needs each dimension once}}
  %r = array.permute %x [0] : tensor<?x?xf32> -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%n: i64, %x: tensor<?x?xf32>) {
  // expected-error @+1 {{'array.reshape' op must keep the element type and give an extent for each dimension}}
  %r = array.reshape %x to (%n) : tensor<?x?xf32> -> tensor<?xf64>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'array.concat' op needs at least one array of rank 1 or more}}
  %r = "array.concat"() : () -> tensor<?xf32>
  return
}

// -----

func.func @f(%i: i64, %v: f64, %x: tensor<?xf32>) {
  // expected-error @+1 {{'array.update' op a value of type 'f64' is no element of 'tensor<?xf32>' after 1 indices}}
  %r = array.update %x[%i] = %v : tensor<?xf32>, f64
  return
}

// -----

func.func @f(%i: i64, %x: tensor<?xf32>) {
  // expected-error @+1 {{'array.insert_slice' op needs a start, a length and a stride for each of 1 dimensions}}
  %r = array.insert_slice %x[] [] [] = %x : tensor<?xf32>, tensor<?xf32>
  return
}

// -----

func.func @f(%c: i1, %n: i64) {
  // expected-error @+1 {{'array.assert' op message names value {2}, but has 1}}
  array.assert %c, "{2} of {0}" (%n)
  return
}

// -----

func.func @f(%x: f32, %d: f64) {
  // expected-error @+1 {{'array.jvp' op tangent 0: expected 'f32', found 'f64'}}
  %r:2 = array.jvp at (%x : f32) along (%d : f64) {
  ^bb0(%a: f32):
    array.yield %a : f32
  } : f32, f32
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'array.jvp' op result: expected 2 values, found 1}}
  %r = array.jvp at (%x : f32) along (%x : f32) {
  ^bb0(%a: f32):
    array.yield %a : f32
  } : f32
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'array.pin' op result: expected 1 values, found 0}}
  array.pin #array.side<host> "f" {
    array.yield %x : f32
  }
  return
}

// -----

func.func @f(%i: i64, %x: tensor<?xf32, #array.side<device>>) {
  // expected-error @+1 {{'array.element' op runs on the host, but its operand of type 'tensor<?xf32, #array.side<device>>' is on the device; array.transfer brings it over}}
  %r = array.element %x[%i] : tensor<?xf32, #array.side<device>>
  return
}

// -----

func.func @f(%i: i64, %x: tensor<?x?xf32, #array.side<device>>) {
  // expected-error @+1 {{'array.row' op is a view, so its result must be on its operand's side}}
  %r = array.row %x[%i] : tensor<?x?xf32, #array.side<device>> -> tensor<?xf32>
  return
}

// -----

func.func @f(%i: i64, %x: tensor<?xf32>) {
  // expected-error @+1 {{'array.peek' op reads an array on the device}}
  %r = array.peek %x[%i] : tensor<?xf32>
  return
}

// -----

func.func @f(%i: i64, %v: f32, %x: tensor<?xf32>) {
  // expected-error @+1 {{'array.poke' op updates an array on the device}}
  %r = array.poke %x[%i] = %v : tensor<?xf32>, f32
  return
}

// -----

func.func @f(%v: f32) {
  // expected-error @+1 {{'array.pass' op gives an array of rank 0 on the device}}
  %r = array.pass %v : f32 -> tensor<f32, #array.side<host>>
  return
}

// -----

func.func @f(%v: f32) {
  // expected-error @+1 {{'array.pass' op gives an array of rank 0 on the device}}
  %r = array.pass %v : f32 -> tensor<?xf32, #array.side<device>>
  return
}

// -----

func.func @f(%v: f32) {
  array.launch "k" {
    // expected-error @+1 {{'array.pass' op cannot be inside a launch: it is the host that passes}}
    %r = array.pass %v : f32 -> tensor<f32, #array.side<device>>
    array.yield
  }
  return
}

// -----

func.func @f(%x: tensor<?xf32, #array.side<device>>) {
  // expected-error @+1 {{'array.transfer' op goes from one side to the other}}
  %r = array.transfer %x : tensor<?xf32, #array.side<device>> -> tensor<?xf32, #array.side<device>>
  return
}

// -----

func.func @f(%x: tensor<?xf32, #array.side<host>>) {
  array.launch "k" {
    // expected-error @+1 {{'array.transfer' op cannot be inside a launch: no copy happens inside a kernel}}
    %r = array.transfer %x : tensor<?xf32, #array.side<host>> -> tensor<?xf32, #array.side<device>>
    array.yield
  }
  return
}

// -----

func.func @f() {
  array.launch "k" {
    // expected-error @+1 {{'array.launch' op cannot be inside another launch}}
    array.launch "l" {
      array.yield
    }
    array.yield
  }
  return
}

// -----

func.func @f(%x: tensor<?xf32>) {
  // expected-error @+1 {{'array.launch' op gives arrays on the device}}
  %r = array.launch "k" {
    array.yield %x : tensor<?xf32>
  } : tensor<?xf32>
  return
}

// -----

func.func @f(%x: tensor<?xf32>) {
  // expected-error @+1 {{'array.to_scalar' op reads an array of rank 0}}
  %r = array.to_scalar %x : tensor<?xf32>
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'array.from_scalar' op a value of type 'f32' is no element of 'tensor<?xf32>' after 0 indices}}
  %r = array.from_scalar %x : f32 -> tensor<?xf32>
  return
}

// -----

// expected-error @+1 {{attribute 'array.pin' must be a side, for example #array.side<host>}}
func.func @f() attributes {array.pin = "host"} {
  return
}
