// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derivatives of scalar operations.

#pragma once

#include "mlir/IR/Builders.h"

namespace ferry::array {

/// Whether the derivative is taken to be zero, as of rounding and of operations on bits. Conversions between number
/// types pass tangents on, converted likewise.
bool isPiecewiseConstant(mlir::Operation *op);

/// The tangent of the result of an arith or math operation on scalars, or of a call of a function of the C library.
/// `op` is in place and the builder after it; `tangents` are those of its operands. A null value stands for a zero
/// tangent. Fails where there is no rule, without a message.
mlir::FailureOr<mlir::Value> tangentOf(mlir::OpBuilder &builder, mlir::Operation *op,
                                       llvm::ArrayRef<mlir::Value> tangents);

} // namespace ferry::array
