// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps: a block is cut at every operation on arrays, loop and branch. The scalar work between two cuts falls into
// pieces that do not use each other's values, and each of them is placed as one: it runs in one kernel or on the host.
//
// Units: a result updated in place, or a view, is the memory of its operand. Loops and branches need no sharing: their
// parameters and results are units of their own, to which the engine passes what flows in without a price.

#include "array/place/Program.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace ferry::array {

bool touchesArrays(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        // A SOAC over nothing but a grid of indices is work for either side too.
        return isSoac(inner) || llvm::any_of(inner->getOperands(), isArray) ||
                       llvm::any_of(inner->getResults(), isArray)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool isStructure(Operation *op) { return isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op) && touchesArrays(op); }

SmallVector<Carried> carriedBy(Operation *op) {
  SmallVector<Carried> carried;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [parameter, initial, yielded, result] :
         llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs(), loop.getYieldedValues(), loop.getResults()))
      carried.push_back({parameter, initial, yielded, result});
  } else {
    auto whileLoop = cast<scf::WhileOp>(op);
    for (auto [parameter, initial, yielded, result] :
         llvm::zip(whileLoop.getBeforeArguments(), whileLoop.getInits(), whileLoop.getConditionOp().getArgs(),
                   whileLoop.getResults()))
      carried.push_back({parameter, initial, yielded, result});
  }
  return carried;
}

bool isUsedAfter(Value value, Operation *op) {
  for (Operation *user : value.getUsers()) {
    if (user == op)
      continue;
    // Where the two part: the innermost block that holds both.
    Operation *here = op;
    while (here && !here->getBlock()->findAncestorOpInBlock(*user))
      here = here->getParentOp();
    Operation *there = here ? here->getBlock()->findAncestorOpInBlock(*user) : nullptr;
    if (here && there == here && isa<scf::IfOp>(here))
      continue; // in the two arms of one branch
    if (!there || there == here || here->isBeforeInBlock(there))
      return true;
  }
  // A loop around the operation, but not around the value, comes back to it.
  Region *home = value.getParentRegion();
  for (Region *region = op->getParentRegion(); region && region != home;
       region = region->getParentOp()->getParentRegion())
    if (isa<LoopLikeOpInterface>(region->getParentOp()))
      return true;
  return false;
}

Value viewedBy(Value value) {
  auto placeable = dyn_cast_or_null<PlaceableOpInterface>(value.getDefiningOp());
  if (!placeable || !isArray(value))
    return {};
  ResultFact fact = placeable.getPlacementFacts().results[cast<OpResult>(value).getResultNumber()];
  return fact.kind == ResultFact::view ? value.getDefiningOp()->getOperand(fact.operand) : Value();
}

//===- Names ------------------------------------------------------------------------------------------------------===//

static std::string nameIn(Location location) {
  auto name = dyn_cast<NameLoc>(location);
  return name ? name.getName().str() : std::string();
}

std::string displayName(Operation *op) {
  if (std::string name = nameIn(op->getLoc()); !name.empty())
    return name;
  return isa<UnrealizedConversionCastOp>(op) ? "scalar" : op->getName().stripDialect().str();
}

std::string displayName(Value value) {
  if (std::string name = nameIn(value.getLoc()); !name.empty())
    return name;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return (isa<func::FuncOp>(argument.getOwner()->getParentOp()) ? "argument " : "loop value ") +
           std::to_string(argument.getArgNumber());
  return displayName(value.getDefiningOp());
}

static std::string placed(const std::string &name, Location location) {
  auto place = location->findInstanceOf<FileLineColLoc>();
  return isa<NameLoc>(location) || !place
             ? name
             : (name + " at " + Twine(place.getLine()) + ":" + Twine(place.getColumn())).str();
}

std::string describedName(Operation *op) { return placed(displayName(op), op->getLoc()); }

std::string describedName(Value value) {
  return value.getDefiningOp() ? placed(displayName(value), value.getLoc()) : displayName(value);
}

std::string displayLocation(Location location) {
  if (auto place = location->findInstanceOf<FileLineColLoc>())
    return (place.getFilename().getValue() + ":" + Twine(place.getLine()) + ":" + Twine(place.getColumn())).str();
  return {};
}

//===- Scalars made from arrays -----------------------------------------------------------------------------------===//

static bool isDim(Operation *op) { return isa<DimOp, tensor::DimOp>(op); }

void Program::track(Block &block) {
  for (Operation &op : block) {
    if (isStructure(&op)) {
      auto trackScalars = [&](ValueRange values) {
        for (Value value : values)
          if (!isArray(value))
            tracked.insert(value);
      };
      trackScalars(op.getResults());
      if (auto loop = dyn_cast<scf::ForOp>(op))
        trackScalars(loop.getRegionIterArgs());
      if (auto loop = dyn_cast<scf::WhileOp>(op)) {
        trackScalars(loop.getBeforeArguments());
        trackScalars(loop.getAfterArguments());
      }
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          track(inner);
      castPlain(&op);
      continue;
    }
    if (isDim(&op))
      continue;
    auto isMade = [&](Value value) { return tracked.contains(value); };
    if (touchesArrays(&op) || llvm::any_of(op.getOperands(), isMade) || llvm::any_of(capturedValues(&op), isMade))
      for (Value result : op.getResults())
        if (!isArray(result))
          tracked.insert(result);
  }
}

