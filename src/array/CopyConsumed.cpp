// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operation may consume an array if no value that may lie in the same memory is live after it: if nothing can be
// reached that reads such a value before it is defined anew. Values lie in the same memory if Ownership gives them the
// same root, or if their roots' memory came to have two owners on the way. A copy changes all of this, so one copy is
// inserted at a time. It ends: a copy just before its only user is never needed again.

#include "array/Ownership.h"
#include "array/Passes.h"
#include "array/Soac.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace ferry::array {

#define GEN_PASS_DEF_COPYCONSUMED
#include "array/Passes.h.inc"

namespace {

bool isArray(Value value) { return isa<RankedTensorType>(value.getType()); }

MutableArrayRef<OpOperand> consumedBy(Operation *op) {
  if (isa<UpdateOp, InsertSliceOp, PokeOp>(op))
    return op->getOpOperands().take_front(1);
  if (auto scatter = dyn_cast<ScatterOp>(op))
    return scatter.getDestinationsMutable();
  if (auto hist = dyn_cast<HistOp>(op))
    return hist.getDestinationsMutable();
  return {};
}

bool repeats(Operation *op) { return isSoac(op) || isa<LoopLikeOpInterface>(op); }

class Memory {
public:
  explicit Memory(func::FuncOp function) : ownership(function) {
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

  /// The values that may lie in the same memory.
  ArrayRef<Value> sharers(Value array) { return members[leader(array)]; }
  Value root(Value array) const { return ownership.root(array); }
  Value same(Value array) const { return ownership.same(array); }
  bool areOne(Value a, Value b) { return leader(a) == leader(b); }

private:
  static void *key(Value value) { return value.getAsOpaquePointer(); }
  void *leader(Value array) {
    void *root = key(ownership.root(array));
    groups.insert(root);
    return groups.getLeaderValue(root);
  }

  Ownership ownership;
  llvm::EquivalenceClasses<void *> groups;
  llvm::DenseMap<void *, SmallVector<Value>> members;
};

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

class CopyConsumed : public impl::CopyConsumedBase<CopyConsumed> {
  void runOnOperation() override {
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal() || !function.getBody().hasOneBlock())
        continue;
      dissolvePins(function);
      while (copyOne(function))
        ++copies;
    }
  }

  // Whether a copy was needed.
  bool copyOne(func::FuncOp function) {
    Memory memory(function);
    WalkResult result = function.walk([&](Operation *op) {
      for (OpOperand &operand : consumedBy(op))
        if (copyIfNeeded(operand, memory))
          return WalkResult::interrupt();
      return WalkResult::advance();
    });
    return result.wasInterrupted();
  }

  bool copyIfNeeded(OpOperand &consumed, Memory &memory) {
    Operation *op = consumed.getOwner();
    SmallVector<Operation *> readers;
    bool needed = isKept(consumed, memory) || readsItself(consumed, memory);
    for (Value value : memory.sharers(consumed.get()))
      for (OpOperand &use : value.getUses())
        if (use.getOwner() != op && isReadAfter(value, use, op))
          readers.push_back(use.getOwner());
    if (!needed && readers.empty())
      return false;
    copyBefore(needed && readsItself(consumed, memory) ? consumed : placeFor(consumed, readers));
    return true;
  }

  // Whether the memory belongs to somebody who keeps it: an argument that the function may not change, or what an
  // operator is applied to.
  static bool isKept(OpOperand &consumed, Memory &memory) {
    return llvm::any_of(memory.sharers(consumed.get()), [](Value value) {
      auto argument = dyn_cast<BlockArgument>(value);
      if (!argument)
        return false;
      Operation *parent = argument.getOwner()->getParentOp();
      if (auto function = dyn_cast<func::FuncOp>(parent))
        return !function.getArgAttr(argument.getArgNumber(), "array.unique");
      return isSoac(parent) && argument.getOwner()->getParent() == combinerOf(parent);
    });
  }

  // Whether the operation reads the memory that it writes, other than as the operand consumed.
  static bool readsItself(OpOperand &consumed, Memory &memory) {
    Operation *op = consumed.getOwner();
    for (OpOperand &operand : op->getOpOperands())
      if (&operand != &consumed && isArray(operand.get()) && memory.areOne(operand.get(), consumed.get()))
        return true;
    bool reads = false;
    for (Region &region : op->getRegions())
      region.walk([&](Operation *inner) {
        for (Value value : inner->getOperands())
          reads |= isArray(value) && memory.areOne(value, consumed.get());
      });
    return reads;
  }

  // The operand to copy: where the outermost loop takes the array in that holds none of its readers, else the consumed
  // one.
  static OpOperand &placeFor(OpOperand &consumed, ArrayRef<Operation *> readers) {
    OpOperand *best = &consumed;
    for (OpOperand *at = takenInAt(consumed.get()); at; at = takenInAt(at->get())) {
      Operation *loop = at->getOwner();
      bool isCopied = at->get().getDefiningOp<CopyOp>() && at->get().hasOneUse();
      if (!isCopied && !llvm::any_of(readers, [&](Operation *reader) { return loop->isProperAncestor(reader); }))
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
