// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/Soac.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ferry::array;

namespace ferry::codegen {

OperandRange gridOf(Operation *soac) {
  return llvm::TypeSwitch<Operation *, OperandRange>(soac)
      .Case<MapOp, ReduceOp, HistOp, ScatterOp>([](auto op) { return op.getSizes(); })
      .Case<ScanOp, FilterOp>([](auto op) { return op->getOperands().take_front(1); })
      .Default([](Operation *op) { return op->getOperands().take_front(0); });
}

OperandRange inputsOf(Operation *soac) {
  return llvm::TypeSwitch<Operation *, OperandRange>(soac)
      .Case<MapOp, ReduceOp, ScanOp, HistOp, ScatterOp, FilterOp>([](auto op) { return op.getInputs(); })
      .Default([](Operation *op) { return op->getOperands().take_front(0); });
}

} // namespace ferry::codegen
