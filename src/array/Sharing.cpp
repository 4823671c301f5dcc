// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "array/Sharing.h"
#include "array/Soac.h"

using namespace mlir;

namespace ferry::array {
namespace {

bool isArray(Value value) { return isa<RankedTensorType>(value.getType()); }

void *key(Value value) { return value.getAsOpaquePointer(); }

bool repeats(Operation *op) { return isSoac(op) || isa<LoopLikeOpInterface>(op); }

// Whether the use may be reached after `op` with the value as it was: it comes later, or something around both, which
// does not define the value, runs again.
bool isReadAfter(Value value, OpOperand &use, Operation *op) {
  Operation *around = value.getParentBlock()->findAncestorOpInBlock(*op), *maker = value.getDefiningOp();
  if (!around || (maker && !maker->isBeforeInBlock(around)))
    return false; // made by `op` or after it
  for (Operation *at = op;; at = at->getParentOp()) {
    Operation *user = at->getBlock()->findAncestorOpInBlock(*use.getOwner());
    if (user && at->isBeforeInBlock(user))
      return true;
    if (value.getParentBlock() == at->getBlock())
      return false;
    Operation *parent = at->getParentOp();
    if (isa<func::FuncOp>(parent))
      return false;
    if (repeats(parent) && parent->isProperAncestor(use.getOwner()))
      return true;
  }
}

} // namespace

MutableArrayRef<OpOperand> consumedBy(Operation *op) {
  if (isa<UpdateOp, InsertSliceOp, PokeOp>(op))
    return op->getOpOperands().take_front(1);
  if (auto scatter = dyn_cast<ScatterOp>(op))
    return scatter.getDestinationsMutable();
  if (auto hist = dyn_cast<HistOp>(op))
    return hist.getDestinationsMutable();
  return {};
}

Sharing::Sharing(func::FuncOp function) : ownership(function) {
  function.walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (isArray(operand.get()) && !isa<func::ReturnOp>(op) && ownership.isShared(operand))
        groups.unionSets(key(ownership.root(operand.get())), key(Ownership::carriedBy(operand)));
  });
  auto note = [&](Value value) {
    if (isArray(value))
      members[leader(value)].push_back(value);
  };
  llvm::for_each(function.getArguments(), note);
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::for_each(op->getResults(), note);
    for (Region &region : op->getRegions())
      if (!isa<func::FuncOp>(op))
        for (Block &block : region)
          llvm::for_each(block.getArguments(), note);
  });
}

void *Sharing::leader(Value array) {
  void *root = key(ownership.root(array));
  groups.insert(root);
  return groups.getLeaderValue(root);
}

bool Sharing::isKept(Value array) {
  return llvm::any_of(sharers(array), [](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument)
      return false;
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto function = dyn_cast<func::FuncOp>(parent))
      return !function.getArgAttr(argument.getArgNumber(), "array.unique");
    return isSoac(parent) && argument.getOwner()->getParent() == combinerOf(parent);
  });
}

bool Sharing::isReadBesides(OpOperand &consumed) {
  Operation *op = consumed.getOwner();
  for (OpOperand &operand : op->getOpOperands())
    if (&operand != &consumed && isArray(operand.get()) && areOne(operand.get(), consumed.get()))
      return true;
  bool reads = false;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      for (Value value : inner->getOperands())
        reads |= isArray(value) && areOne(value, consumed.get());
    });
  return reads;
}

SmallVector<Operation *> Sharing::readersAfter(OpOperand &consumed) {
  Operation *op = consumed.getOwner();
  SmallVector<Operation *> readers;
  for (Value value : sharers(consumed.get()))
    for (OpOperand &use : value.getUses())
      if (isReadAfter(value, use, op)) // which `op` itself may be, in the next round
        readers.push_back(use.getOwner());
  return readers;
}

int64_t copiesNeeded(func::FuncOp function) {
  Sharing sharing(function);
  int64_t needs = 0;
  function.walk([&](Operation *op) {
    for (OpOperand &consumed : consumedBy(op))
      needs += sharing.needsCopy(consumed);
  });
  auto results = function.getBody().front().getTerminator()->getOperands();
  for (auto [i, result] : llvm::enumerate(results)) {
    if (!isa<RankedTensorType>(result.getType()))
      continue;
    needs += sharing.isKept(result);
    for (Value other : results.take_front(i))
      needs += isa<RankedTensorType>(other.getType()) && sharing.areOne(result, other);
  }
  return needs;
}

} // namespace ferry::array
