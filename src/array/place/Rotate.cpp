// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// while (c(x)) x = b(x)   becomes   if (c(x)) { do x = b(x) while (c(x)) }
//
// In MLIR's terms: the `before` region of an scf.while computes the condition and the values it forwards, the `after`
// region the next values. The rotated loop carries the forwarded values, and its `before` region is the old `after`
// followed by the old `before`.

#include "array/LoopGuard.h"
#include "array/place/PlacePasses.h"
#include "array/place/Program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace ferry::array {

#define GEN_PASS_DEF_ROTATE
#include "array/place/PlacePasses.h.inc"

namespace {

bool isRotated(scf::WhileOp loop) {
  return loop.getAfterBody()->without_terminator().empty() &&
         llvm::equal(loop.getYieldOp().getOperands(), loop.getAfterArguments());
}

// Clones a block without its terminator, its arguments replaced, and gives what the terminator's operands became.
SmallVector<Value> cloneBlock(OpBuilder &builder, Block &block, ValueRange arguments, Operation::operand_range wanted) {
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  for (Operation &op : block.without_terminator())
    builder.clone(op, mapping);
  return llvm::map_to_vector(wanted, [&](Value value) { return mapping.lookupOrDefault(value); });
}

class Rotate : public impl::RotateBase<Rotate> {
  void runOnOperation() override {
    // Inner loops first: the outer one's condition is cloned with what is in it.
    SmallVector<Operation *> loops;
    getOperation()->walk<WalkOrder::PostOrder>([&](Operation *op) {
      if (isa<scf::ForOp, scf::WhileOp>(op) && !isInsideSoac(op) && !op->getParentOfType<LaunchOp>() &&
          touchesArrays(op))
        loops.push_back(op);
    });
    for (Operation *op : loops) {
      if (auto loop = dyn_cast<scf::ForOp>(op))
        guardLoop(loop);
      else
        rotate(cast<scf::WhileOp>(op));
    }
  }

  void rotate(scf::WhileOp loop) {
    if (isRotated(loop))
      return;
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    Block *before = loop.getBeforeBody(), *after = loop.getAfterBody();
    scf::ConditionOp end = loop.getConditionOp();
    SmallVector<Value> first = cloneBlock(builder, *before, loop.getInits(), end->getOperands());
    auto branch = scf::IfOp::create(builder, loop.getLoc(), loop.getResultTypes(), first.front(), /*withElse=*/true);
    ArrayRef<Value> initial = ArrayRef(first).drop_front();
    SmallVector<Location> locations(initial.size(), loc);
    branch.thenBlock()->clear();
    branch.elseBlock()->clear();

    builder.setInsertionPointToEnd(branch.thenBlock());
    auto rotated = scf::WhileOp::create(builder, loc, loop.getResultTypes(), initial);
    rotated->setAttrs(loop->getDiscardableAttrDictionary());
    Block *body = builder.createBlock(&rotated.getBefore(), {}, loop.getResultTypes(), locations);
    SmallVector<Value> next = cloneBlock(builder, *after, body->getArguments(), loop.getYieldOp()->getOperands());
    SmallVector<Value> last = cloneBlock(builder, *before, next, end->getOperands());
    scf::ConditionOp::create(builder, end.getLoc(), last.front(), ArrayRef(last).drop_front());
    Block *between = builder.createBlock(&rotated.getAfter(), {}, loop.getResultTypes(), locations);
    scf::YieldOp::create(builder, loc, between->getArguments());

    builder.setInsertionPointToEnd(branch.thenBlock());
    scf::YieldOp::create(builder, loc, rotated.getResults());
    builder.setInsertionPointToEnd(branch.elseBlock());
    scf::YieldOp::create(builder, loc, initial);
    loop.replaceAllUsesWith(branch.getResults());
    loop.erase();
  }
};

} // namespace
} // namespace ferry::array
