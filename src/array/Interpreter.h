// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plain interpreter of the array dialect with arith, math, scf and func around it, and of tensor and linalg as far as
// simple programs use them. It is slow and obvious on purpose: the oracle that every pass and all compiled code are
// compared with. It runs programs before and after placement and checks that no operation touches an array on the
// other side.

#pragma once

#include "array/ArrayDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <bit>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ferry::array {

/// A scalar without its type: an integer sign-extended to 64 bits (i1 is 0 or 1), or a float widened to f64.
struct Cell {
  uint64_t bits = 0;

  static Cell of(int64_t value) { return {static_cast<uint64_t>(value)}; }
  static Cell of(double value) { return {std::bit_cast<uint64_t>(value)}; }
  int64_t integer() const { return static_cast<int64_t>(bits); }
  double real() const { return std::bit_cast<double>(bits); }
};

/// An array as a value: copies share cells until one of them is changed. Cells are in row-major order.
class InterpretedArray {
public:
  InterpretedArray(llvm::ArrayRef<int64_t> extents, std::optional<Side> side, Cell fill = {});

  llvm::ArrayRef<int64_t> extents() const { return shape; }
  int64_t rank() const { return static_cast<int64_t>(shape.size()); }
  const std::vector<Cell> &cells() const { return *storage; }
  std::vector<Cell> &changeCells();

  /// The memory it is in; none in a program that is not placed.
  std::optional<Side> side;

private:
  llvm::SmallVector<int64_t, 2> shape;
  std::shared_ptr<std::vector<Cell>> storage;
};

using InterpretedValue = std::variant<Cell, InterpretedArray>;

/// Why a program ended before its results were there.
struct InterpreterError {
  enum Kind {
    failure,     ///< what the program did wrong: a failed check, a division by zero, a read out of bounds
    violation,   ///< an operation touched an array on the other side
    unsupported, ///< an operation that the interpreter does not know
    steps        ///< more operations than InterpreterOptions::steps
  } kind;
  mlir::Location location;
  std::string message;
};

struct InterpreterOptions {
  int64_t steps = 1'000'000'000; ///< operations to run at most
};

using InterpreterOutcome = std::variant<std::vector<InterpretedValue>, InterpreterError>;

/// The results of a function for the given arguments, or why there are none. The module has been verified.
InterpreterOutcome interpret(mlir::func::FuncOp function, llvm::ArrayRef<InterpretedValue> arguments,
                             const InterpreterOptions &options = {});

/// Where two outcomes of a function with the given result types differ, in words; none if they agree: both failures,
/// whichever, or the same results, floats up to rounding. The extents of arrays without elements are not compared.
std::optional<std::string> differenceBetween(const InterpreterOutcome &expected, const InterpreterOutcome &found,
                                             mlir::TypeRange types);

/// Reads a value of the given type from the front of `text`, in Futhark's notation (`1i32`, `[1.5, 2]`, `true`,
/// `empty([0][2]f32)`), and removes it; on failure returns none and says why in `error`.
std::optional<InterpretedValue> readValue(llvm::StringRef &text, mlir::Type type, std::string &error);

/// Writes a value of the given type in the same notation.
void printValue(llvm::raw_ostream &out, const InterpretedValue &value, mlir::Type type);

/// Whether nothing but blanks and comments is left.
bool onlyBlanks(llvm::StringRef text);

} // namespace ferry::array
