// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SOACs that are the same in each round of a loop are evaluated before it, behind a guard: nothing is evaluated that
// was not, and nothing more often. What may fail stays, and so does what relies on a check that is made in the loop: an
// unchecked access. Maps that are so cheap that fusion computes them in their readers stay as well.
//
// A loop that consumes the result would have to copy it in each round, which is no better than to make it; Sharing
// knows.

#include "array/LoopGuard.h"
#include "array/Passes.h"
#include "array/Sharing.h"
#include "array/Soac.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace ferry::array {

#define GEN_PASS_DEF_HOIST
#include "array/Passes.h.inc"

namespace {

bool isInvariant(Operation *op, scf::ForOp loop) {
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  return llvm::all_of(used, [&](Value value) { return isDefinedOutside(value, loop.getRegion()); });
}

// Whether neither the operation nor anything in it can fail, or run for ever.
bool isHarmless(Operation *op) {
  WalkResult result = op->walk([](Operation *inner) {
    bool isKnown = isa<MapOp, ReduceOp, ScanOp, FilterOp, IotaOp, ReplicateOp, scf::ForOp, scf::IfOp>(inner);
    return isKnown || isPure(inner) ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

bool isWorthIt(Operation *op) {
  if (auto map = dyn_cast<MapOp>(op))
    return !isCheapMap(map);
  return isa<ReduceOp, ScanOp, FilterOp>(op);
}

class Hoist : public impl::HoistBase<Hoist> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops; // inner ones first
    getOperation()->walk<WalkOrder::PostOrder>([&](scf::ForOp loop) {
      if (!isInsideSoac(loop) && !loop->getParentOfType<LaunchOp>())
        loops.push_back(loop);
    });
    llvm::for_each(loops, [&](scf::ForOp loop) { hoistFrom(loop); });
  }

  void hoistFrom(scf::ForOp loop) {
    for (Operation &op : llvm::make_early_inc_range(loop.getBody()->without_terminator())) {
      if (!isInvariant(&op, loop))
        continue;
      if (op.getNumRegions() == 0 && isPure(&op))
        op.moveBefore(loop);
      else if (isWorthIt(&op) && isHarmless(&op))
        hoist(&op, loop);
    }
  }

  // Unless more copies would be needed then.
  static void hoist(Operation *op, scf::ForOp loop) {
    auto function = op->getParentOfType<func::FuncOp>();
    int64_t needs = copiesNeeded(function);
    Operation *next = op->getNextNode();
    op->moveBefore(loop);
    if (copiesNeeded(function) > needs) {
      op->moveBefore(next);
      return;
    }
    guardLoop(loop);
    op->moveBefore(loop);
  }
};

} // namespace
} // namespace ferry::array
