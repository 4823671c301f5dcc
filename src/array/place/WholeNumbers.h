// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on whole numbers as a program does it: in the width of its types, with arith's operations.

#pragma once

#include "mlir/IR/Operation.h"

#include <cstdint>
#include <optional>

namespace ferry::array {

/// An integer of at most 64 bits, an index or a bool.
bool isWholeNumber(mlir::Type type);

/// A number as the type has it: its low bits, signed; a bool is 0 or 1.
int64_t wrapped(int64_t value, mlir::Type type);

/// Whether `evaluate` knows the operation: it takes whole numbers, gives one, and is arith's or an identity cast.
bool isEvaluable(mlir::Operation *op);

/// What an evaluable operation gives for these operands; nothing where it is undefined, where a sum or product does not
/// fit 64 bits, or where an operand that it needs is not known.
std::optional<int64_t> evaluate(mlir::Operation *op, llvm::function_ref<std::optional<int64_t>(unsigned)> operand);

/// The product and sum of non-negative numbers; the largest number if it does not fit.
int64_t saturatingProduct(int64_t a, int64_t b);
int64_t saturatingSum(int64_t a, int64_t b);

} // namespace ferry::array
