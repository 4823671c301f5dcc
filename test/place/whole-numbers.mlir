// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: ferry-opt %s -split-input-file -array-place="args=?,1000" | FileCheck %s
//
// Conditions that the arguments decide: whole numbers are computed in the width of their types, by each operation as
// arith does it. Of a branch that is decided the arm is left, of any other both.

// CHECK-LABEL: func @addition_wraps
// CHECK-NOT:   scf.if
// CHECK:       array.iota
// CHECK-NOT:   array.replicate
// CHECK:       return
func.func @addition_wraps(%xs: tensor<?xi64>, %n: i64) -> tensor<?xi64> {
  %a = arith.constant 127 : i8
  %b = arith.constant 1 : i8
  %s = arith.addi %a, %b : i8
  %z = arith.constant 0 : i8
  %c = arith.cmpi slt, %s, %z : i8
  %r = scf.if %c -> tensor<?xi64> {
    %i = array.iota %n, %n, %n : i64 -> tensor<?xi64>
    scf.yield %i : tensor<?xi64>
  } else {
    %v = array.replicate (%n) %n : i64 -> tensor<?xi64>
    scf.yield %v : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}

// -----

// CHECK-LABEL: func @subtraction_wraps
// CHECK-NOT:   scf.if
// CHECK:       array.iota
// CHECK-NOT:   array.replicate
// CHECK:       return
func.func @subtraction_wraps(%xs: tensor<?xi64>, %n: i64) -> tensor<?xi64> {
  %a = arith.constant -32768 : i16
  %b = arith.constant 1 : i16
  %s = arith.subi %a, %b : i16
  %z = arith.constant 32767 : i16
  %c = arith.cmpi eq, %s, %z : i16
  %r = scf.if %c -> tensor<?xi64> {
    %i = array.iota %n, %n, %n : i64 -> tensor<?xi64>
    scf.yield %i : tensor<?xi64>
  } else {
    %v = array.replicate (%n) %n : i64 -> tensor<?xi64>
    scf.yield %v : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}

// -----

// CHECK-LABEL: func @multiplication_wraps
// CHECK-NOT:   scf.if
// CHECK-NOT:   array.iota
// CHECK:       array.replicate
// CHECK:       return
func.func @multiplication_wraps(%xs: tensor<?xi64>, %n: i64) -> tensor<?xi64> {
  %a = arith.constant 100000 : i32
  %s = arith.muli %a, %a : i32
  %z = arith.constant 1410065408 : i32
  %c = arith.cmpi ne, %s, %z : i32
  %r = scf.if %c -> tensor<?xi64> {
    %i = array.iota %n, %n, %n : i64 -> tensor<?xi64>
    scf.yield %i : tensor<?xi64>
  } else {
    %v = array.replicate (%n) %n : i64 -> tensor<?xi64>
    scf.yield %v : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}

// -----

// CHECK-LABEL: func @sign_extension
// CHECK-NOT:   scf.if
// CHECK:       array.iota
// CHECK-NOT:   array.replicate
// CHECK:       return
func.func @sign_extension(%xs: tensor<?xi64>, %n: i64) -> tensor<?xi64> {
  %a = arith.constant -56 : i8
  %s = arith.extsi %a : i8 to i64
  %z = arith.constant -56 : i64
  %c = arith.cmpi eq, %s, %z : i64
  %r = scf.if %c -> tensor<?xi64> {
    %i = array.iota %n, %n, %n : i64 -> tensor<?xi64>
    scf.yield %i : tensor<?xi64>
  } else {
    %v = array.replicate (%n) %n : i64 -> tensor<?xi64>
    scf.yield %v : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}

// -----

// CHECK-LABEL: func @sign_extension_of_a_bool
// CHECK-NOT:   scf.if
// CHECK:       array.iota
// CHECK-NOT:   array.replicate
// CHECK:       return
func.func @sign_extension_of_a_bool(%xs: tensor<?xi64>, %n: i64) -> tensor<?xi64> {
  %a = arith.constant true
  %s = arith.extsi %a : i1 to i64
  %z = arith.constant -1 : i64
  %c = arith.cmpi eq, %s, %z : i64
  %r = scf.if %c -> tensor<?xi64> {
    %i = array.iota %n, %n, %n : i64 -> tensor<?xi64>
    scf.yield %i : tensor<?xi64>
  } else {
    %v = array.replicate (%n) %n : i64 -> tensor<?xi64>
    scf.yield %v : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}

// -----

// CHECK-LABEL: func @zero_extension
// CHECK-NOT:   scf.if
// CHECK:       array.iota
// CHECK-NOT:   array.replicate
// CHECK:       return
func.func @zero_extension(%xs: tensor<?xi64>, %n: i64) -> tensor<?xi64> {
  %a = arith.constant -56 : i8
  %s = arith.extui %a : i8 to i64
  %z = arith.constant 200 : i64
  %c = arith.cmpi eq, %s, %z : i64
  %r = scf.if %c -> tensor<?xi64> {
    %i = array.iota %n, %n, %n : i64 -> tensor<?xi64>
    scf.yield %i : tensor<?xi64>
  } else {
    %v = array.replicate (%n) %n : i64 -> tensor<?xi64>
    scf.yield %v : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}

// -----

// CHECK-LABEL: func @truncation
// CHECK-NOT:   scf.if
// CHECK:       array.iota
// CHECK-NOT:   array.replicate
// CHECK:       return
func.func @truncation(%xs: tensor<?xi64>, %n: i64) -> tensor<?xi64> {
  %s = arith.trunci %n : i64 to i8
  %z = arith.constant -24 : i8
  %c = arith.cmpi eq, %s, %z : i8
  %r = scf.if %c -> tensor<?xi64> {
    %i = array.iota %n, %n, %n : i64 -> tensor<?xi64>
    scf.yield %i : tensor<?xi64>
  } else {
    %v = array.replicate (%n) %n : i64 -> tensor<?xi64>
    scf.yield %v : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}

// -----

// CHECK-LABEL: func @unsigned_comparison
// CHECK-NOT:   scf.if
// CHECK-NOT:   array.iota
// CHECK:       array.replicate
// CHECK:       return
func.func @unsigned_comparison(%xs: tensor<?xi64>, %n: i64) -> tensor<?xi64> {
  %a = arith.constant -1 : i32
  %b = arith.constant 1 : i32
  %c = arith.cmpi ult, %a, %b : i32
  %r = scf.if %c -> tensor<?xi64> {
    %i = array.iota %n, %n, %n : i64 -> tensor<?xi64>
    scf.yield %i : tensor<?xi64>
  } else {
    %v = array.replicate (%n) %n : i64 -> tensor<?xi64>
    scf.yield %v : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}

// -----

// CHECK-LABEL: func @signed_comparison
// CHECK-NOT:   scf.if
// CHECK:       array.iota
// CHECK-NOT:   array.replicate
// CHECK:       return
func.func @signed_comparison(%xs: tensor<?xi64>, %n: i64) -> tensor<?xi64> {
  %a = arith.constant -1 : i32
  %b = arith.constant 1 : i32
  %c = arith.cmpi slt, %a, %b : i32
  %r = scf.if %c -> tensor<?xi64> {
    %i = array.iota %n, %n, %n : i64 -> tensor<?xi64>
    scf.yield %i : tensor<?xi64>
  } else {
    %v = array.replicate (%n) %n : i64 -> tensor<?xi64>
    scf.yield %v : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}

// -----

// CHECK-LABEL: func @division_truncates
// CHECK-NOT:   scf.if
// CHECK:       array.iota
// CHECK-NOT:   array.replicate
// CHECK:       return
func.func @division_truncates(%xs: tensor<?xi64>, %n: i64) -> tensor<?xi64> {
  %a = arith.constant -7 : i64
  %b = arith.constant 2 : i64
  %s = arith.divsi %a, %b : i64
  %z = arith.constant -3 : i64
  %c = arith.cmpi eq, %s, %z : i64
  %r = scf.if %c -> tensor<?xi64> {
    %i = array.iota %n, %n, %n : i64 -> tensor<?xi64>
    scf.yield %i : tensor<?xi64>
  } else {
    %v = array.replicate (%n) %n : i64 -> tensor<?xi64>
    scf.yield %v : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}

// -----

// CHECK-LABEL: func @division_floors
// CHECK-NOT:   scf.if
// CHECK:       array.iota
// CHECK-NOT:   array.replicate
// CHECK:       return
func.func @division_floors(%xs: tensor<?xi64>, %n: i64) -> tensor<?xi64> {
  %a = arith.constant -7 : i64
  %b = arith.constant 2 : i64
  %s = arith.floordivsi %a, %b : i64
  %z = arith.constant -4 : i64
  %c = arith.cmpi eq, %s, %z : i64
  %r = scf.if %c -> tensor<?xi64> {
    %i = array.iota %n, %n, %n : i64 -> tensor<?xi64>
    scf.yield %i : tensor<?xi64>
  } else {
    %v = array.replicate (%n) %n : i64 -> tensor<?xi64>
    scf.yield %v : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}

// -----

// CHECK-LABEL: func @division_up
// CHECK-NOT:   scf.if
// CHECK:       array.iota
// CHECK-NOT:   array.replicate
// CHECK:       return
func.func @division_up(%xs: tensor<?xi64>, %n: i64) -> tensor<?xi64> {
  %a = arith.constant 7 : i64
  %b = arith.constant 2 : i64
  %s = arith.ceildivsi %a, %b : i64
  %z = arith.constant 4 : i64
  %c = arith.cmpi eq, %s, %z : i64
  %r = scf.if %c -> tensor<?xi64> {
    %i = array.iota %n, %n, %n : i64 -> tensor<?xi64>
    scf.yield %i : tensor<?xi64>
  } else {
    %v = array.replicate (%n) %n : i64 -> tensor<?xi64>
    scf.yield %v : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}

// -----

// CHECK-LABEL: func @remainder
// CHECK-NOT:   scf.if
// CHECK:       array.iota
// CHECK-NOT:   array.replicate
// CHECK:       return
func.func @remainder(%xs: tensor<?xi64>, %n: i64) -> tensor<?xi64> {
  %a = arith.constant -7 : i64
  %b = arith.constant 2 : i64
  %s = arith.remsi %a, %b : i64
  %z = arith.constant -1 : i64
  %c = arith.cmpi eq, %s, %z : i64
  %r = scf.if %c -> tensor<?xi64> {
    %i = array.iota %n, %n, %n : i64 -> tensor<?xi64>
    scf.yield %i : tensor<?xi64>
  } else {
    %v = array.replicate (%n) %n : i64 -> tensor<?xi64>
    scf.yield %v : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}

// -----

// CHECK-LABEL: func @division_by_zero_is_unknown
// CHECK:       scf.if
// CHECK:       return
func.func @division_by_zero_is_unknown(%xs: tensor<?xi64>, %n: i64) -> tensor<?xi64> {
  %a = arith.constant 0 : i64
  %s = arith.divsi %n, %a : i64
  %c = arith.cmpi eq, %s, %n : i64
  %r = scf.if %c -> tensor<?xi64> {
    %i = array.iota %n, %n, %n : i64 -> tensor<?xi64>
    scf.yield %i : tensor<?xi64>
  } else {
    %v = array.replicate (%n) %n : i64 -> tensor<?xi64>
    scf.yield %v : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}

// -----

// CHECK-LABEL: func @the_one_quotient_that_does_not_fit
// CHECK:       scf.if
// CHECK:       return
func.func @the_one_quotient_that_does_not_fit(%xs: tensor<?xi64>, %n: i64) -> tensor<?xi64> {
  %a = arith.constant -9223372036854775808 : i64
  %b = arith.constant -1 : i64
  %s = arith.divsi %a, %b : i64
  %c = arith.cmpi eq, %s, %n : i64
  %r = scf.if %c -> tensor<?xi64> {
    %i = array.iota %n, %n, %n : i64 -> tensor<?xi64>
    scf.yield %i : tensor<?xi64>
  } else {
    %v = array.replicate (%n) %n : i64 -> tensor<?xi64>
    scf.yield %v : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}

// -----

// CHECK-LABEL: func @largest_and_smallest
// CHECK-NOT:   scf.if
// CHECK:       array.iota
// CHECK-NOT:   array.replicate
// CHECK:       return
func.func @largest_and_smallest(%xs: tensor<?xi64>, %n: i64) -> tensor<?xi64> {
  %a = arith.constant -7 : i64
  %s = arith.maxsi %a, %n : i64
  %t = arith.minsi %s, %n : i64
  %c = arith.cmpi eq, %t, %n : i64
  %r = scf.if %c -> tensor<?xi64> {
    %i = array.iota %n, %n, %n : i64 -> tensor<?xi64>
    scf.yield %i : tensor<?xi64>
  } else {
    %v = array.replicate (%n) %n : i64 -> tensor<?xi64>
    scf.yield %v : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}

// -----

// CHECK-LABEL: func @bits
// CHECK-NOT:   scf.if
// CHECK:       array.iota
// CHECK-NOT:   array.replicate
// CHECK:       return
func.func @bits(%xs: tensor<?xi64>, %n: i64) -> tensor<?xi64> {
  %a = arith.constant 12 : i64
  %b = arith.constant 10 : i64
  %s = arith.andi %a, %b : i64
  %t = arith.ori %a, %b : i64
  %u = arith.xori %s, %t : i64
  %z = arith.constant 6 : i64
  %c = arith.cmpi eq, %u, %z : i64
  %r = scf.if %c -> tensor<?xi64> {
    %i = array.iota %n, %n, %n : i64 -> tensor<?xi64>
    scf.yield %i : tensor<?xi64>
  } else {
    %v = array.replicate (%n) %n : i64 -> tensor<?xi64>
    scf.yield %v : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}

// -----

// CHECK-LABEL: func @selection
// CHECK-NOT:   scf.if
// CHECK:       array.iota
// CHECK-NOT:   array.replicate
// CHECK:       return
func.func @selection(%xs: tensor<?xi64>, %n: i64) -> tensor<?xi64> {
  %a = arith.constant true
  %b = arith.constant 5 : i64
  %s = arith.select %a, %n, %b : i64
  %c = arith.cmpi eq, %s, %n : i64
  %r = scf.if %c -> tensor<?xi64> {
    %i = array.iota %n, %n, %n : i64 -> tensor<?xi64>
    scf.yield %i : tensor<?xi64>
  } else {
    %v = array.replicate (%n) %n : i64 -> tensor<?xi64>
    scf.yield %v : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}

// -----

// CHECK-LABEL: func @shifts
// CHECK-NOT:   scf.if
// CHECK:       array.iota
// CHECK-NOT:   array.replicate
// CHECK:       return
func.func @shifts(%xs: tensor<?xi64>, %n: i64) -> tensor<?xi64> {
  %a = arith.constant -7 : i8
  %b = arith.constant 1 : i8
  %s = arith.shrsi %a, %b : i8
  %t = arith.shrui %a, %b : i8
  %u = arith.shli %t, %b : i8
  %w = arith.subi %u, %s : i8
  %z = arith.constant -4 : i8
  %c = arith.cmpi eq, %w, %z : i8
  %r = scf.if %c -> tensor<?xi64> {
    %i = array.iota %n, %n, %n : i64 -> tensor<?xi64>
    scf.yield %i : tensor<?xi64>
  } else {
    %v = array.replicate (%n) %n : i64 -> tensor<?xi64>
    scf.yield %v : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}

// -----

// CHECK-LABEL: func @a_shift_by_all_bits_is_unknown
// CHECK:       scf.if
// CHECK:       return
func.func @a_shift_by_all_bits_is_unknown(%xs: tensor<?xi64>, %n: i64) -> tensor<?xi64> {
  %a = arith.constant 64 : i64
  %z = arith.constant 0 : i64
  %s = arith.shli %n, %a : i64
  %c = arith.cmpi eq, %s, %z : i64
  %r = scf.if %c -> tensor<?xi64> {
    %i = array.iota %n, %n, %n : i64 -> tensor<?xi64>
    scf.yield %i : tensor<?xi64>
  } else {
    %v = array.replicate (%n) %n : i64 -> tensor<?xi64>
    scf.yield %v : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}

// -----

// CHECK-LABEL: func @unsigned_quotient_and_remainder
// CHECK-NOT:   scf.if
// CHECK:       array.iota
// CHECK-NOT:   array.replicate
// CHECK:       return
func.func @unsigned_quotient_and_remainder(%xs: tensor<?xi64>, %n: i64) -> tensor<?xi64> {
  %a = arith.constant -6 : i8
  %b = arith.constant 100 : i8
  %s = arith.divui %a, %b : i8
  %t = arith.remui %a, %b : i8
  %u = arith.maxui %s, %a : i8
  %m = arith.minui %u, %t : i8
  %w = arith.addi %m, %s : i8
  %z = arith.constant 52 : i8
  %c = arith.cmpi eq, %w, %z : i8
  %r = scf.if %c -> tensor<?xi64> {
    %i = array.iota %n, %n, %n : i64 -> tensor<?xi64>
    scf.yield %i : tensor<?xi64>
  } else {
    %v = array.replicate (%n) %n : i64 -> tensor<?xi64>
    scf.yield %v : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}

// -----

// CHECK-LABEL: func @an_unsigned_division_by_zero_is_unknown
// CHECK:       scf.if
// CHECK:       return
func.func @an_unsigned_division_by_zero_is_unknown(%xs: tensor<?xi64>, %n: i64) -> tensor<?xi64> {
  %z = arith.constant 0 : i64
  %s = arith.divui %n, %z : i64
  %c = arith.cmpi eq, %s, %n : i64
  %r = scf.if %c -> tensor<?xi64> {
    %i = array.iota %n, %n, %n : i64 -> tensor<?xi64>
    scf.yield %i : tensor<?xi64>
  } else {
    %v = array.replicate (%n) %n : i64 -> tensor<?xi64>
    scf.yield %v : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}
