// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors in OpenCL C, of 2, 4, 8 or 16 numbers.

#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <optional>
#include <string>

namespace ferry::codegen::opencl {

inline constexpr int64_t mostLanes = 16;

/// Whether an operation on numbers has the same result for each number of a vector.
bool hasVectors(mlir::Operation &op);

/// Such an operation on vectors that are written already; nothing if there is no form of it.
std::optional<std::string> vectorExpression(mlir::Operation &op, llvm::ArrayRef<std::string> operands);

/// A vector of which each number is the same.
std::string spread(mlir::Type vector, const std::string &number);

std::string vectorLiteral(mlir::DenseElementsAttr value);

/// What is at an address, which need not be aligned to a vector; `space` as in Operations.h.
std::string loadedVector(mlir::VectorType type, const std::string &space, const std::string &address);
std::string storedVector(mlir::VectorType type, const std::string &space, const std::string &address,
                         const std::string &value);

} // namespace ferry::codegen::opencl
