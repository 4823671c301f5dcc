// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk in program order finds for each array value what it is in memory. A loop is walked assuming that all it
// carries stays where it is; what turns out not to is made fresh and the loop is walked again, so the assumption left
// over holds. A second step finds, for each fresh value, the last operation of its block that uses any value with that
// root: it takes the reference over, or the release comes right after it.

#include "array/Ownership.h"
#include "array/Soac.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace ferry::array {

static bool isArray(Value value) { return isa<RankedTensorType>(value.getType()); }

Ownership::Ownership(func::FuncOp function) : function(function) {
  for (Value argument : function.getArguments())
    if (isArray(argument))
      makeView(argument, argument, true);
  visitBlock(function.getBody().front());
  placeReleases();
}

Value Ownership::same(Value array) const {
  auto it = sameAs.find(array);
  return it == sameAs.end() ? array : it->second;
}

Value Ownership::root(Value array) const {
  auto it = rootOf.find(array);
  return it == rootOf.end() ? array : it->second;
}

bool Ownership::isContiguous(Value array) const { return !gapped.contains(same(array)); }

ArrayRef<Value> Ownership::releasedAfter(Operation *op) const {
  auto it = releases.find(op);
  return it == releases.end() ? ArrayRef<Value>() : ArrayRef<Value>(it->second);
}

ArrayRef<Value> Ownership::releasedAtStart(Block *block) const {
  auto it = unused.find(block);
  return it == unused.end() ? ArrayRef<Value>() : ArrayRef<Value>(it->second);
}

void Ownership::makeFresh(Value value) {
  sameAs[value] = value;
  rootOf[value] = value;
  gapped.erase(value);
  fresh.insert(value);
}

void Ownership::makeSame(Value value, Value as) {
  sameAs[value] = same(as);
  rootOf[value] = root(as);
  fresh.erase(value);
}

void Ownership::makeView(Value value, Value of, bool contiguous) {
  sameAs[value] = value;
  rootOf[value] = value == of ? value : root(of);
  fresh.erase(value);
  if (contiguous)
    gapped.erase(value);
  else
    gapped.insert(value);
}

bool Ownership::isDefinedOutside(Value value, Operation *op) const {
  return !op->isAncestor(value.getParentBlock()->getParentOp());
}

void Ownership::visitBlock(Block &block) {
  for (Operation &op : block)
    visit(op);
}

// Whether a slice keeps whole rows: a unit step in the outer dimension, the others untouched.
static bool keepsRows(SliceOp slice) {
  auto isConstant = [](Value value, int64_t expected) {
    auto constant = value.getDefiningOp<arith::ConstantIntOp>();
    return constant && constant.value() == expected;
  };
  auto isExtent = [&](Value value, int64_t dimension) {
    auto dim = value.getDefiningOp<DimOp>();
    if (dim && dim.getArray() == slice.getArray() && static_cast<int64_t>(dim.getDimension()) == dimension)
      return true;
    Operation *maker = slice.getArray().getDefiningOp();
    if (auto map = dyn_cast_or_null<MapOp>(maker))
      return dimension < static_cast<int64_t>(map.getSizes().size()) && map.getSizes()[dimension] == value;
    if (auto reshape = dyn_cast_or_null<ReshapeOp>(maker))
      return reshape.getSizes()[dimension] == value;
    return false;
  };
  if (!isConstant(slice.getStrides().front(), 1))
    return false;
  for (int64_t d = 1, rank = slice.getStarts().size(); d < rank; ++d)
    if (!isConstant(slice.getStarts()[d], 0) || !isConstant(slice.getStrides()[d], 1) ||
        !isExtent(slice.getLengths()[d], d))
      return false;
  return true;
}

static bool isIdentity(ArrayRef<int64_t> permutation) {
  for (auto [from, to] : llvm::enumerate(permutation))
    if (static_cast<int64_t>(from) != to)
      return false;
  return true;
}

void Ownership::visit(Operation &op) {
  llvm::TypeSwitch<Operation *>(&op)
      .Case<UpdateOp, InsertSliceOp, PokeOp>([&](auto write) { makeSame(write.getResult(), write.getArray()); })
      .Case<RowOp>([&](RowOp row) { makeView(row.getResult(), row.getArray(), isContiguous(row.getArray())); })
      .Case<SliceOp>([&](SliceOp slice) {
        makeView(slice.getResult(), slice.getArray(), isContiguous(slice.getArray()) && keepsRows(slice));
      })
      .Case<PermuteOp>([&](PermuteOp permute) {
        makeView(permute.getResult(), permute.getArray(),
                 isContiguous(permute.getArray()) && isIdentity(permute.getPermutation()));
      })
      .Case<ReshapeOp>([&](ReshapeOp reshape) {
        if (isContiguous(reshape.getArray()))
          makeView(reshape.getResult(), reshape.getArray(), true);
        else
          makeFresh(reshape.getResult());
      })
      .Case<scf::IfOp>([&](scf::IfOp branch) { visitIf(branch); })
      .Case<scf::ForOp>([&](scf::ForOp loop) { visitFor(loop); })
      .Case<scf::WhileOp>([&](scf::WhileOp loop) { visitWhile(loop); })
      .Case<LaunchOp>([&](LaunchOp launch) { visitLaunch(launch); })
      .Case<PinOp>([&](PinOp pin) {
        Block &body = pin.getBody().front();
        visitBlock(body);
        for (auto [result, yielded] : llvm::zip(pin.getResults(), body.getTerminator()->getOperands()))
          if (isArray(result))
            makeSame(result, yielded);
      })
      .Default([&](Operation *other) {
        if (isSoac(other))
          return visitSoac(*other);
        for (Value result : other->getResults())
          if (isArray(result))
            makeFresh(result);
      });
}

