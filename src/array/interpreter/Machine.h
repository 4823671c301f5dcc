// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of an interpreted program, and the table of what each operation does to it. Internal to the interpreter.

#pragma once

#include "array/Interpreter.h"

#include "llvm/ADT/DenseMap.h"

#include <functional>

namespace ferry::array::detail {

using Values = llvm::SmallVector<InterpretedValue, 4>;
using Indices = llvm::SmallVector<int64_t, 4>;

/// Ends the program; caught by interpret().
struct Stop {
  InterpreterError error;
};

/// Rounds or wraps a cell to a scalar type.
Cell narrow(Cell cell, mlir::Type type);

/// How many elements an array of these extents has.
int64_t countOf(llvm::ArrayRef<int64_t> extents);

/// Calls `point` with the indices of each element in row-major order.
void forEachPoint(llvm::ArrayRef<int64_t> extents, llvm::function_ref<void(llvm::ArrayRef<int64_t>)> point);

/// The element or row at leading indices that are in bounds.
InterpretedValue elementAt(const InterpretedArray &array, llvm::ArrayRef<int64_t> indices);
/// Replaces it. False if a row has other extents than the array's rows.
bool storeAt(InterpretedArray &array, llvm::ArrayRef<int64_t> indices, const InterpretedValue &value);
/// Whether leading indices are in bounds.
bool inBounds(const InterpretedArray &array, llvm::ArrayRef<int64_t> indices);

class Machine {
public:
  explicit Machine(const InterpreterOptions &options);

  Values call(mlir::func::FuncOp function, Values arguments);

  /// Runs a region of one block and returns the operands of its terminator, which `terminator` is set to.
  Values evaluate(mlir::Region &region, Values arguments, mlir::Operation **terminator = nullptr);

  /// The value of an operand. Arrays may be on any side.
  InterpretedValue get(mlir::Value value) const;
  Values get(mlir::ValueRange values) const;
  Cell cell(mlir::Value value) const { return std::get<Cell>(get(value)); }
  int64_t integer(mlir::Value value) const { return cell(value).integer(); }
  Indices integers(mlir::ValueRange values) const;
  /// An array of which only the descriptor is used.
  InterpretedArray array(mlir::Value value) const { return std::get<InterpretedArray>(get(value)); }
  /// An array whose elements `op` reads or writes, where code runs now.
  InterpretedArray touch(mlir::Operation *op, mlir::Value value);
  /// The same, given up if this is its last use, so that it may change in place.
  InterpretedArray consume(mlir::Operation *op, mlir::Value value);

  void run(mlir::Operation *op);

  void set(mlir::Value value, InterpretedValue result);
  void setAll(mlir::Operation *op, Values results);

  /// The side of an array that `op` makes here.
  std::optional<Side> sideOfNew(mlir::Type type) const;

  [[noreturn]] void fail(mlir::Operation *op, const llvm::Twine &message,
                         InterpreterError::Kind kind = InterpreterError::failure) const;

  Side here = Side::host; ///< what runs now
  Indices linalgPoint;    ///< of the innermost linalg operation
  int differences = 0;    ///< how many derivatives are being approximated; floats are not rounded to their type then

  /// Rounds or wraps a result to its type.
  Cell fit(Cell cell, mlir::Type type) const {
    return differences && llvm::isa<mlir::FloatType>(type) ? cell : narrow(cell, type);
  }

private:
  InterpretedValue give(mlir::Operation *op, mlir::Value value);
  void checkSide(mlir::Operation *op, const InterpretedArray &array) const;

  llvm::DenseMap<mlir::Value, InterpretedValue> environment;
  llvm::DenseMap<std::pair<mlir::Operation *, mlir::Value>, bool> lastUses;
  int64_t stepsLeft;
  int depth = 0;
};

/// The extents of an operand of a body's terminator, as far as they are known without evaluating it.
Indices extentsYielded(Machine &machine, mlir::Region &body, unsigned operand);

using Handler = std::function<void(Machine &, mlir::Operation *)>;
using Handlers = llvm::DenseMap<mlir::TypeID, Handler>;

template <typename Op> void handle(Handlers &handlers, void (*run)(Machine &, Op)) {
  handlers[mlir::TypeID::get<Op>()] = [run](Machine &machine, mlir::Operation *op) {
    run(machine, llvm::cast<Op>(op));
  };
}

void addScalarHandlers(Handlers &handlers);
void addMathHandlers(Handlers &handlers);
void addControlHandlers(Handlers &handlers);
void addArrayHandlers(Handlers &handlers);
void addSoacHandlers(Handlers &handlers);
void addPlacementHandlers(Handlers &handlers);
void addDerivativeHandlers(Handlers &handlers);
void addTensorHandlers(Handlers &handlers);

/// What a scalar operation makes of its operands; the machine rounds or wraps the result, and applies it to each
/// element if the operands are arrays.
using ScalarFunction = std::function<Cell(Machine &, mlir::Operation *, llvm::ArrayRef<Cell>)>;
Handler elementwise(ScalarFunction function);

/// A function of the C library by the name that the program calls it; none if unknown.
std::optional<Cell> callLibrary(llvm::StringRef name, llvm::ArrayRef<Cell> arguments);

} // namespace ferry::array::detail
