// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "array/Sharing.h"
#include "array/Soac.h"

using namespace mlir;

namespace ferry::array {
namespace {

bool isArray(Value value) { return isa<RankedTensorType>(value.getType()); }

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

// Whether an argument's memory is not the function's: one of its own that it may not change, or what an operator is
// applied to.
static bool isLent(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto function = dyn_cast<func::FuncOp>(parent))
    return !function.getArgAttr(argument.getArgNumber(), "array.unique");
  return isSoac(parent) && argument.getOwner()->getParent() == combinerOf(parent);
}

void Sharing::findOrigins(func::FuncOp function) {
  llvm::DenseMap<Value, SmallVector<Value>> handedOn; // from root to root
  SmallVector<std::pair<Value, Origin>> found;
  auto newOrigin = [&](bool isKept) {
    kept.push_back(isKept);
    return static_cast<Origin>(kept.size() - 1);
  };
  auto lend = [&](Block &block) {
    for (BlockArgument argument : block.getArguments())
      if (isArray(argument) && isLent(argument))
        found.emplace_back(argument, newOrigin(true));
  };
  auto handOn = [&](Value array, Value to, bool hasTwoOwners) {
    Value from = ownership.root(array), into = ownership.root(to);
    if (from == into)
      return;
    handedOn[from].push_back(into);
    if (!hasTwoOwners)
      return;
    Origin origin = newOrigin(false);
    found.emplace_back(from, origin);
    found.emplace_back(into, origin);
  };
  auto handOnAll = [&](ValueRange arrays, ValueRange to) {
    for (auto [array, result] : llvm::zip_equal(arrays, to))
      if (isArray(array))
        handOn(array, result, false);
  };
  lend(function.getBody().front());
  function.walk([&](Operation *op) {
    for (Region &region : isSoac(op) ? op->getRegions() : MutableArrayRef<Region>())
      lend(region.front());
    for (OpOperand &operand : op->getOpOperands())
      if (Value carried = isArray(operand.get()) ? Ownership::carriedBy(operand) : Value())
        handOn(operand.get(), carried, ownership.isShared(operand));
    if (auto loop = dyn_cast<scf::ForOp>(op))
      handOnAll(loop.getRegionIterArgs(), loop.getResults());
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      handOnAll(loop.getAfterArguments(), loop.getResults());
  });
  while (!found.empty()) {
    auto [root, origin] = found.pop_back_val();
    if (origins[root].insert(origin))
      for (Value to : handedOn.lookup(root))
        found.emplace_back(to, origin);
  }
  byOrigin.resize(kept.size());
}

void Sharing::note(Value value) {
  if (!isArray(value))
    return;
  byRoot[ownership.root(value)].push_back(value);
  for (Origin origin : originsOf(value))
    byOrigin[origin].push_back(value);
}

Sharing::Sharing(func::FuncOp function) : ownership(function) {
  findOrigins(function);
  auto noteAll = [&](ValueRange values) { llvm::for_each(values, [&](Value value) { note(value); }); };
  noteAll(function.getArguments());
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    noteAll(op->getResults());
    for (Region &region : op->getRegions())
      if (!isa<func::FuncOp>(op))
        for (Block &block : region)
          noteAll(block.getArguments());
  });
}

ArrayRef<Sharing::Origin> Sharing::originsOf(Value array) const {
  auto found = origins.find(ownership.root(array));
  return found == origins.end() ? ArrayRef<Origin>() : found->second.getArrayRef();
}

llvm::SetVector<Value> Sharing::sharers(Value array) const {
  llvm::SetVector<Value> all;
  all.insert_range(byRoot.lookup(ownership.root(array)));
  for (Origin origin : originsOf(array))
    all.insert_range(byOrigin[origin]);
  return all;
}

bool Sharing::areOne(Value a, Value b) const {
  return ownership.root(a) == ownership.root(b) ||
         llvm::any_of(originsOf(a), [&](Origin origin) { return llvm::is_contained(originsOf(b), origin); });
}

bool Sharing::isKept(Value array) const {
  return llvm::any_of(originsOf(array), [&](Origin origin) { return kept[origin]; });
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