void Ownership::visitIf(scf::IfOp op) {
  visitBlock(op.getThenRegion().front());
  if (!op.getElseRegion().empty())
    visitBlock(op.getElseRegion().front());
  for (OpResult result : op.getResults()) {
    if (!isArray(result))
      continue;
    Value onThen = same(op.thenYield().getOperand(result.getResultNumber()));
    Value onElse = same(op.elseYield().getOperand(result.getResultNumber()));
    if (onThen == onElse && isDefinedOutside(onThen, op))
      makeSame(result, onThen);
    else
      makeFresh(result);
  }
}

// Once fresh, always fresh: the more is around a loop, the less is the same. So loops in loops are not gone through
// from the beginning each time.
void Ownership::visitFor(scf::ForOp op) {
  auto arguments = op.getRegionIterArgs();
  for (auto [argument, init] : llvm::zip(arguments, op.getInitArgs()))
    if (isArray(argument) && !fresh.contains(argument))
      makeSame(argument, init);
  for (bool again = true; again;) {
    again = false;
    visitBlock(*op.getBody());
    for (auto [argument, yielded] : llvm::zip(arguments, op.getYieldedValues())) {
      if (!isArray(argument) || fresh.contains(argument) || same(yielded) == same(argument))
        continue;
      makeFresh(argument);
      again = true;
    }
  }
  for (auto [argument, result] : llvm::zip(arguments, op.getResults())) {
    if (!isArray(argument))
      continue;
    if (fresh.contains(argument))
      makeFresh(result);
    else
      makeSame(result, argument);
  }
}

// What the condition passes on stays where it is if it comes from outside of the loop.
void Ownership::visitWhile(scf::WhileOp op) {
  for (auto [argument, init] : llvm::zip(op.getBeforeArguments(), op.getInits()))
    if (isArray(argument) && !fresh.contains(argument))
      makeSame(argument, init);
  for (bool again = true; again;) {
    again = false;
    visitBlock(*op.getBeforeBody());
    for (auto [argument, passed] : llvm::zip(op.getAfterArguments(), op.getConditionOp().getArgs())) {
      if (!isArray(argument))
        continue;
      if (isDefinedOutside(same(passed), op))
        makeSame(argument, passed);
      else
        makeFresh(argument);
    }
    visitBlock(*op.getAfterBody());
    for (auto [argument, yielded] : llvm::zip(op.getBeforeArguments(), op.getYieldOp().getOperands())) {
      if (!isArray(argument) || fresh.contains(argument) || same(yielded) == same(argument))
        continue;
      makeFresh(argument);
      again = true;
    }
  }
  for (auto [argument, result] : llvm::zip(op.getAfterArguments(), op.getResults())) {
    if (!isArray(result))
      continue;
    if (fresh.contains(argument))
      makeFresh(result);
    else
      makeSame(result, argument);
  }
}

void Ownership::visitSoac(Operation &op) {
  Region &body = op.getRegion(0);
  OperandRange inputs = inputsOf(&op);
  size_t grid = body.getNumArguments() - inputs.size();
  for (auto [argument, input] : llvm::zip(body.getArguments().drop_front(grid), inputs))
    if (isArray(argument))
      makeView(argument, input, isContiguous(input));
  // An operator is applied to rows of any layout.
  for (Region &region : llvm::drop_begin(op.getRegions()))
    for (Value argument : region.getArguments())
      if (isArray(argument))
        makeView(argument, argument, false);
  for (Region &region : op.getRegions())
    visitBlock(region.front());

  ValueRange destinations;
  if (auto hist = dyn_cast<HistOp>(op))
    destinations = hist.getDestinations();
  if (auto scatter = dyn_cast<ScatterOp>(op))
    destinations = scatter.getDestinations();
  for (OpResult result : op.getResults()) {
    if (!isArray(result))
      continue;
    if (destinations.empty())
      makeFresh(result);
    else
      makeSame(result, destinations[result.getResultNumber()]);
  }
}

