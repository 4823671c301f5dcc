// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the passes ask of SOACs of any kind, and of the arrays that operations share and consume.

#pragma once

#include "array/ArrayDialect.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

namespace ferry::array {

/// The extents of a SOAC's grid.
mlir::OperandRange sizesOf(mlir::Operation *soac);

/// The arrays whose elements its body gets, one block argument each after the indices.
mlir::MutableOperandRange inputsOf(mlir::Operation *soac);

/// The region that is evaluated at each point.
mlir::Region &bodyOf(mlir::Operation *soac);

/// The operator's region, of reduce, scan and hist; null for the others.
mlir::Region *combinerOf(mlir::Operation *soac);

/// The operands whose memory the operation may reuse, so that they are not used after it.
llvm::SmallVector<mlir::Value> consumedOperands(mlir::Operation *op);

/// The value whose memory a view shares; the value itself if it is no view.
mlir::Value viewedArray(mlir::Value array);

/// The arrays, seen through views, that the operation and all inside it read from outside.
llvm::SetVector<mlir::Value> arraysRead(mlir::Operation *op);

/// Whether `op` may run just before `place`, later in its block, with the same results: nothing from `op` on, `place`
/// included, consumes an array that it reads.
bool canSinkTo(mlir::Operation *op, mlir::Operation *place);

/// Whether evaluating the map's body again costs no more than reading its result: a few arithmetic operations on one
/// element.
bool isCheapMap(MapOp map);

/// Whether sequential code, code pinned to the host, or the caller reads the array or a view of it, so that the host
/// may be the better side for what makes it.
bool mayBeReadOnHost(mlir::Value array);

/// Whether an array value is defined outside the region.
bool isDefinedOutside(mlir::Value value, mlir::Region &region);

/// Clones a body of one block at the builder's place for the given arguments; returns what it yields.
llvm::SmallVector<mlir::Value> inlineBody(mlir::OpBuilder &builder, mlir::Region &body, mlir::ValueRange arguments);

/// The same operation with other inputs and results of the grid's extents that a body yields: a map whose body ends in
/// `yields`. The region is moved out of `map`, which is left to be erased.
MapOp rebuildMap(mlir::OpBuilder &builder, MapOp map, mlir::ValueRange yields);

} // namespace ferry::array
