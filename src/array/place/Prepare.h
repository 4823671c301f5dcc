// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What placement does to a function before it looks at it: what the arguments decide is no choice any more.

#pragma once

#include "array/place/SizeEvaluator.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ferry::array {

/// Replaces branches over arrays whose condition follows from the arguments by the arm that they take, with an
/// assertion that they do: a run for which it fails would be another plan's. Loops of one trip are replaced by their
/// body.
void foldKnownStructure(mlir::func::FuncOp function, const PlacementInputs &inputs);

/// Ends a run that is not the one that the plan was made for.
void assertPlanned(mlir::OpBuilder &builder, mlir::Location location, mlir::Value holds);

/// Drops operations on arrays, results of theirs and of branches, and transfers that nothing uses, and numbers with
/// which loops begin but that no trip reads. Loops keep their form.
void dropDead(mlir::func::FuncOp function);

/// Turns selections between arrays back into branches, which choose one without copying it.
void expandSelections(mlir::func::FuncOp function);

/// Copies what a loop or a branch hands on with gaps: code generation would do so on the host.
void closeGaps(mlir::func::FuncOp function);

} // namespace ferry::array
