// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forward propagation until nothing changes; a program's nesting bounds the number of rounds.

#include "array/derivatives/Activity.h"
#include "array/Soac.h"
#include "array/derivatives/Rules.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace ferry::array {

bool hasTangentType(Type type) { return isa<FloatType, IntegerType>(getElementTypeOrSelf(type)); }

SmallVector<OpOperand *> dataOperands(Operation *op) {
  SmallVector<OpOperand *> all = llvm::map_to_vector(op->getOpOperands(), [](OpOperand &operand) { return &operand; });
  if (!isa<ArrayDialect>(op->getDialect()))
    return all;
  return llvm::TypeSwitch<Operation *, SmallVector<OpOperand *>>(op)
      .Case<LiteralOp, ConcatOp, FromScalarOp>([&](auto) { return all; })
      .Case<ElementOp, RowOp, SliceOp, PermuteOp, ReshapeOp, CopyOp, ToScalarOp>(
          [](auto view) { return SmallVector<OpOperand *>{&view.getArrayMutable()}; })
      .Case<UpdateOp, InsertSliceOp>(
          [](auto update) { return SmallVector<OpOperand *>{&update.getArrayMutable(), &update.getValueMutable()}; })
      .Case<ReplicateOp>([](ReplicateOp replicate) { return SmallVector<OpOperand *>{&replicate.getValueMutable()}; })
      .Default([](Operation *) { return SmallVector<OpOperand *>(); });
}

Activity::Activity(Region &region, ArrayRef<Value> seeds) : active(seeds.begin(), seeds.end()) {
  do {
    changed = false;
    visit(region);
  } while (changed);
}

bool Activity::hasActiveResult(Operation *op) const {
  return llvm::any_of(op->getResults(), [&](Value result) { return isActive(result); });
}

void Activity::flow(Value from, Value to) {
  if (isActive(from) && hasTangentType(to.getType()))
    changed |= active.insert(to).second;
}

void Activity::flow(ValueRange from, ValueRange to) {
  for (auto [source, target] : llvm::zip_equal(from, to))
    flow(source, target);
}

void Activity::visit(Region &region) {
  for (Block &block : region)
    for (Operation &op : block.without_terminator())
      visit(&op);
}

static ValueRange endOf(Region &region) { return region.front().getTerminator()->getOperands(); }

void Activity::visit(Operation *op) {
  if (isSoac(op))
    return visitSoac(op);
  llvm::TypeSwitch<Operation *>(op)
      .Case<scf::ForOp, scf::WhileOp>([&](auto loop) { visitLoop(loop); })
      .Case<scf::IfOp>([&](scf::IfOp branch) {
        for (Region &arm : branch->getRegions()) {
          visit(arm);
          if (!arm.empty())
            flow(endOf(arm), branch.getResults());
        }
      })
      .Case<PinOp, scf::IndexSwitchOp>([&](auto scope) {
        for (Region &arm : scope->getRegions()) {
          visit(arm);
          flow(endOf(arm), scope.getResults());
        }
      })
      .Default([&](Operation *plain) {
        if (isPiecewiseConstant(plain))
          return;
        for (OpOperand *operand : dataOperands(plain))
          for (Value result : plain->getResults())
            flow(operand->get(), result);
      });
}

void Activity::visitLoop(scf::ForOp loop) {
  flow(loop.getInitArgs(), loop.getRegionIterArgs());
  visit(loop.getRegion());
  flow(loop.getYieldedValues(), loop.getRegionIterArgs());
  flow(loop.getRegionIterArgs(), loop.getResults());
}

void Activity::visitLoop(scf::WhileOp loop) {
  flow(loop.getInits(), loop.getBeforeArguments());
  visit(loop.getBefore());
  flow(loop.getConditionOp().getArgs(), loop.getAfterArguments());
  flow(loop.getConditionOp().getArgs(), loop.getResults());
  visit(loop.getAfter());
  flow(loop.getYieldOp().getResults(), loop.getBeforeArguments());
}

// Both halves of the operator's arguments are as active as its values are anywhere.
void Activity::visitCombiner(Region &combiner, ValueRange neutral, ValueRange values) {
  size_t parts = values.size();
  for (size_t part = 0; part < parts; ++part)
    for (Value argument : {combiner.getArgument(part), combiner.getArgument(parts + part)}) {
      flow(neutral[part], argument);
      flow(values[part], argument);
      flow(endOf(combiner)[part], argument);
      flow(combiner.getArgument(part), argument);
    }
  visit(combiner);
}

void Activity::visitSoac(Operation *soac) {
  Region &body = bodyOf(soac);
  size_t gridRank = sizesOf(soac).size();
  flow(inputsOf(soac).getAsOperandRange(), body.getArguments().drop_front(gridRank));
  visit(body);
  ValueRange yields = endOf(body);
  llvm::TypeSwitch<Operation *>(soac)
      .Case<MapOp>([&](MapOp op) { flow(yields, op.getResults()); })
      .Case<FilterOp>([&](FilterOp op) { flow(yields.drop_front(), op.getResults()); })
      .Case<ReduceOp, ScanOp>([&](auto op) {
        visitCombiner(op.getCombiner(), op.getNeutral(), yields);
        flow(op.getCombiner().getArguments().take_front(yields.size()), op.getResults());
      })
      .Case<ScatterOp>([&](ScatterOp op) {
        flow(op.getDestinations(), op.getResults());
        flow(yields.drop_front(op.getRank()), op.getResults());
      })
      .Case<HistOp>([&](HistOp op) {
        ValueRange values = yields.drop_front(op.getRank());
        for (auto [destination, argument] : llvm::zip(op.getDestinations(), op.getCombiner().getArguments()))
          flow(destination, argument);
        visitCombiner(op.getCombiner(), op.getNeutral(), values);
        flow(op.getCombiner().getArguments().take_front(values.size()), op.getResults());
      });
}

} // namespace ferry::array
