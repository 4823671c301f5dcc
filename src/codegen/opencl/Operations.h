// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalars in OpenCL C: types, literals, and one expression for each operation of arith and math.

#pragma once

#include "mlir/IR/Operation.h"

#include <optional>
#include <string>

namespace ferry::codegen::opencl {

/// Of a variable: `long`, `bool`, `double`, …. 16-bit floats are `float`s that hold one, since few devices have them.
std::string typeName(mlir::Type type);

/// A value of the type from the `long` that a kernel's argument is.
std::string fromBits(mlir::Type type, const std::string &bits);

/// What is at an address, and what puts a value there; `space` is the address space's name and a blank, or empty.
std::string loaded(mlir::Type type, const std::string &space, const std::string &address);
std::string stored(mlir::Type type, const std::string &space, const std::string &address, const std::string &value);

/// Functions that the expressions of a program use, by what they have to do with.
extern const char halfPrelude[], doublePrelude[], doubleToHalfPrelude[];

std::string literal(mlir::Attribute value);

/// The operation on operands that are written already; nothing if there is no form of it.
std::optional<std::string> expressionOf(mlir::Operation &op, llvm::ArrayRef<std::string> operands);

/// OpenCL's name of a function of the C library; nothing if it has none.
std::optional<std::string> libraryFunction(llvm::StringRef name);

} // namespace ferry::codegen::opencl
