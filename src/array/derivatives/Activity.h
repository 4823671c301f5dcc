// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values of a body change when its arguments do.

#pragma once

#include "array/ArrayDialect.h"

#include "llvm/ADT/DenseSet.h"

namespace ferry::array {

/// Whether a value of this type has a tangent: a number or a bool, or an array of them.
bool hasTangentType(mlir::Type type);

/// The operands that the results are made of, rather than found, counted or sized by.
llvm::SmallVector<mlir::OpOperand *> dataOperands(mlir::Operation *op);

/// The values of a region that may have a tangent other than zero, given those that enter it with one. A value carried
/// by a loop or an operator is active if it is so in any iteration.
class Activity {
public:
  Activity(mlir::Region &region, llvm::ArrayRef<mlir::Value> seeds);

  bool isActive(mlir::Value value) const { return active.contains(value); }
  bool hasActiveResult(mlir::Operation *op) const;

private:
  void visit(mlir::Region &region);
  void visit(mlir::Operation *op);
  void visitLoop(mlir::scf::ForOp loop);
  void visitLoop(mlir::scf::WhileOp loop);
  void visitSoac(mlir::Operation *soac);
  void visitCombiner(mlir::Region &combiner, mlir::ValueRange neutral, mlir::ValueRange values);
  void flow(mlir::Value from, mlir::Value to);
  void flow(mlir::ValueRange from, mlir::ValueRange to);

  llvm::DenseSet<mlir::Value> active;
  bool changed = false;
};

} // namespace ferry::array
