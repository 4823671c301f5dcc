// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on Futhark's numbers and truth values. Operands are SSA values of the type `Emitter::typeOf(prim)`.
//
// Integers wrap. `/` and `%` round down, `//` and `%%` towards zero; a zero divisor ends the program. Shift amounts
// count modulo the width. A comparison with NaN is false, and `min` and `max` give the other operand.
#pragma once

#include "futhark/lower/emitter.h"
#include "futhark/types/typed.h"

#include "llvm/ADT/StringRef.h"

namespace ferry::futhark::lowering {

/// Not LogicalAnd and LogicalOr, whose right operands are evaluated only if needed. Equal and NotEqual are the only
/// operations on bools besides And, Or and Xor.
mlir::Value binary(Emitter &emit, typed::BinaryOp op, Prim prim, mlir::Value left, mlir::Value right);
/// Of unsigned integers, the second not zero.
mlir::Value quotientRoundedUp(Emitter &emit, mlir::Value left, mlir::Value right);
mlir::Value negate(Emitter &emit, Prim prim, mlir::Value operand);
/// The complement of an integer or a bool.
mlir::Value complement(Emitter &emit, Prim prim, mlir::Value operand);

mlir::Value constant(Emitter &emit, const typed::Constant &value);

/// From one number type, or bool, to another. Floats are truncated towards zero; NaN, infinities and, for targets of at
/// most 32 bits, what is out of range give 0; negative ones wrap in unsigned types. NaN is true.
mlir::Value convert(Emitter &emit, Prim from, Prim to, mlir::Value operand);
/// An integer of any type as an i64.
mlir::Value asIndex(Emitter &emit, Prim prim, mlir::Value operand);

/// Calls the member `name` of the number module `prim` (or "bool"). Null if it has no such member.
mlir::Value callMember(Emitter &emit, Prim prim, llvm::StringRef name, llvm::ArrayRef<mlir::Value> arguments);

/// The members of integer and of float modules that are not among the operators.
mlir::Value callIntegerMember(Emitter &emit, Prim prim, llvm::StringRef name, llvm::ArrayRef<mlir::Value> arguments);
mlir::Value callFloatMember(Emitter &emit, Prim prim, llvm::StringRef name, llvm::ArrayRef<mlir::Value> arguments);

} // namespace ferry::futhark::lowering
