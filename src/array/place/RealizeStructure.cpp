// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops and branches, with the versions that flow around and out of them.

#include "array/place/Realizer.h"

using namespace mlir;
namespace engine = ferry::placement;

namespace ferry::array {

static Side target(engine::Direction direction) {
  return direction == engine::Direction::HostToDevice ? Side::device : Side::host;
}
static constexpr Side kSides[] = {Side::host, Side::device};

// Copies on an edge that renames: of what flows into the new names, or of arrays that keep theirs.
void Realizer::emitCopiesInto(engine::Place place, Tag tag, uint8_t arm, ValueRange names, ValueRange values) {
  for (const engine::Copy *copy : copiesAt(place, tag, arm)) {
    bool isNamed = false;
    for (auto [name, value] : llvm::zip(names, values))
      if (program.unit(name) == copy->array) {
        emitCopy(value, *copy);
        isNamed = true;
      }
    if (Value old = isNamed ? Value() : scope.current.lookup(copy->source))
      emitCopy(old, *copy);
  }
}

//===- Branches ---------------------------------------------------------------------------------------------------===//

Realizer::Arm Realizer::arm(Block *old, const Step &step, uint8_t index) {
  OpBuilder::InsertionGuard guard(builder);
  Arm arm;
  arm.region = std::make_unique<Region>();
  builder.createBlock(arm.region.get());
  Scope before = scope;
  if (index == 0)
    observer.inside(builder, step.op());
  emitCopies(engine::Place::ArmStart, step.tag, index);
  if (old)
    block(old);
  emitCopies(engine::Place::EndOfBody, step.tag, index);
  if (old)
    emitCopiesInto(engine::Place::OnArmEnd, step.tag, index, step.op()->getResults(),
                   old->getTerminator()->getOperands());
  arm.end = std::move(scope);
  scope = std::move(before);
  return arm;
}

// What comes out of a branch: the results, and versions of older values that were made in both arms and are wanted
// behind.
SmallVector<Realizer::Out> Realizer::leavingBranch(const Step &step, Scope &end) {
  auto op = cast<scf::IfOp>(step.op());
  SmallVector<Out> outs;
  for (auto [index, result] : llvm::enumerate(op.getResults())) {
    Sides sides = wanted(solution.validAfter(step.tag, *program.unit(result)));
    for (Side side : kSides)
      if (sides.has(side))
        outs.push_back({op.thenBlock()->getTerminator()->getOperand(index),
                        op.elseBlock()->getTerminator()->getOperand(index), result, side});
  }
  size_t results = outs.size();
  for (auto &[old, versions] : end.versions)
    for (Side side : kSides) {
      auto before = scope.versions.find(old);
      bool isNew = versions.on(side) && (before == scope.versions.end() || !before->second.on(side));
      if (isNew && program.unit(old) && old.getParentRegion()->isAncestor(op->getParentRegion()) &&
          isUsedAfter(old, op) && wanted(solution.validAfter(step.tag, *program.unit(old))).has(side))
        outs.push_back({old, old, old, side});
    }
  llvm::sort(outs.begin() + results, outs.end(), [&](const Out &a, const Out &b) {
    return std::pair(*program.unit(a.result), a.side) < std::pair(*program.unit(b.result), b.side);
  });
  return outs;
}

void Realizer::branch(const Step &step) {
  if (solution.isKernel(step.tag))
    return launch(step, /*wholeRegion=*/true);
  auto op = cast<scf::IfOp>(step.op());
  Location location = op.getLoc();
  Value condition = hostScalar(op.getCondition());
  observer.entry(builder, op);
  Arm arms[2] = {arm(op.thenBlock(), step, 0), arm(op.elseBlock(), step, 1)};

  SmallVector<Out> outs = leavingBranch(step, arms[0].end);
  SmallVector<Type> types;
  for (int index = 0; index < 2; ++index) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&arms[index].region->front());
    std::swap(scope, arms[index].end);
    SmallVector<Value> yields;
    for (const Out &out : outs)
      yields.push_back(get(index == 0 ? out.then : out.otherwise, out.side));
    std::swap(scope, arms[index].end);
    scf::YieldOp::create(builder, location, yields);
    if (index == 0)
      types = llvm::to_vector(ValueRange(yields).getTypes());
  }
  auto made = scf::IfOp::create(builder, location, types, condition);
  made.getThenRegion().takeBody(*arms[0].region);
  made.getElseRegion().takeBody(*arms[1].region);
  for (auto [out, result] : llvm::zip(outs, made.getResults()))
    set(out.result, out.side, result);
  for (Value result : op.getResults())
    define(result);
}

//===- Loops ------------------------------------------------------------------------------------------------------===//

