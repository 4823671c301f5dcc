// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function as placement sees it: its blocks cut into steps, its values gathered into units.
//
// A *unit* is what has at most one copy on each side: an array together with its views and its in-place updates, or a
// scalar that was made from the contents of arrays. Scalars that were not (constants, extents, what is computed from
// them) are *plain*: the host has them, and kernels get them as arguments.

#pragma once

#include "array/place/SizeEvaluator.h"
#include "placement/access.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>
#include <string>
#include <vector>

namespace ferry::array {

using Unit = placement::ArrayId;
using Tag = placement::Tag;

/// A stretch of a block that is placed as one.
struct Step {
  enum Kind : uint8_t {
    plain,  ///< Plain scalar work: emitted where it stands, no decision.
    dim,    ///< An extent of an array that has to be somewhere for it, no matter where.
    view,   ///< A view that is made where it is needed; no decision.
    piece,  ///< Scalar work on units (several operations), or one operation on arrays.
    loop,   ///< An scf.for or scf.while over arrays.
    branch, ///< An scf.if over arrays.
  };
  Kind kind = plain;
  Tag tag = 0; ///< Unique in the function; 0 for plain and view steps.
  llvm::SmallVector<mlir::Operation *, 2> ops;

  mlir::Operation *op() const { return ops.front(); }
};

/// A forced side and who forces it.
struct Pin {
  Side side = Side::host;
  std::string name;
  mlir::Location location;
};

/// A value that a loop carries: {parameter: initial}, {parameter: yielded}, {result: yielded}.
struct Carried {
  mlir::Value parameter, initial, yielded, result;
};

class Program {
public:
  /// Cuts the function into steps. Changes it only by identity casts, which give plain scalars a unit where they flow
  /// into a loop or out of an arm.
  explicit Program(mlir::func::FuncOp function);

  llvm::ArrayRef<Step> steps(mlir::Block *block) const { return blocks.find(block)->second; }
  /// The unit of an array or array-made scalar; none for plain scalars and what is only used inside a step.
  std::optional<Unit> unit(mlir::Value value) const;
  size_t unitCount() const { return origins.size(); }
  /// The value that first had the unit.
  mlir::Value origin(Unit unit) const { return origins[unit]; }
  bool isTracked(mlir::Value scalar) const { return tracked.contains(scalar); }
  /// Whether the value shares its unit with the operand that it is a view of.
  bool isAlias(mlir::Value value) const { return aliases.contains(value); }
  /// Whether an operation that updates an operand cannot do so in place, since the operand is still needed.
  bool copies(mlir::Operation *op) const { return copying.contains(op); }
  /// Whether the step is the update in place of one element.
  bool isElementUpdate(const Step &step) const;
  std::optional<Pin> pin(mlir::Operation *op) const;
  const Step *step(Tag tag) const;
  Tag lastTag() const { return byTag.size() - 1; }
  /// Of the step that an operation is one of; nothing for steps without a tag and for operations inside of one.
  std::optional<Tag> tagOf(mlir::Operation *op) const;

  mlir::func::FuncOp function;

private:
  void track(mlir::Block &block);
  void castPlain(mlir::Operation *op);
  void cut(mlir::Block &block);
  void flush(std::vector<Step> &steps, llvm::SmallVectorImpl<mlir::Operation *> &segment);
  void number();
  void assign(mlir::Block &block);
  void assignResults(mlir::Operation *op);
  void newUnit(mlir::Value value);
  void share(mlir::Value value, mlir::Value with);
  bool isFreeToUpdate(mlir::Value array, mlir::Operation *op) const;

  llvm::DenseMap<mlir::Block *, std::vector<Step>> blocks;
  llvm::DenseSet<mlir::Value> tracked, aliases;
  llvm::DenseSet<mlir::Operation *> copying;
  llvm::DenseMap<mlir::Value, Unit> units;
  std::vector<mlir::Value> origins;
  std::vector<std::pair<mlir::Block *, size_t>> byTag;
  llvm::DenseMap<mlir::Operation *, Tag> tags;
};

/// Whether an scf.for, scf.while or scf.if is part of the program's structure: it touches arrays.
bool isStructure(mlir::Operation *op);

/// What a loop carries.
llvm::SmallVector<Carried> carriedBy(mlir::Operation *loop);

/// Whether there is an array among what an operation takes or gives, or a SOAC, or in what it holds.
bool touchesArrays(mlir::Operation *op);

/// Whether a value, or the memory it was consumed from, may be used after an operation that uses it.
bool isUsedAfter(mlir::Value value, mlir::Operation *op);

/// The array that a value is a view of, if it is one.
mlir::Value viewedBy(mlir::Value value);

/// The name of a let-bound value, or what the operation is called.
std::string displayName(mlir::Value value);
std::string displayName(mlir::Operation *op);
/// The name, or what the operation is called and where it is: `reduce at 12:5`.
std::string describedName(mlir::Value value);
std::string describedName(mlir::Operation *op);
/// `file:line:col`, or an empty string.
std::string displayLocation(mlir::Location location);

/// Dissolves the function's array.pin regions: what is in them carries the pin as an attribute. Those inside a SOAC or
/// a launch are dropped with a warning.
void turnPinsIntoMarks(mlir::func::FuncOp function);
/// Gives an operation without a pin of its own that of the one around it.
void inheritPin(mlir::Operation *from, mlir::Operation *to);
void removePinMarks(mlir::Operation *root);

} // namespace ferry::array
