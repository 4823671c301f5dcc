// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which array values of a function may lie in the same memory, and whether an operation may write into it.
//
// An operation may consume an array if no value that may lie in the same memory is live after it: if nothing can be
// reached that reads such a value before it is defined anew. Values lie in the same memory if Ownership gives them the
// same root. Two roots may if memory came to have two owners on the way: where that happens is an *origin*, and both
// owners have it, as has every root to which loops, branches and selections hand their memory on from there. (By
// inclusion, not unification: what `select a, b` gives may be either, which makes a and b no more alike.)

#pragma once

#include "array/Ownership.h"

#include "llvm/ADT/SetVector.h"

#include <vector>

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
  bool isKept(mlir::Value array) const;

  /// Whether the operation reads the memory that it writes, other than as the operand consumed.
  bool isReadBesides(mlir::OpOperand &consumed);

  /// The operations that may read its memory after it has been consumed.
  llvm::SmallVector<mlir::Operation *> readersAfter(mlir::OpOperand &consumed);

  /// Whether the values may lie in the same memory.
  bool areOne(mlir::Value a, mlir::Value b) const;

private:
  using Origin = unsigned;
  using Origins = llvm::SmallSetVector<Origin, 2>;

  void findOrigins(mlir::func::FuncOp function);
  void note(mlir::Value value);
  llvm::ArrayRef<Origin> originsOf(mlir::Value array) const;
  llvm::SetVector<mlir::Value> sharers(mlir::Value array) const;

  Ownership ownership;
  llvm::DenseMap<mlir::Value, Origins> origins; ///< By root; most have none.
  std::vector<bool> kept;                       ///< By origin: the memory is somebody else's, who keeps it.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> byRoot;
  std::vector<llvm::SmallVector<mlir::Value>> byOrigin; ///< The values that may have it.
};

/// How many copies the function needs as it is: one where a consumed operand does, and one for each result that shares
/// memory with an argument which the caller keeps, or with another result, since the caller may consume either.
int64_t copiesNeeded(mlir::func::FuncOp function);

} // namespace ferry::array
