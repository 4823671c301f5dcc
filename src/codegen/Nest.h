// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that vectors of points pay for: a loop over consecutive points around a sequential loop that reads with a
// stride, perhaps in a loop over the rows of a grid.

#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace ferry::codegen {

/// Whether an operation is one on numbers that vector registers compute, so nothing that becomes a call for each
/// element.
bool isNumeric(mlir::Operation &op);

int64_t bytesOf(mlir::Type number);

class Nest {
public:
  explicit Nest(mlir::scf::ForOp points) : points(points) {}

  /// To be asked first. Afterwards the questions below have answers.
  bool isWorthVectors();

  /// Whether all that differs between points is computed by operations that have vectors.
  bool hasOnly(llvm::function_ref<bool(mlir::Operation &)> hasVectors);

  /// Whether several rows at a time read something of the inner loop once for all of them.
  bool isWorthJamming();

  /// Whether a value differs between the points of a vector, or between rows.
  bool isOfPoint(mlir::Value value) const { return ofPoint.contains(value); }
  bool isOfRow(mlir::Value value) const { return ofRow.contains(value); }

  mlir::scf::ForOp rows, points, inner;
  int64_t elementBytes = 1; ///< of the widest number that is read, carried or written

private:
  bool hasShape();
  void findOfPoint();
  void findOfRow();
  bool isContiguous();
  bool isInRows();
  std::optional<int64_t> steps(mlir::Value index, mlir::Value variable);
  std::optional<int64_t> stepsOfAddress(mlir::Value address, mlir::Value variable, mlir::Type element);

  llvm::DenseSet<mlir::Value> ofPoint, ofRow;
  bool isStrided = false;
};

} // namespace ferry::codegen
