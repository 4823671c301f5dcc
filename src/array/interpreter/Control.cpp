// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scf and func dialects.

#include "array/interpreter/Machine.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace ferry::array::detail {
namespace {

void runFor(Machine &machine, scf::ForOp op) {
  int64_t upper = machine.integer(op.getUpperBound()), step = machine.integer(op.getStep());
  if (step <= 0)
    machine.fail(op, "the step of scf.for must be positive");
  Values carried = machine.get(op.getInitArgs());
  for (int64_t i = machine.integer(op.getLowerBound()); i < upper;) {
    Values arguments = {Cell::of(i)};
    llvm::append_range(arguments, std::move(carried));
    carried = machine.evaluate(op.getRegion(), std::move(arguments));
    if (__builtin_add_overflow(i, step, &i))
      break;
  }
  machine.setAll(op, std::move(carried));
}

void runWhile(Machine &machine, scf::WhileOp op) {
  Values carried = machine.get(op.getInits());
  while (true) {
    Values tested = machine.evaluate(op.getBefore(), std::move(carried));
    bool more = std::get<Cell>(tested.front()).integer() != 0;
    tested.erase(tested.begin());
    if (!more)
      return machine.setAll(op, std::move(tested));
    carried = machine.evaluate(op.getAfter(), std::move(tested));
  }
}

void runIf(Machine &machine, scf::IfOp op) {
  Region &arm = machine.integer(op.getCondition()) ? op.getThenRegion() : op.getElseRegion();
  if (!arm.empty())
    machine.setAll(op, machine.evaluate(arm, {}));
}

void runIndexSwitch(Machine &machine, scf::IndexSwitchOp op) {
  int64_t which = machine.integer(op.getArg());
  for (auto [value, region] : llvm::zip(op.getCases(), op.getCaseRegions()))
    if (value == which)
      return machine.setAll(op, machine.evaluate(region, {}));
  machine.setAll(op, machine.evaluate(op.getDefaultRegion(), {}));
}

void runExecuteRegion(Machine &machine, scf::ExecuteRegionOp op) {
  if (!op.getRegion().hasOneBlock())
    machine.fail(op, "the interpreter runs regions of one block only", InterpreterError::unsupported);
  machine.setAll(op, machine.evaluate(op.getRegion(), {}));
}

void runCall(Machine &machine, func::CallOp op) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, op.getCalleeAttr());
  if (!callee)
    machine.fail(op, "no function '" + op.getCallee() + "'", InterpreterError::unsupported);
  if (!callee.isExternal())
    return machine.setAll(op, machine.call(callee, machine.get(op.getOperands())));
  SmallVector<Cell> arguments;
  for (Value operand : op.getOperands())
    arguments.push_back(machine.cell(operand));
  std::optional<Cell> result = callLibrary(op.getCallee(), arguments);
  if (!result || op.getNumResults() != 1)
    machine.fail(op, "the interpreter has no function '" + op.getCallee() + "'", InterpreterError::unsupported);
  machine.set(op.getResult(0), machine.fit(*result, op.getResult(0).getType()));
}

} // namespace

void addControlHandlers(Handlers &handlers) {
  handle<scf::ForOp>(handlers, runFor);
  handle<scf::WhileOp>(handlers, runWhile);
  handle<scf::IfOp>(handlers, runIf);
  handle<scf::IndexSwitchOp>(handlers, runIndexSwitch);
  handle<scf::ExecuteRegionOp>(handlers, runExecuteRegion);
  handle<func::CallOp>(handlers, runCall);
}

} // namespace ferry::array::detail