SmallVector<Realizer::Flow> Realizer::flows(const Step &step) {
  SmallVector<Flow> result;
  for (const Carried &carried : carriedBy(step.op())) {
    Flow flow{carried, {}, {}, {}};
    Unit parameter = *program.unit(carried.parameter), yielded = *program.unit(carried.yielded),
         end = *program.unit(carried.result);
    flow.head = wanted(solution.validAtHead(step.tag, parameter));
    // What a copy makes on an edge is not needed before it, but its source is.
    auto before = [&](Sides sides, engine::Place place, Unit array, engine::Place early) {
      Sides needed = sides;
      auto take = [&](const engine::Copy &copy) {
        Side to = target(copy.direction);
        (to == Side::host ? needed.host : needed.device) = false;
        needed.add(other(to));
      };
      for (const engine::Copy *copy : copiesAt(place, step.tag))
        if (copy->array == array && copy->source == yielded)
          take(*copy);
      for (const engine::Copy *copy : copiesAt(early, step.tag))
        if (copy->array == yielded)
          take(*copy);
      return needed;
    };
    flow.end = before(flow.head, engine::Place::OnBack, parameter, engine::Place::BackEdge);
    flow.exit = before(wanted(solution.validAfter(step.tag, end)), engine::Place::OnExit, end, engine::Place::LoopExit);
    result.push_back(flow);
  }
  return result;
}

void Realizer::loop(const Step &step) {
  emitCopies(engine::Place::LoopEntry, step.tag);
  SmallVector<Value> parameters, initials;
  for (const Carried &carried : carriedBy(step.op())) {
    parameters.push_back(carried.parameter);
    initials.push_back(carried.initial);
  }
  emitCopiesInto(engine::Place::OnEntry, step.tag, 0, parameters, initials);
  if (solution.isKernel(step.tag)) {
    launch(step, /*wholeRegion=*/true);
    // A result that is an array from outside is wherever that is.
    for (Carried carried : carriedBy(step.op()))
      if (!step.op()->isAncestor(carried.yielded.getParentBlock()->getParentOp()))
        for (Side side : kSides)
          if (has(carried.yielded, side))
            set(carried.result, side, get(carried.yielded, side));
    return leaveLoop(step);
  }
  observer.entry(builder, step.op());
  if (isa<scf::WhileOp>(step.op()))
    return whileLoop(step);
  forLoop(step);
}

// Copies behind the last trip.
void Realizer::leaveLoop(const Step &step) {
  for (const Carried &carried : carriedBy(step.op()))
    define(carried.result);
  emitCopiesInto(engine::Place::OnExit, step.tag, 0, step.op()->getResults(), step.op()->getResults());
  for (const engine::Copy *copy : copiesAt(engine::Place::LoopExit, step.tag)) {
    Side to = target(copy->direction);
    bool isYielded = false;
    for (Carried carried : carriedBy(step.op())) {
      if (program.unit(carried.yielded) != copy->array)
        continue;
      bool isOutside = !step.op()->isAncestor(carried.yielded.getParentBlock()->getParentOp());
      if (isOutside) { // the result is an array from around the loop
        emitCopy(carried.yielded, *copy);
        set(carried.result, to, get(carried.yielded, to));
      } else if (has(carried.result, other(to))) {
        emitCopy(carried.result, *copy);
      }
      isYielded = true;
    }
    if (Value old = isYielded ? Value() : scope.current.lookup(copy->source))
      emitCopy(old, *copy);
  }
}

// The values of a trip's beginning are what the loop carries.
void Realizer::enterTrip(const Step &step, ArrayRef<Flow> flows, ValueRange arguments) {
  unsigned index = 0;
  for (const Flow &flow : flows) {
    for (Side side : kSides)
      if (flow.head.has(side)) {
        arguments[index].setLoc(flow.carried.parameter.getLoc());
        set(flow.carried.parameter, side, arguments[index++]);
      }
    define(flow.carried.parameter);
  }
  observer.inside(builder, step.op());
  observer.parameters(builder, step.op(), [&](Value parameter) { return anyVersion(parameter); });
}

// A for stays one if what a trip needs and what comes out fits what it carries, and nothing is copied between trips.
void Realizer::forLoop(const Step &step) {
  auto op = cast<scf::ForOp>(step.op());
  SmallVector<Flow> all = flows(step);
  llvm::DenseSet<std::pair<Value, unsigned>> unread; // carried only since the last trip's is wanted
  bool fits =
      (copiesAt(engine::Place::OnBack, step.tag).empty() && copiesAt(engine::Place::BackEdge, step.tag).empty());
  for (Flow &flow : all)
    for (Side side : kSides)
      if (flow.exit.has(side) && !flow.head.has(side)) {
        fits &= has(flow.carried.initial, side);
        flow.head.add(side);
        flow.end.add(side);
        unread.insert({flow.carried.parameter, unsigned(side)});
      }
  if (!fits)
    return whileLoop(step);

  SmallVector<Value> inits;
  for (Flow &flow : all)
    for (Side side : kSides)
      if (flow.head.has(side))
        inits.push_back(unread.contains({flow.carried.parameter, unsigned(side)})
                            ? undefined(flow.carried.initial, side)
                            : get(flow.carried.initial, side));
  auto made = scf::ForOp::create(builder, op.getLoc(), hostScalar(op.getLowerBound()), hostScalar(op.getUpperBound()),
                                 hostScalar(op.getStep()), inits, nullptr, op.getUnsignedCmp());
  made.getBody()->clear();
  made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  {
    OpBuilder::InsertionGuard guard(builder);
    Scope before = scope;
    builder.setInsertionPointToEnd(made.getBody());
    plain.map(op.getInductionVar(), made.getInductionVar());
    enterTrip(step, all, made.getRegionIterArgs());
    block(op.getBody());
    emitCopies(engine::Place::EndOfBody, step.tag);
    SmallVector<Value> yields;
    for (Flow &flow : all)
      for (Side side : kSides)
        if (flow.head.has(side))
          yields.push_back(get(flow.carried.yielded, side));
    scf::YieldOp::create(builder, op.getLoc(), yields);
    scope = std::move(before);
  }
  unsigned index = 0;
  for (Flow &flow : all)
    for (Side side : kSides)
      if (flow.head.has(side)) {
        if (flow.exit.has(side))
          set(flow.carried.result, side, made.getResult(index));
        ++index;
      }
  leaveLoop(step);
}

