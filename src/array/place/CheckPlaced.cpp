// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs after placement counts on every array having a side. The bodies of SOACs may speak of rows without one.

#include "array/place/PlacePasses.h"

using namespace mlir;

namespace ferry::array {

#define GEN_PASS_DEF_CHECKPLACED
#include "array/place/PlacePasses.h.inc"

namespace {

class CheckPlaced : public impl::CheckPlacedBase<CheckPlaced> {
  void runOnOperation() override {
    auto result = getOperation()->walk([&](Operation *op) -> WalkResult {
      if (isa<PinOp>(op))
        return op->emitOpError("is left after placement");
      if (isInsideSoac(op))
        return WalkResult::skip();
      auto unplaced = [](Type type) { return isa<TensorType>(type) && !sideOf(type); };
      for (Value value : op->getOperands())
        if (unplaced(value.getType()))
          return op->emitOpError() << "has an operand of type " << value.getType() << " that has no side";
      for (Value value : op->getResults())
        if (unplaced(value.getType()))
          return op->emitOpError() << "has a result of type " << value.getType() << " that has no side";
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
} // namespace ferry::array
