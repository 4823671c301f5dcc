// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which extents of what loops carry are the same in every trip, and what extents of arrays follow from.

#pragma once

#include "array/ArrayDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace ferry::array {

/// What a loop's arguments are, what they begin with, and what a trip hands to the next. An scf.while need not be
/// rotated.
struct CarriedValues {
  mlir::ValueRange parameters, initials, yielded;
};

/// Of an scf.for or scf.while; nothing for any other operation.
std::optional<CarriedValues> carriedValues(mlir::Operation *op);

/// What an extent comes to: a number, a scalar of the program, or an extent of an array of which nothing more is known.
struct Extent {
  mlir::Attribute number;           ///< or null
  mlir::Value value;                ///< a scalar, or the array; null if it is a number
  std::optional<int64_t> dimension; ///< of the array
  bool isClamped = false;           ///< of a scalar: it is 0 where that is negative

  /// Whether they are equal in every run that comes this far: arrays of negative extents are refused before.
  bool isSameAs(const Extent &other) const {
    return number == other.number && value == other.value && dimension == other.dimension;
  }
};

/// The facts about one function. All loops are supposed to keep all extents; what a loop hands to its next trip with
/// other extents than it began with then refutes that, until nothing more is refuted.
class LoopExtents {
public:
  explicit LoopExtents(mlir::func::FuncOp function);

  /// In terms of what is visible where the array is made; at the worst its own extent.
  Extent of(mlir::Value array, int64_t dimension) const;

private:
  Extent ofArgument(mlir::BlockArgument argument, int64_t dimension) const;
  Extent ofResult(mlir::OpResult result, int64_t dimension) const;
  Extent ofScalar(mlir::Value scalar) const;

  llvm::DenseSet<std::pair<mlir::Value, int64_t>> varying; ///< of arguments of loops
  mutable llvm::DenseMap<std::pair<mlir::Value, int64_t>, Extent> known;
};

} // namespace ferry::array
