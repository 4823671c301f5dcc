// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "array/interpreter/Machine.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;

namespace ferry::array {
namespace {

// The largest difference between floats that are the same, relative to the larger one or to 1.
double toleranceOf(Type type) { return type.isF64() ? 1e-7 : type.isF32() ? 1e-4 : 1e-2; }

bool sameCell(Cell a, Cell b, Type type) {
  if (!isa<FloatType>(type))
    return a.bits == b.bits;
  double x = a.real(), y = b.real();
  if (std::isnan(x) || std::isnan(y) || std::isinf(x) || std::isinf(y))
    return (std::isnan(x) && std::isnan(y)) || x == y;
  return std::abs(x - y) <= toleranceOf(type) * std::max({1.0, std::abs(x), std::abs(y)});
}

bool sameValue(const InterpretedValue &a, const InterpretedValue &b, Type type) {
  if (auto *cell = std::get_if<Cell>(&a))
    return sameCell(*cell, std::get<Cell>(b), type);
  auto &x = std::get<InterpretedArray>(a), &y = std::get<InterpretedArray>(b);
  Type element = cast<RankedTensorType>(type).getElementType();
  if (x.cells().empty() && y.cells().empty())
    return true;
  return x.extents() == y.extents() && llvm::all_of(llvm::zip_equal(x.cells(), y.cells()), [&](auto pair) {
           return sameCell(std::get<0>(pair), std::get<1>(pair), element);
         });
}

} // namespace

std::optional<std::string> differenceBetween(const InterpreterOutcome &expected, const InterpreterOutcome &found,
                                             TypeRange types) {
  auto *error = std::get_if<InterpreterError>(&expected), *foundError = std::get_if<InterpreterError>(&found);
  if (error && foundError && error->kind == foundError->kind)
    return std::nullopt;
  if (error || foundError)
    return error ? "the error is lost: " + error->message : "an error is new: " + foundError->message;
  auto &values = std::get<0>(expected), &foundValues = std::get<0>(found);
  for (auto [index, type] : llvm::enumerate(types)) {
    if (sameValue(values[index], foundValues[index], type))
      continue;
    std::string text;
    llvm::raw_string_ostream out(text);
    out << "result " << index << " was ";
    printValue(out, values[index], type);
    out << ", is ";
    printValue(out, foundValues[index], type);
    return text;
  }
  return std::nullopt;
}

} // namespace ferry::array
