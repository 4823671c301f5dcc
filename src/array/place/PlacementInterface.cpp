// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "array/place/PlacementInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

#include "array/place/PlacementInterface.cpp.inc"

namespace ferry::array {

void retypeOnSide(Operation *root, Side side) {
  auto retype = [&](Value value) {
    if (isa<RankedTensorType>(value.getType()))
      value.setType(onSide(value.getType(), side));
  };
  root->walk([&](Operation *op) {
    // An array constant carries its type in its value too.
    if (DenseElementsAttr elements; matchPattern(op, m_Constant(&elements)) && isa<arith::ConstantOp>(op)) {
      auto type = onSide(elements.getType(), side);
      cast<arith::ConstantOp>(op).setValueAttr(elements.reshape(type));
    }
    llvm::for_each(op->getResults(), retype);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), retype);
  });
}

Operation *cloneOnSide(OpBuilder &builder, Operation *op, IRMapping &mapping, Side side) {
  Operation *clone = builder.clone(*op, mapping);
  retypeOnSide(clone, side);
  return clone;
}

SmallVector<Value> capturedValues(Operation *op) {
  llvm::SetVector<Value> captured;
  for (Region &region : op->getRegions())
    getUsedValuesDefinedAbove(region, region, captured);
  return captured.takeVector();
}

PlacementFacts plainFacts(Operation *op) {
  PlacementFacts facts;
  facts.uses.assign(op->getNumOperands(), Use::content);
  facts.results.assign(op->getNumResults(), {});
  return facts;
}

} // namespace ferry::array