void Program::castPlain(Operation *op) {
  auto cast = [&](OpOperand &use) {
    if (isArray(use.get()) || tracked.contains(use.get()))
      return;
    OpBuilder builder(use.getOwner());
    auto made = UnrealizedConversionCastOp::create(builder, use.get().getLoc(), use.get().getType(), use.get());
    tracked.insert(made.getResult(0));
    use.set(made.getResult(0));
  };
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (OpOperand &use : loop.getInitArgsMutable())
      cast(use);
    for (OpOperand &use : loop.getBody()->getTerminator()->getOpOperands())
      cast(use);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    for (OpOperand &use : loop.getInitsMutable())
      cast(use);
    for (OpOperand &use : loop.getConditionOp().getArgsMutable())
      cast(use);
  } else {
    for (Region &region : op->getRegions())
      if (!region.empty())
        for (OpOperand &use : region.front().getTerminator()->getOpOperands())
          cast(use);
  }
}

// A view is a unit of its own, which takes over from its origin, if nothing uses the origin any more. So is one that
// leaves its block: the origin may stay where it is while the view goes on. So is a part in one piece, which then
// crosses the bus alone.
static bool hasOwnUnit(Value view) {
  for (Operation *user : view.getUsers())
    if (user->hasTrait<OpTrait::IsTerminator>() && !isa<func::ReturnOp>(user))
      return true;
  auto op = cast<PlaceableOpInterface>(view.getDefiningOp());
  if (!op.getPlacementFacts().contiguous)
    return false;
  return isa<RowOp, SliceOp>(op.getOperation()) || !isUsedAfter(op->getOperand(0), op);
}

//===- Steps ------------------------------------------------------------------------------------------------------===//

void Program::flush(std::vector<Step> &steps, SmallVectorImpl<Operation *> &segment) {
  llvm::EquivalenceClasses<Operation *> pieces;
  llvm::SmallPtrSet<Operation *, 16> members(segment.begin(), segment.end());
  for (Operation *op : segment) {
    pieces.insert(op);
    auto join = [&](Value value) {
      Operation *maker = value.getDefiningOp();
      if (maker && members.contains(maker))
        pieces.unionSets(op, maker);
    };
    llvm::for_each(op->getOperands(), join);
    llvm::for_each(capturedValues(op), join);
  }
  llvm::DenseMap<Operation *, size_t> stepOf;
  for (Operation *op : segment) {
    auto [found, isNew] = stepOf.try_emplace(pieces.getLeaderValue(op), steps.size());
    if (isNew) {
      steps.emplace_back();
      steps.back().kind = Step::piece;
    }
    steps[found->second].ops.push_back(op);
  }
  segment.clear();
}

static bool isEntryArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && isa<func::FuncOp>(argument.getOwner()->getParentOp());
}

void Program::cut(Block &block) {
  std::vector<Step> steps;
  SmallVector<Operation *> segment;
  auto single = [&](Step::Kind kind, Operation *op) {
    Step step;
    step.kind = kind;
    step.ops.push_back(op);
    steps.push_back(std::move(step));
  };
  auto isMade = [&](Value value) { return tracked.contains(value); };
  for (Operation &op : block.without_terminator()) {
    if (isStructure(&op)) {
      flush(steps, segment);
      single(isa<scf::IfOp>(op) ? Step::branch : Step::loop, &op);
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          cut(inner);
      continue;
    }
    if (isDim(&op)) {
      single(isEntryArgument(op.getOperand(0)) ? Step::plain : Step::dim, &op);
      continue;
    }
    bool usesMade = llvm::any_of(op.getOperands(), isMade) || llvm::any_of(capturedValues(&op), isMade);
    if (!touchesArrays(&op) && !usesMade && !llvm::any_of(op.getResults(), isMade)) {
      // A loop over plain scalars has a price, if no choice.
      bool costs = op.getNumRegions() != 0;
      single(costs ? Step::piece : Step::plain, &op);
      continue;
    }
    auto placeable = dyn_cast<PlaceableOpInterface>(op);
    bool isScalarWork = !touchesArrays(&op) && isMemoryEffectFree(&op);
    if (isa<AssertOp>(op))
      isScalarWork = true;
    if (placeable && touchesArrays(&op)) {
      PlacementFacts facts = placeable.getPlacementFacts();
      isScalarWork = facts.scalar && llvm::none_of(op.getResults(), isArray);
      if (facts.results.size() == 1 && facts.results[0].kind == ResultFact::view && !usesMade &&
          !hasOwnUnit(op.getResult(0))) {
        single(Step::view, &op);
        continue;
      }
    }
    if (isScalarWork) {
      bool samePin = segment.empty() || (pin(segment.front()).has_value() == pin(&op).has_value() &&
                                         (!pin(&op) || pin(segment.front())->side == pin(&op)->side));
      if (!samePin)
        flush(steps, segment);
      segment.push_back(&op);
      continue;
    }
    flush(steps, segment);
    single(Step::piece, &op);
  }
  flush(steps, segment);
  blocks[&block] = std::move(steps);
}

