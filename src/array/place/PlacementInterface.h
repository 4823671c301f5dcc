// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What placement asks of an operation. See PlacementInterface.td.

#pragma once

#include "array/ArrayDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

#include <cstdint>

namespace ferry::array {

class SizeEvaluator;

/// How an operation uses an operand.
enum class Use : uint8_t {
  content,    ///< Reads it on the side it runs on.
  launcher,   ///< Whoever starts the operation reads it: extents, positions of views.
  update,     ///< An array updated in place: the rest keeps its value, what is replaced is not read.
  readUpdate, ///< As update, and read.
  nothing,    ///< Needs its extents at most, which are known wherever the array is.
};

/// What a result is.
struct ResultFact {
  enum Kind : uint8_t {
    fresh,   ///< New memory, written whole.
    updated, ///< The operand, updated in place.
    view,    ///< Shares the operand's memory.
  } kind = fresh;
  unsigned operand = 0;
};

struct PlacementFacts {
  llvm::SmallVector<Use, 4> uses;           ///< One an operand.
  llvm::SmallVector<ResultFact, 2> results; ///< One a result.
  bool allocation = false;                  ///< Undefined contents.
  bool bothSides = false;                   ///< Pure and cheap enough to run on each side.
  bool kernel = true;                       ///< May be inside a kernel.
  bool device = true;                       ///< May run on the device at all.
  bool element = false;                     ///< Reads one element of operand 0, its other operands the indices.
  bool elementUpdate = false;               ///< Replaces one element of operand 0.
  bool scalar = false;                      ///< The work of one thread.
  bool contiguous = false;                  ///< A view of consecutive elements.
};

/// One execution of an operation. Unknown sizes are assumed (SizeEvaluator).
struct PlacementWork {
  int64_t elements = 1; ///< 0: there is nothing to do, and nothing is launched.
  int64_t bytesRead = 0;
  int64_t bytesWritten = 0;
  int64_t operations = 0; ///< Of all threads together.
  int64_t sequential = 0; ///< Of one thread, after the rest.
  int64_t alone = 0;      ///< Operations and accesses, if one thread does it all.
};

/// A number, and whether it holds in every execution or is an average or an assumption.
struct Estimate {
  int64_t value = 0;
  bool exact = false;
};

/// Extents of an array, empty for one of rank 0; see SizeEvaluator.
using Extents = llvm::SmallVector<Estimate, 4>;

inline bool isArray(mlir::Value value) { return llvm::isa<mlir::TensorType>(value.getType()); }

/// The array types of an operation and of what is in its regions, put on a side.
void retypeOnSide(mlir::Operation *op, Side side);

mlir::Operation *cloneOnSide(mlir::OpBuilder &builder, mlir::Operation *op, mlir::IRMapping &mapping, Side side);

/// The values from outside that an operation's regions use, each once.
llvm::SmallVector<mlir::Value> capturedValues(mlir::Operation *op);

/// Facts where every operand is read and every result is new.
PlacementFacts plainFacts(mlir::Operation *op);

/// Makes the operations of array, linalg, tensor and arith placeable.
void registerPlacementModels(mlir::DialectRegistry &registry);

} // namespace ferry::array

#include "array/place/PlacementInterface.h.inc"
