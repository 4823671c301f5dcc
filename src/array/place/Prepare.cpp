// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "array/place/Prepare.h"

#include "array/Canonicalize.h"
#include "array/LoopGuard.h"
#include "array/Ownership.h"
#include "array/Soac.h"
#include "array/place/Program.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <functional>

using namespace mlir;

namespace ferry::array {

void expandSelections(func::FuncOp function) {
  SmallVector<arith::SelectOp> selections;
  function.walk([&](arith::SelectOp select) {
    if (isa<TensorType>(select.getType()) && select.getCondition().getType().isInteger(1) && !isInsideSoac(select))
      selections.push_back(select);
  });
  for (arith::SelectOp select : selections) {
    OpBuilder builder(select);
    auto branch = scf::IfOp::create(builder, select.getLoc(), select.getType(), select.getCondition(), true);
    branch->setDiscardableAttrs(select->getDiscardableAttrDictionary());
    for (auto [block, value] : {std::pair(branch.thenBlock(), select.getTrueValue()),
                                std::pair(branch.elseBlock(), select.getFalseValue())}) {
      block->clear();
      builder.setInsertionPointToEnd(block);
      scf::YieldOp::create(builder, select.getLoc(), value);
    }
    select.replaceAllUsesWith(branch.getResult(0));
    select.erase();
  }
}

// The first operand of a loop or branch outside of SOACs that hands on an array with gaps, or null.
static OpOperand *firstGap(func::FuncOp function) {
  Ownership ownership(function);
  OpOperand *found = nullptr;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isSoac(op) || isa<LaunchOp>(op))
      return WalkResult::skip();
    for (OpOperand &operand : op->getOpOperands())
      if (isa<RankedTensorType>(operand.get().getType()) && Ownership::carriedBy(operand) &&
          !ownership.isContiguous(operand.get())) {
        found = &operand;
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return found;
}

void closeGaps(func::FuncOp function) {
  while (OpOperand *gap = firstGap(function)) {
    OpBuilder builder(gap->getOwner());
    auto copy = CopyOp::create(builder, gap->get().getLoc(), gap->get().getType(), gap->get());
    inheritPin(gap->getOwner(), copy);
    gap->set(copy);
  }
}

// Moves a block's operations in front of the operation around it, whose pin they keep.
static void dissolve(Operation *around, Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    inheritPin(around, &op);
    op.moveBefore(around);
  }
}

void assertPlanned(OpBuilder &builder, Location location, Value holds) {
  AssertOp::create(builder, location, holds, "placed for arguments with which this code does not run", ValueRange());
}

// The operations of the arm take the branch's place.
static void take(scf::IfOp branch, bool first) {
  OpBuilder builder(branch);
  Location location = branch.getLoc();
  if (!getConstantIntValue(branch.getCondition())) {
    Value holds = branch.getCondition();
    if (!first) {
      Value one = arith::ConstantIntOp::create(builder, location, 1, 1);
      holds = arith::XOrIOp::create(builder, location, holds, one);
    }
    assertPlanned(builder, location, holds);
  }
  if (Block *arm = first ? branch.thenBlock() : branch.elseBlock()) {
    dissolve(branch, *arm);
    branch.replaceAllUsesWith(arm->getTerminator()->getOperands());
  }
  branch.erase();
}

// A loop's only trip takes its place.
static void take(scf::ForOp loop) {
  if (!getConstantIntValue(loop.getUpperBound()) || !getConstantIntValue(loop.getLowerBound())) {
    OpBuilder builder(loop);
    Location location = loop.getLoc();
    Value length = arith::SubIOp::create(builder, location, loop.getUpperBound(), loop.getLowerBound());
    Value holds = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::sle, length, loop.getStep());
    assertPlanned(builder, location, holds);
  }
  SmallVector<Value> values{loop.getLowerBound()};
  llvm::append_range(values, loop.getInitArgs());
  Block *body = loop.getBody();
  for (auto [argument, value] : llvm::zip(body->getArguments(), values))
    argument.replaceAllUsesWith(value);
  dissolve(loop, *body);
  loop.replaceAllUsesWith(body->getTerminator()->getOperands());
  loop.erase();
}

