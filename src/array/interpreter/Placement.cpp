// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sides: launches, transfers, single elements across the bus. A kernel sees device arrays alone.

#include "array/interpreter/Machine.h"

using namespace mlir;

namespace ferry::array::detail {
namespace {

void runPin(Machine &machine, PinOp op) { machine.setAll(op, machine.evaluate(op.getBody(), {})); }

void runLaunch(Machine &machine, LaunchOp op) {
  machine.here = Side::device;
  Values results = machine.evaluate(op.getBody(), {});
  machine.here = Side::host;
  for (InterpretedValue &result : results)
    if (std::get<InterpretedArray>(result).side == Side::host)
      machine.fail(op, "a launch gives a host array", InterpreterError::violation);
  machine.setAll(op, std::move(results));
}

void runTransfer(Machine &machine, TransferOp op) {
  InterpretedArray array = machine.array(op.getArray());
  if (array.side && array.side != sideOf(op.getArray().getType()))
    machine.fail(op, "the array is not on the side that the transfer takes it from", InterpreterError::violation);
  InterpretedArray result(array.extents(), sideOf(op.getType()));
  result.changeCells() = array.cells();
  machine.set(op, std::move(result));
}

void runPass(Machine &machine, PassOp op) {
  machine.set(op, InterpretedArray({}, Side::device, machine.cell(op.getValue())));
}

// Element accesses of host code to a device array; checked like array.element and array.update.
template <typename Op> Indices indicesAcross(Machine &machine, Op op, const InterpretedArray &array) {
  if (machine.here != Side::host || array.side == Side::host)
    machine.fail(op, "goes from host code to a device array", InterpreterError::violation);
  Indices indices = machine.integers(op.getIndices());
  if (!inBounds(array, indices))
    machine.fail(op, "Index out of bounds for a device array.");
  return indices;
}

void runPeek(Machine &machine, PeekOp op) {
  InterpretedArray array = machine.array(op.getArray());
  machine.set(op, elementAt(array, indicesAcross(machine, op, array)));
}

void runPoke(Machine &machine, PokeOp op) {
  InterpretedArray array = machine.array(op.getArray());
  storeAt(array, indicesAcross(machine, op, array), machine.get(op.getValue()));
  machine.set(op, std::move(array));
}

// Clocks and counters are a run-time's.
template <typename Op> void runNothing(Machine &, Op) {}

} // namespace

void addPlacementHandlers(Handlers &handlers) {
  handle<PinOp>(handlers, runPin);
  handle<LaunchOp>(handlers, runLaunch);
  handle<TransferOp>(handlers, runTransfer);
  handle<PassOp>(handlers, runPass);
  handle<PeekOp>(handlers, runPeek);
  handle<PokeOp>(handlers, runPoke);
  handle<TickOp>(handlers, runNothing<TickOp>);
  handle<ObserveOp>(handlers, runNothing<ObserveOp>);
  handle<ResidentOp>(handlers, runNothing<ResidentOp>);
}

} // namespace ferry::array::detail
