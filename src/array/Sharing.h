// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which array values of a function may lie in the same memory, and whether an operation may write into it.
//
// An operation may consume an array if no value that may lie in the same memory is live after it: if nothing can be
// reached that reads such a value before it is defined anew. Values may lie in the same memory if Ownership gives them
// the same root, or if their roots' memory came to have two owners on the way.

#ifndef FERRY_ARRAY_SHARING_H
#define FERRY_ARRAY_SHARING_H

#include "array/Ownership.h"

#include "llvm/ADT/EquivalenceClasses.h"

namespace ferry::array {

/// The operands that an operation writes into: not those of loops, which hand them on.
llvm::MutableArrayRef<mlir::OpOperand> consumedBy(mlir::Operation *op);

/// The facts about a function of one block, as it is now.
class Sharing {
public:
  explicit Sharing(mlir::func::FuncOp function);

  /// Whether a copy has to be made before the operand is consumed.
  bool needsCopy(mlir::OpOperand &consumed) {
    return isKept(consumed.get()) || isReadBesides(consumed) || !readersAfter(consumed).empty();
  }

  /// Whether an array's memory belongs to somebody who keeps it: an argument that the function may not change, or what
  /// an operator is applied to.
  bool isKept(mlir::Value array);

  /// Whether the operation reads the memory that it writes, other than as the operand consumed.
  bool isReadBesides(mlir::OpOperand &consumed);

  /// The operations that may read its memory after it has been consumed.
  llvm::SmallVector<mlir::Operation *> readersAfter(mlir::OpOperand &consumed);

  /// Whether the values may lie in the same memory.
  bool areOne(mlir::Value a, mlir::Value b) { return leader(a) == leader(b); }

private:
  llvm::ArrayRef<mlir::Value> sharers(mlir::Value array) { return members[leader(array)]; }
  void *leader(mlir::Value array);

  Ownership ownership;
  llvm::EquivalenceClasses<void *> groups;
  llvm::DenseMap<void *, llvm::SmallVector<mlir::Value>> members;
};

/// How many copies the function needs as it is: one where a consumed operand does, and one for each result that shares
/// memory with an argument which the caller keeps, or with another result, since the caller may consume either.
int64_t copiesNeeded(mlir::func::FuncOp function);

} // namespace ferry::array

#endif