static bool dropResults(scf::IfOp branch) {
  SmallVector<unsigned> kept;
  for (OpResult result : branch.getResults())
    if (!result.use_empty())
      kept.push_back(result.getResultNumber());
  if (kept.size() == branch.getNumResults())
    return false;
  OpBuilder builder(branch);
  SmallVector<Type> types =
      llvm::map_to_vector(kept, [&](unsigned index) { return branch.getResult(index).getType(); });
  auto smaller =
      scf::IfOp::create(builder, branch.getLoc(), types, branch.getCondition(), branch.elseBlock() != nullptr);
  smaller->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
  smaller.getThenRegion().takeBody(branch.getThenRegion());
  smaller.getElseRegion().takeBody(branch.getElseRegion());
  for (Region &region : smaller->getRegions())
    if (!region.empty()) {
      Operation *yield = region.front().getTerminator();
      yield->setOperands(llvm::map_to_vector(kept, [&](unsigned index) { return yield->getOperand(index); }));
    }
  for (auto [index, result] : llvm::enumerate(smaller.getResults()))
    branch.getResult(kept[index]).replaceAllUsesWith(result);
  branch.erase();
  return true;
}

// Results of branches, transfers and scalars' passages that nothing uses.
static bool dropUnused(func::FuncOp function) {
  SmallVector<Operation *> found;
  function.walk([&](Operation *op) {
    if (isa<scf::IfOp, TransferOp, PassOp, FromScalarOp, ToScalarOp>(op))
      found.push_back(op);
  });
  bool changed = false;
  for (Operation *op : llvm::reverse(found)) { // users before what they use
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      changed |= dropResults(branch);
    } else if (op->use_empty()) {
      op->erase();
      changed = true;
    }
  }
  return changed;
}

// Numbers with which a loop begins although no trip reads them: any other does as well.
static bool dropInitials(func::FuncOp function) {
  bool changed = false;
  auto drop = [&](BlockArgument parameter, OpOperand &initial) {
    Type type = parameter.getType();
    if (!parameter.use_empty() || !type.isIntOrFloat() || matchPattern(initial.get(), m_Constant()))
      return;
    OpBuilder builder(initial.getOwner());
    initial.set(arith::ConstantOp::create(builder, parameter.getLoc(), builder.getZeroAttr(type)));
    changed = true;
  };
  function.walk([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op); loop && isSurelyEntered(loop))
      for (auto [parameter, initial] : llvm::zip(loop.getRegionIterArgs(), loop.getInitArgsMutable()))
        drop(parameter, initial);
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      for (auto [parameter, initial] : llvm::zip(loop.getBeforeArguments(), loop.getInitsMutable()))
        drop(parameter, initial);
  });
  return changed;
}

void dropDead(func::FuncOp function) {
  RewritePatternSet patterns(function.getContext());
  addDroppingPatterns(patterns);
  FrozenRewritePatternSet frozen(std::move(patterns));
  GreedyRewriteConfig config;
  config.enableFolding(false).setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  bool changed = true;
  while (changed) {
    (void)applyPatternsGreedily(function, frozen, config, &changed);
    changed |= dropUnused(function);
    changed |= dropInitials(function);
  }
}

// A branch or loop in no other operation than such.
static bool isStructural(Operation *op, func::FuncOp function) {
  for (; op != function; op = op->getParentOp())
    if (!isStructure(op))
      return false;
  return true;
}

// Replaces what is decided; false if nothing is.
static bool foldOnce(func::FuncOp function, SizeEvaluator sizes) {
  // Decided all together, since what is known of values that are gone would be taken for that of new ones; the inner
  // ones first, since an arm that is not taken goes with all that is in it.
  SmallVector<std::function<void()>> decided;
  function.walk<WalkOrder::PostOrder>([&](Operation *op) {
    if (!isa<scf::IfOp, scf::ForOp>(op) || !isStructural(op, function))
      return;
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      if (auto condition = sizes.exactScalar(branch.getCondition()))
        decided.push_back([branch, condition] { take(branch, *condition != 0); });
      return;
    }
    auto loop = cast<scf::ForOp>(op);
    auto lower = sizes.exactScalar(loop.getLowerBound()), upper = sizes.exactScalar(loop.getUpperBound());
    Estimate trips = sizes.trips(loop);
    if (lower && upper && *lower < *upper && trips.exact && trips.value == 1)
      decided.push_back([loop] { take(loop); });
  });
  for (auto &replace : decided)
    replace();
  return !decided.empty();
}

void foldKnownStructure(func::FuncOp function, const PlacementInputs &inputs) {
  while (foldOnce(function, SizeEvaluator(PlacementInputs{inputs.arguments, {}, {}}))) {
  }
}

} // namespace ferry::array
