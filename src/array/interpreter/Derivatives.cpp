// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A directional derivative, approximated without any rule of differentiation: the body runs at four points along the
// direction, in f64 throughout, and the fourth-order central difference of its results is taken. The step grows with
// the nesting, since an inner derivative is less exact than a value.

#include "array/interpreter/Machine.h"

#include "llvm/ADT/ScopeExit.h"

#include <cmath>

using namespace mlir;

namespace ferry::array::detail {
namespace {

bool isReal(Type type) { return isa<FloatType>(getElementTypeOrSelf(type)); }

// The cells of a scalar or an array.
MutableArrayRef<Cell> cellsOf(InterpretedValue &value) {
  if (auto *cell = std::get_if<Cell>(&value))
    return *cell;
  return std::get<InterpretedArray>(value).changeCells();
}

// value + factor * direction; integers stay.
void addScaled(InterpretedValue &value, InterpretedValue direction, double factor, Type type) {
  if (isReal(type))
    for (auto [cell, along] : llvm::zip_equal(cellsOf(value), cellsOf(direction)))
      cell = Cell::of(cell.real() + factor * along.real());
}

InterpretedValue zeroLike(InterpretedValue value) {
  for (Cell &cell : cellsOf(value))
    cell = {};
  return value;
}

Values evaluateAlong(Machine &machine, JvpOp op, double step) {
  Values at = machine.get(op.getPrimals());
  for (auto [value, tangent] : llvm::zip_equal(at, op.getTangents()))
    addScaled(value, machine.get(tangent), step, tangent.getType());
  return machine.evaluate(op.getBody(), std::move(at));
}

Values differences(Machine &machine, JvpOp op, const Values &results, TypeRange types) {
  ++machine.differences;
  auto restore = llvm::scope_exit([&] { --machine.differences; });
  double step = std::pow(10.0, machine.differences == 1 ? -3 : -2);
  Values sums;
  for (const InterpretedValue &result : results)
    sums.push_back(zeroLike(result));
  for (auto [multiple, weight] : {std::pair(-2, 1.0), {-1, -8.0}, {1, 8.0}, {2, -1.0}}) {
    Values values = evaluateAlong(machine, op, multiple * step);
    for (auto [sum, value, type] : llvm::zip_equal(sums, values, types))
      addScaled(sum, value, weight / (12 * step), type);
  }
  return sums;
}

void roundTo(const Machine &machine, InterpretedValue &value, Type type) {
  for (Cell &cell : cellsOf(value))
    cell = machine.fit(cell, getElementTypeOrSelf(type));
}

void runJvp(Machine &machine, JvpOp op) {
  Values results = machine.evaluate(op.getBody(), machine.get(op.getPrimals()));
  TypeRange types = TypeRange(op.getResultTypes()).take_front(results.size());
  Values tangents = differences(machine, op, results, types);
  for (auto [tangent, type] : llvm::zip_equal(tangents, types))
    roundTo(machine, tangent, type);
  llvm::append_range(results, std::move(tangents));
  machine.setAll(op, std::move(results));
}

} // namespace

void addDerivativeHandlers(Handlers &handlers) { handle<JvpOp>(handlers, runJvp); }

} // namespace ferry::array::detail