// The region of a do-while in which a trip runs and the condition is evaluated. A for counts by itself: its number
// comes first in what the loop carries.
void Realizer::makeTrip(const Step &step, ArrayRef<Flow> flows, ValueRange inits, Region &trip) {
  Location location = step.op()->getLoc();
  auto counted = dyn_cast<scf::ForOp>(step.op());
  Value upper = counted ? hostScalar(counted.getUpperBound()) : Value();
  Value stride = counted ? hostScalar(counted.getStep()) : Value();
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locations(inits.size(), location);
  Block *body = builder.createBlock(&trip, {}, inits.getTypes(), locations);
  ValueRange arguments = body->getArguments();
  if (counted)
    plain.map(counted.getInductionVar(), arguments.front());
  enterTrip(step, flows, arguments.drop_front(counted ? 1 : 0));
  auto old = dyn_cast<scf::WhileOp>(step.op());
  block(old ? old.getBeforeBody() : counted.getBody());
  emitCopies(engine::Place::EndOfBody, step.tag);
  SmallVector<Value> forwarded;
  Value condition;
  if (counted) {
    Value next = arith::AddIOp::create(builder, location, body->getArgument(0), stride);
    auto predicate = counted.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
    condition = arith::CmpIOp::create(builder, location, predicate, next, upper);
    forwarded.push_back(next);
  } else {
    condition = hostScalar(old.getConditionOp().getCondition());
  }
  for (const Flow &flow : flows)
    for (Side side : kSides)
      if (flow.isForwarded(side))
        forwarded.push_back(get(flow.carried.yielded, side));
  scf::ConditionOp::create(builder, location, condition, forwarded);
}

// The region between trips, with the copies there.
void Realizer::makeBetween(const Step &step, ArrayRef<Flow> flows, TypeRange forwarded, Region &between) {
  Location location = step.op()->getLoc();
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locations(forwarded.size(), location);
  Block *body = builder.createBlock(&between, {}, forwarded, locations);
  SmallVector<Value> next;
  unsigned index = 0;
  if (isa<scf::ForOp>(step.op()))
    next.push_back(body->getArgument(index++));
  for (const Flow &flow : flows) {
    scope.versions.erase(flow.carried.yielded);
    for (Side side : kSides)
      if (flow.isForwarded(side))
        set(flow.carried.yielded, side, body->getArgument(index++));
    for (Side side : kSides)
      if (flow.head.has(side)) {
        // The copy between trips is the plan's, if it has one.
        if (!has(flow.carried.yielded, side))
          transfer(flow.carried.yielded, side);
        next.push_back(get(flow.carried.yielded, side));
      }
  }
  scf::YieldOp::create(builder, location, next);
}

// A do-while: `before` is a trip, `after` what is copied between trips.
void Realizer::whileLoop(const Step &step) {
  auto counted = dyn_cast<scf::ForOp>(step.op());
  SmallVector<Flow> all = flows(step);
  SmallVector<Value> inits;
  if (counted)
    inits.push_back(hostScalar(counted.getLowerBound()));
  for (Flow &flow : all)
    for (Side side : kSides)
      if (flow.head.has(side))
        inits.push_back(get(flow.carried.initial, side));

  Region trip, between;
  Scope outside = scope;
  makeTrip(step, all, inits, trip);
  SmallVector<Type> forwarded(cast<scf::ConditionOp>(trip.front().getTerminator()).getArgs().getTypes());
  scope = outside;
  makeBetween(step, all, forwarded, between);
  scope = std::move(outside);
  auto made = scf::WhileOp::create(builder, step.op()->getLoc(), forwarded, inits);
  made.getBefore().takeBody(trip);
  made.getAfter().takeBody(between);
  made->setDiscardableAttrs(step.op()->getDiscardableAttrDictionary());
  made->removeAttr("array.entered");
  unsigned index = counted ? 1 : 0;
  for (Flow &flow : all)
    for (Side side : kSides)
      if (flow.isForwarded(side)) {
        if (flow.exit.has(side))
          set(flow.carried.result, side, made.getResult(index));
        ++index;
      }
  leaveLoop(step);
}

} // namespace ferry::array