void Program::number() {
  byTag.emplace_back(nullptr, 0);
  std::function<void(Block &)> visit = [&](Block &block) {
    std::vector<Step> &steps = blocks[&block];
    for (size_t index = 0; index < steps.size(); ++index) {
      Step &step = steps[index];
      if (step.kind == Step::piece || step.kind == Step::dim || step.kind == Step::loop || step.kind == Step::branch) {
        step.tag = byTag.size();
        byTag.emplace_back(&block, index);
        for (Operation *op : step.ops)
          tags[op] = step.tag;
      }
      if (step.kind == Step::loop || step.kind == Step::branch)
        for (Region &region : step.op()->getRegions())
          for (Block &inner : region)
            visit(inner);
    }
  };
  visit(function.getBody().front());
}

bool Program::isElementUpdate(const Step &step) const {
  auto update = dyn_cast<UpdateOp>(step.op());
  return update && !isArray(update.getValue()) && !copies(update);
}

const Step *Program::step(Tag tag) const {
  if (tag == 0 || tag >= byTag.size())
    return nullptr;
  auto [block, index] = byTag[tag];
  return &blocks.find(block)->second[index];
}

std::optional<Tag> Program::tagOf(Operation *op) const {
  auto found = tags.find(op);
  return found == tags.end() ? std::nullopt : std::optional(found->second);
}

//===- Units ------------------------------------------------------------------------------------------------------===//

void Program::newUnit(Value value) {
  units[value] = static_cast<Unit>(origins.size());
  origins.push_back(value);
}

void Program::share(Value value, Value with) { units[value] = units.lookup(with); }

std::optional<Unit> Program::unit(Value value) const {
  auto found = units.find(value);
  return found == units.end() ? std::nullopt : std::optional(found->second);
}

// The memory of a consumed array may be reused if nothing needs its old contents.
bool Program::isFreeToUpdate(Value array, Operation *op) const {
  if (isUsedAfter(array, op))
    return false;
  // What it is a view of is needed, or another view of it.
  for (Value at = array; at;) {
    if (auto argument = dyn_cast<BlockArgument>(at)) {
      auto parent = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
      return !parent || parent.getArgAttr(argument.getArgNumber(), "array.unique");
    }
    for (Operation *user : at.getUsers())
      for (Value view : user->getResults())
        if (viewedBy(view) == at && view != array && isUsedAfter(view, op))
          return false;
    Value source = viewedBy(at);
    if (!source)
      return !at.getDefiningOp()->hasTrait<OpTrait::ConstantLike>();
    at = source;
    if (isUsedAfter(at, op))
      return false;
  }
  return true;
}

void Program::assignResults(Operation *op) {
  auto placeable = dyn_cast<PlaceableOpInterface>(op);
  PlacementFacts facts = placeable && touchesArrays(op) ? placeable.getPlacementFacts() : plainFacts(op);
  for (auto [result, fact] : llvm::zip(op->getResults(), facts.results)) {
    if (!isArray(result)) {
      bool outside = llvm::any_of(result.getUsers(), [&](Operation *user) { return user != op; });
      if (tracked.contains(result) && outside)
        newUnit(result);
    } else if (fact.kind == ResultFact::updated) {
      if (isFreeToUpdate(op->getOperand(fact.operand), op)) {
        share(result, op->getOperand(fact.operand));
      } else {
        copying.insert(op);
        newUnit(result);
      }
    } else if (fact.kind == ResultFact::view && !hasOwnUnit(result)) {
      share(result, op->getOperand(0));
      aliases.insert(result);
    } else {
      newUnit(result);
    }
  }
}

void Program::assign(Block &block) {
  for (const Step &step : blocks[&block]) {
    Operation *op = step.op();
    if (step.kind == Step::piece || step.kind == Step::view) {
      llvm::for_each(step.ops, [&](Operation *each) { assignResults(each); });
      continue;
    }
    if (step.kind == Step::plain || step.kind == Step::dim)
      continue;
    auto give = [&](ValueRange values) {
      for (Value value : values)
        newUnit(value);
    };
    if (step.kind == Step::loop) {
      auto whileLoop = dyn_cast<scf::WhileOp>(op);
      for (Carried &carried : carriedBy(op))
        newUnit(carried.parameter);
      assign(whileLoop ? *whileLoop.getBeforeBody() : *cast<scf::ForOp>(op).getBody());
      give(op->getResults());
      continue;
    }
    auto branch = cast<scf::IfOp>(op);
    assign(*branch.thenBlock());
    if (branch.elseBlock())
      assign(*branch.elseBlock());
    give(op->getResults());
  }
}

Program::Program(func::FuncOp function) : function(function) {
  Block &body = function.getBody().front();
  track(body);
  cut(body);
  number();
  for (Value argument : body.getArguments())
    if (isArray(argument))
      newUnit(argument);
  assign(body);
}

} // namespace ferry::array
