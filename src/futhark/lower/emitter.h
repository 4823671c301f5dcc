// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes operations: at a place, with a source location, with or without run-time checks.
#pragma once

#include "array/ArrayDialect.h"
#include "futhark/types/types.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace ferry::futhark::lowering {

using types::Prim;

struct Emitter {
  explicit Emitter(mlir::ModuleOp module)
      : module(module), builder(module.getContext()), location(builder.getUnknownLoc()) {}

  mlir::ModuleOp module;
  mlir::OpBuilder builder;
  mlir::Location location;
  bool checked = true; ///< False under `#[unsafe]`: indices, sizes and divisors are trusted.

  template <typename Op, typename... Args> Op create(Args &&...args) {
    return Op::create(builder, location, std::forward<Args>(args)...);
  }
  /// The operation's result, or what it folds to.
  template <typename Op, typename... Args> mlir::Value fold(Args &&...args) {
    return builder.createOrFold<Op>(location, std::forward<Args>(args)...);
  }

  mlir::Type typeOf(Prim prim);
  /// A constant of an integer type, the value wrapped to its width.
  mlir::Value integer(mlir::Type type, int64_t value);
  mlir::Value integer(Prim prim, int64_t value) { return integer(typeOf(prim), value); }
  mlir::Value index(int64_t value) { return integer(builder.getI64Type(), value); }
  mlir::Value truth(bool value) { return integer(builder.getI1Type(), value); }
  mlir::Value real(mlir::Type type, double value);

  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value left, mlir::Value right);
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value left, mlir::Value right);
  mlir::Value select(mlir::Value condition, mlir::Value ifTrue, mlir::Value ifFalse);
  mlir::Value negation(mlir::Value truth); ///< of an i1

  /// Ends the program with `message` where `condition` is false; {0}, {1}, ... stand for `values`, which are i64s.
  /// Makes nothing if the condition is known to hold.
  void require(mlir::Value condition, llvm::StringRef message, mlir::ValueRange values = {});
  /// The same, unless checks are off.
  void check(mlir::Value condition, llvm::StringRef message, mlir::ValueRange values = {});

  mlir::Value dim(mlir::Value array, int64_t dimension);
};

/// The value of an integer constant, sign-extended.
std::optional<int64_t> constantOf(mlir::Value value);
/// Whether an i64 is known not to be negative.
bool isNonNegative(mlir::Value value);

} // namespace ferry::futhark::lowering
