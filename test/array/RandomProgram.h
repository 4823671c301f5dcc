// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs of the array dialect, well typed and deterministic for a seed.

#pragma once

#include "array/Interpreter.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace ferry::test {

struct RandomOptions {
  uint64_t seed = 0;
  int statements = 7;      ///< at the top
  int depth = 3;           ///< of nested bodies
  bool failures = true;    ///< checks that may fail
  bool pins = true;        ///< array.pin
  bool derivative = false; ///< the whole is an array.jvp, and differentiable where it is evaluated
};

/// A module with one function `main(n: i64, m: i64, a: f64, xs: [n]f64, ys: [n][m]f64, is: [n]i64)`.
mlir::OwningOpRef<mlir::ModuleOp> randomProgram(mlir::MLIRContext &context, const RandomOptions &options);

/// Arguments for it, with extents of 0 to 4.
std::vector<array::InterpretedValue> randomArguments(uint64_t seed);

} // namespace ferry::test