void Ownership::visitLaunch(LaunchOp op) {
  Block &body = op.getBody().front();
  visitBlock(body);
  for (auto [result, yielded] : llvm::zip(op.getResults(), body.getTerminator()->getOperands())) {
    if (isDefinedOutside(same(yielded), op) && isContiguous(yielded))
      makeSame(result, yielded);
    else
      makeFresh(result);
  }
}

//===- Releases ---------------------------------------------------------------------------------------------------===//

void Ownership::placeReleases() {
  llvm::MapVector<Value, SmallVector<Value>> aliases;
  auto note = [&](Value value) {
    if (isArray(value) && fresh.contains(root(value)))
      aliases[root(value)].push_back(value);
  };
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::for_each(op->getResults(), note);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), note);
  });
  for (auto &[owner, values] : aliases)
    placeRelease(owner, values, owner.getParentBlock(), owner.getDefiningOp());
}

Value Ownership::carriedBy(OpOperand &operand) {
  unsigned number = operand.getOperandNumber();
  Operation *op = operand.getOwner(), *parent = op->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return loop.getTiedLoopRegionIterArg(&operand);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return select.getResult();
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return loop.getBeforeArguments()[number];
  if (auto condition = dyn_cast<scf::ConditionOp>(op))
    return cast<scf::WhileOp>(parent).getAfterArguments()[number - 1];
  if (auto loop = dyn_cast<scf::ForOp>(parent); loop && isa<scf::YieldOp>(op))
    return loop.getRegionIterArg(number);
  if (auto loop = dyn_cast<scf::WhileOp>(parent); loop && isa<scf::YieldOp>(op))
    return loop.getBeforeArguments()[number];
  if ((isa<scf::YieldOp>(op) && isa<scf::IfOp>(parent)) || (isa<YieldOp>(op) && isa<LaunchOp>(parent)))
    return parent->getResult(number);
  return {};
}

// A value that is not contiguous is copied, so nobody takes it over.
bool Ownership::takesOver(OpOperand &operand) const {
  if (!isContiguous(operand.get()))
    return false;
  if (isa<func::ReturnOp>(operand.getOwner()))
    return true;
  Value carried = carriedBy(operand);
  return carried && fresh.contains(carried);
}

// The last operation of a block that uses one of the values, itself or in its regions.
static Operation *lastUser(Block &block, ArrayRef<Value> values) {
  Operation *last = nullptr;
  for (Value value : values)
    for (Operation *user : value.getUsers())
      if (Operation *here = block.findAncestorOpInBlock(*user); here && (!last || last->isBeforeInBlock(here)))
        last = here;
  return last;
}

// Behind the last use in the block; `made`, which may be null, counts as one. If that is in a branch, in each arm; if
// in a kernel's loop or branch, in there.
void Ownership::placeRelease(Value owner, ArrayRef<Value> aliases, Block *block, Operation *made) {
  Operation *last = made;
  SmallVector<OpOperand *> atLast;
  for (Value alias : aliases)
    for (OpOperand &use : alias.getUses()) {
      Operation *user = block->findAncestorOpInBlock(*use.getOwner());
      if (!user)
        continue;
      if (last && (user == last || user->isBeforeInBlock(last))) {
        if (user == last)
          atLast.push_back(&use);
        continue;
      }
      last = user;
      atLast.assign(1, &use);
    }
  if (!last) {
    unused[block].push_back(owner);
    return;
  }
  if (llvm::all_of(atLast, [&](OpOperand *use) { return use->getOwner() == last; })) {
    auto taker = llvm::find_if(atLast, [&](OpOperand *use) { return takesOver(*use); });
    if (taker != atLast.end()) {
      moved.insert(*taker);
      return;
    }
  }
  if (auto branch = dyn_cast<scf::IfOp>(last); branch && last != made && !branch.getElseRegion().empty()) {
    placeRelease(owner, aliases, branch.thenBlock(), nullptr);
    placeRelease(owner, aliases, branch.elseBlock(), nullptr);
    return;
  }
  if (auto launch = dyn_cast<LaunchOp>(last); launch && last != made) {
    Block &body = launch.getBody().front();
    if (isa_and_nonnull<scf::ForOp, scf::WhileOp, scf::IfOp>(lastUser(body, aliases)))
      return placeRelease(owner, aliases, &body, nullptr);
  }
  releases[last].push_back(owner);
}

void dissolvePins(func::FuncOp function) {
  function.walk([](PinOp pin) {
    Block &body = pin.getBody().front();
    Operation *yield = body.getTerminator();
    pin->getBlock()->getOperations().splice(pin->getIterator(), body.getOperations(), body.begin(),
                                            yield->getIterator());
    pin.replaceAllUsesWith(yield->getOperands());
    pin.erase();
  });
}

} // namespace ferry::array
