// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The array dialect: operations on arrays as values, each array on the host, on the device, or not placed yet. See
// ArrayDialect.td.

#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

#include "array/ArrayDialect.h.inc"
#include "array/ArrayEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "array/ArrayAttributes.h.inc"

namespace ferry::array {

/// The other of the two sides.
inline Side other(Side side) { return side == Side::host ? Side::device : Side::host; }

/// The side of an array type; none if it is unplaced or no tensor.
std::optional<Side> sideOf(mlir::Type type);

/// The same array type on a side, or unplaced.
mlir::RankedTensorType onSide(mlir::Type type, std::optional<Side> side);

/// An unplaced array type of the given rank, all extents dynamic.
mlir::RankedTensorType arrayType(mlir::Type element, int64_t rank);

/// The type of an array's elements after `leading` indices: a scalar, or an array on the same side.
mlir::Type elementAfter(mlir::Type array, int64_t leading);

/// The side on which an operation's code runs: the device inside a launch, else the host.
Side runningSide(mlir::Operation *op);

/// Whether the operation is an evaluation inside a SOAC's body or operator, so no decision of placement's.
bool isInsideSoac(mlir::Operation *op);

/// Whether the operation is a SOAC: map, reduce, scan, hist, scatter or filter.
bool isSoac(mlir::Operation *op);

namespace detail {
llvm::LogicalResult verifyRunsOnItsSide(mlir::Operation *op);
llvm::LogicalResult verifyIsView(mlir::Operation *op);
} // namespace detail

template <typename Concrete> class RunsOnItsSide : public mlir::OpTrait::TraitBase<Concrete, RunsOnItsSide> {
public:
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) { return detail::verifyRunsOnItsSide(op); }
};

template <typename Concrete> class IsView : public mlir::OpTrait::TraitBase<Concrete, IsView> {
public:
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) { return detail::verifyIsView(op); }
};

} // namespace ferry::array

#define GET_OP_CLASSES
#include "array/ArrayOps.h.inc"
