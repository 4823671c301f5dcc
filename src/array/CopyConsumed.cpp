// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy changes which values share memory, so one copy is inserted at a time. It ends: a copy just before its only
// user is never needed again.

#include "array/Passes.h"
#include "array/Sharing.h"
#include "array/Soac.h"

using namespace mlir;

namespace ferry::array {

#define GEN_PASS_DEF_COPYCONSUMED
#include "array/Passes.h.inc"

namespace {

class CopyConsumed : public impl::CopyConsumedBase<CopyConsumed> {
  void runOnOperation() override {
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal() || !function.getBody().hasOneBlock())
        continue;
      dissolvePins(function);
      while (copyOne(function)) {
      }
    }
  }

  // Whether a copy was needed.
  bool copyOne(func::FuncOp function) {
    Sharing sharing(function);
    WalkResult result = function.walk([&](Operation *op) {
      for (OpOperand &operand : consumedBy(op))
        if (copyIfNeeded(operand, sharing))
          return WalkResult::interrupt();
      return WalkResult::advance();
    });
    return result.wasInterrupted();
  }

  // A copy, by a kernel or not, that nothing else uses.
  static bool isOwnCopy(Value value) {
    if (!value.hasOneUse())
      return false;
    if (auto launch = value.getDefiningOp<LaunchOp>())
      value = launch.getBody().front().getTerminator()->getOperand(cast<OpResult>(value).getResultNumber());
    return value.getDefiningOp<CopyOp>() != nullptr;
  }

  bool copyIfNeeded(OpOperand &consumed, Sharing &sharing) {
    if (isOwnCopy(consumed.get()) && consumed.get().getParentBlock() == consumed.getOwner()->getBlock())
      return false; // whatever may be in one place with it later
    bool needed = sharing.isKept(consumed.get()) || sharing.isReadBesides(consumed);
    SmallVector<Operation *> readers = sharing.readersAfter(consumed);
    if (!needed && readers.empty())
      return false;
    copyBefore(needed && sharing.isReadBesides(consumed) ? consumed : placeFor(consumed, readers));
    return true;
  }

  // The operand to copy: where the outermost loop takes the array in that holds none of its readers, else the consumed
  // one.
  static OpOperand &placeFor(OpOperand &consumed, ArrayRef<Operation *> readers) {
    OpOperand *best = &consumed;
    for (OpOperand *at = takenInAt(consumed.get()); at; at = takenInAt(at->get())) {
      Operation *loop = at->getOwner();
      if (!isOwnCopy(at->get()) &&
          !llvm::any_of(readers, [&](Operation *reader) { return loop->isProperAncestor(reader); }))
        best = at;
    }
    return *best;
  }

  // The initial operand of the loop through which a value comes in, following updates in place; null if there is none.
  static OpOperand *takenInAt(Value value) {
    while (true) {
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        Operation *parent = argument.getOwner()->getParentOp();
        if (auto loop = dyn_cast<scf::ForOp>(parent))
          return argument.getArgNumber() == 0 ? nullptr : loop.getTiedLoopInit(argument);
        auto loop = dyn_cast<scf::WhileOp>(parent);
        if (!loop)
          return nullptr;
        if (argument.getOwner() == loop.getBeforeBody())
          return &loop.getInitsMutable()[argument.getArgNumber()];
        value = loop.getConditionOp().getArgs()[argument.getArgNumber()];
        continue;
      }
      Operation *maker = value.getDefiningOp();
      auto consumed = consumedBy(maker);
      unsigned number = cast<OpResult>(value).getResultNumber();
      if (!consumed.empty())
        value = consumed[number].get();
      else if (auto loop = dyn_cast<scf::ForOp>(maker))
        value = loop.getInitArgs()[number];
      else if (auto branch = dyn_cast<scf::IfOp>(maker))
        value = branch.thenYield().getOperand(number);
      else
        return nullptr;
    }
  }

  // Device arrays are copied by kernels.
  static void copyBefore(OpOperand &operand) {
    Operation *op = operand.getOwner();
    OpBuilder builder(op);
    Value array = operand.get();
    Location location = array.getLoc();
    if (sideOf(array.getType()) != Side::device || op->getParentOfType<LaunchOp>()) {
      operand.set(CopyOp::create(builder, location, array));
      return;
    }
    auto launch = LaunchOp::create(builder, location, array.getType(), builder.getStringAttr("copy"), UnitAttr());
    builder.createBlock(&launch.getBody());
    Value copy = CopyOp::create(builder, location, array);
    YieldOp::create(builder, location, copy);
    operand.set(launch.getResult(0));
  }
};

} // namespace
} // namespace ferry::array
