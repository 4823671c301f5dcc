// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who owns the memory of each array value of a function, when it is given back, and which values are one and the same
// array in memory because an operation works in place. Nothing of this is decided at run time.

#pragma once

#include "array/ArrayDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace ferry::array {

/// The facts about one function whose consumed operands are dead afterwards (array-copy-consumed sees to it).
///
/// A *fresh* value owns one reference to its block in the MLIR block that defines it. Every other array value borrows:
/// it is the same array as another (`same`), or a view into it (`root`). A result or argument of a loop, branch or
/// launch is the same array as an outer value where every path leaves it there; else it is fresh, and whoever yields to
/// it hands over a reference.
class Ownership {
public:
  explicit Ownership(mlir::func::FuncOp function);

  /// The value that this one is in memory: itself unless it is the result of an update in place, or carried unchanged.
  mlir::Value same(mlir::Value array) const;

  /// The value that holds the memory into which this one looks.
  mlir::Value root(mlir::Value array) const;

  /// Whether the elements are in row-major order without gaps.
  bool isContiguous(mlir::Value array) const;

  /// Whether the value owns a reference.
  bool isFresh(mlir::Value array) const { return fresh.contains(array); }

  /// The fresh values to release after an operation; after a terminator's operands have been used, if it is one.
  llvm::ArrayRef<mlir::Value> releasedAfter(mlir::Operation *op) const;

  /// The fresh values that end at the beginning of a block: arguments that nothing uses, and what only the other arm of
  /// a branch still uses.
  llvm::ArrayRef<mlir::Value> releasedAtStart(mlir::Block *block) const;

  /// Whether the operand of a terminator or of a loop hands over the reference that its root owns; if not, whoever
  /// takes the operand adds a reference.
  bool isMoved(mlir::OpOperand &operand) const { return moved.contains(&operand); }

  /// The value that an operand of a loop, a terminator or a select becomes, or null if it is merely used, or leaves the
  /// function.
  static mlir::Value carriedBy(mlir::OpOperand &operand);

  /// Whether the operand's memory then has two owners: it is handed over, but not moved.
  bool isShared(mlir::OpOperand &operand) const { return takesOver(operand) && !isMoved(operand); }

private:
  void visitBlock(mlir::Block &block);
  void visit(mlir::Operation &op);
  void visitIf(mlir::scf::IfOp op);
  void visitFor(mlir::scf::ForOp op);
  void visitWhile(mlir::scf::WhileOp op);
  void visitSoac(mlir::Operation &op);
  void visitLaunch(LaunchOp op);

  void makeFresh(mlir::Value value);
  void makeSame(mlir::Value value, mlir::Value as);
  void makeView(mlir::Value value, mlir::Value of, bool contiguous);
  bool isDefinedOutside(mlir::Value value, mlir::Operation *op) const;

  bool takesOver(mlir::OpOperand &operand) const;
  void placeReleases();
  void placeRelease(mlir::Value owner, llvm::ArrayRef<mlir::Value> aliases, mlir::Block *block, mlir::Operation *made);

  llvm::DenseMap<mlir::Value, mlir::Value> sameAs, rootOf;
  llvm::DenseSet<mlir::Value> fresh, gapped;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>> releases;
  llvm::DenseMap<mlir::Block *, llvm::SmallVector<mlir::Value>> unused;
  llvm::DenseSet<mlir::OpOperand *> moved;
  mlir::func::FuncOp function;
};

/// Puts the bodies of the function's pins in their places.
void dissolvePins(mlir::func::FuncOp function);

} // namespace ferry::array
