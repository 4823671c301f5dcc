// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "array/place/ProblemBuilder.h"
#include "array/place/Counting.h"
#include "array/place/WholeNumbers.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
namespace engine = ferry::placement;

namespace ferry::array {

static engine::Side toEngine(Side side) { return side == Side::host ? engine::Side::Host : engine::Side::Device; }

//===- Reads and writes -------------------------------------------------------------------------------------------===//

void ProblemBuilder::read(std::vector<engine::Read> &reads, Value value, engine::Operand operand,
                          std::optional<engine::Time> peek) {
  auto unit = program.unit(value);
  if (!unit)
    return;
  for (engine::Read &known : reads)
    if (known.array == *unit && known.operand == operand) {
      // The prices of several peeks add up; a read without one needs the array itself.
      if (known.peek && peek)
        known.peek = saturatingSum(*known.peek, *peek);
      else
        known.peek = std::nullopt;
      return;
    }
  reads.push_back({*unit, operand, peek, std::nullopt, std::nullopt});
}

void ProblemBuilder::write(engine::Operation &operation, Unit unit, bool whole, std::optional<engine::Time> poke) {
  for (engine::Write &known : operation.writes)
    if (known.array == unit)
      return;
  operation.writes.push_back({unit, whole, poke, std::nullopt, std::nullopt});
}

void ProblemBuilder::describe(engine::Operation &operation, Operation *op, const Step &step) {
  auto isInside = [&](Value value) { return llvm::is_contained(step.ops, value.getDefiningOp()); };
  auto placeable = dyn_cast<PlaceableOpInterface>(op);
  bool onArrays = touchesArrays(op);
  PlacementFacts facts = placeable && onArrays ? placeable.getPlacementFacts() : plainFacts(op);
  bool copies = program.copies(op);
  // What is marked for the host has its arrays there: it does not reach for elements across the bus.
  auto pin = markOf(op);
  bool isMarked = pin && pin->side == Side::host;
  for (auto [value, use] : llvm::zip(op->getOperands(), facts.uses)) {
    // Of several arrays that are updated together one may be unwanted, and yet has to be there.
    bool isOnlyUpdated = use == Use::update && !copies && op->getNumResults() == 1;
    if (isInside(value) || use == Use::nothing || isOnlyUpdated)
      continue;
    std::optional<engine::Time> peek;
    if (facts.element && isArray(value) && !isMarked)
      peek = options.machine.peekPrice(elementBytes(value.getType()));
    if (peek && options.strategy == Strategy::arraysOnDevice) { // it has to peek
      operation.cost.host = saturatingSum(operation.cost.host, *peek);
      read(operation.reads, value, engine::Operand::Device);
      continue;
    }
    read(operation.reads, value, use == Use::launcher ? engine::Operand::Launcher : engine::Operand::Operation, peek);
  }
  for (Value value : capturedValues(op))
    if (!isInside(value))
      read(operation.reads, value, engine::Operand::Operation);
  for (auto [result, fact] : llvm::zip(op->getResults(), facts.results)) {
    auto unit = program.unit(result);
    if (!unit || program.isAlias(result))
      continue;
    bool whole = fact.kind != ResultFact::updated || copies;
    std::optional<engine::Time> poke;
    if (!whole && facts.elementUpdate && !isMarked)
      poke = options.machine.pokePrice(elementBytes(result.getType()));
    write(operation, *unit, whole, poke);
    if (fact.kind == ResultFact::view)
      read(operation.reads, op->getOperand(fact.operand), engine::Operand::Operation);
  }
  if (!onArrays)
    return;
  operation.allocate = facts.allocation;
  operation.both = facts.bothSides;
  operation.noKernel = !facts.kernel;
  if (!placeable || !facts.device) {
    operation.noKernel = true;
    operation.pin = engine::Side::Host;
  }
}

bool ProblemBuilder::isUsed(Value made, const Step &step) const {
  auto stays = [&](Operation *user) {
    for (Operation *at = user; at; at = at->getParentOp()) {
      auto tag = program.tagOf(at);
      if (tag && !isStructure(at))
        return *tag != step.tag && !isLeftOut(*tag);
      if (at->getBlock() == made.getParentBlock())
        return false;
    }
    return false;
  };
  return llvm::any_of(made.getUsers(), stays);
}

//===- Statements -------------------------------------------------------------------------------------------------===//

static bool isSoacLike(Operation *op) {
  auto placeable = dyn_cast<PlaceableOpInterface>(op);
  if (!placeable || !touchesArrays(op))
    return false;
  PlacementFacts facts = placeable.getPlacementFacts();
  return !facts.scalar && !facts.allocation && facts.device &&
         llvm::none_of(facts.results, [](ResultFact fact) { return fact.kind == ResultFact::view; });
}

// Marks say nothing where host code has its arrays on the device by decree.
std::optional<Pin> ProblemBuilder::markOf(Operation *op) const {
  return options.strategy == Strategy::arraysOnDevice ? std::nullopt : program.pin(op);
}

// The side that a named pin gives a step; of several the last.
std::optional<engine::Side> ProblemBuilder::namedPin(const Step &step) {
  llvm::SmallVector<std::string, 4> names;
  for (Operation *op : step.ops)
    names.push_back(describedName(op));
  if (auto pin = markOf(step.op()))
    names.push_back(pin->name);
  std::optional<engine::Side> side;
  for (auto [use, pin] : llvm::zip(pinUses, options.pins))
    if (llvm::is_contained(names, pin.name)) {
      use = std::max(use, PinUse::named);
      side = toEngine(pin.side);
    }
  return side;
}

std::optional<engine::Side> ProblemBuilder::pinOf(const Step &step) {
  std::optional<engine::Side> side = namedPin(step);
  if (auto pin = markOf(step.op()); pin && !side)
    side = toEngine(pin->side);
  if (side)
    return side;
  if (llvm::all_of(step.ops, llvm::IsaPred<UnrealizedConversionCastOp>))
    return std::nullopt;
  bool soac = isSoacLike(step.op());
  switch (options.strategy) {
  case Strategy::automatic:
    return std::nullopt;
  case Strategy::allHost:
    return engine::Side::Host;
  case Strategy::allDevice:
    return step.kind == Step::piece ? std::optional(engine::Side::Device) : std::nullopt;
  case Strategy::arraysOnDevice:
    return soac || isa<UpdateOp>(step.op()) ? engine::Side::Device : engine::Side::Host;
  case Strategy::soacsOnDevice:
    if (work(step).work.elements == 0) // there is nothing to do on the device
      return std::nullopt;
    return isSoac(step.op()) || (soac && !isa<ArrayDialect>(step.op()->getDialect()))
               ? std::optional(engine::Side::Device)
               : std::nullopt;
  }
  return std::nullopt;
}

engine::Statement ProblemBuilder::piece(const Step &step) {
  engine::Operation operation;
  for (Operation *op : step.ops)
    describe(operation, op, step);
  StepWork work = this->work(step);
  operation.cost = {saturatingSum(operation.cost.host, work.cost.host), work.cost.device, work.cost.inner,
                    work.cost.launch};
  if (options.strategy == Strategy::arraysOnDevice && program.isElementUpdate(step)) { // a poke from the host
    Type element = step.op()->getResult(0).getType();
    operation.cost = {0, saturatingSum(operation.cost.host, options.machine.pokePrice(elementBytes(element))), 0, 0};
    operation.noKernel = true;
    for (engine::Read &scalar : operation.reads)
      scalar.operand = engine::Operand::Host;
  }
  auto placeable = dyn_cast<PlaceableOpInterface>(step.op());
  bool isView = placeable && touchesArrays(step.op()) &&
                llvm::any_of(placeable.getPlacementFacts().results,
                             [](ResultFact fact) { return fact.kind == ResultFact::view; });
  if (isView) { // a descriptor: wherever its array is, and free
    operation.both = !operation.writes.empty();
    operation.cost = {0, 0, 0, 0};
  }
  bool isPlain = operation.reads.empty() && operation.writes.empty();
  if (isPlain && !isView) // plain work runs on the host, unless it is inside a kernel
    operation.cost.device = saturatingSum(operation.cost.host, 1);
  auto pin = pinOf(step);
  if (pin == engine::Side::Device && operation.pin == engine::Side::Host && (namedPin(step) || markOf(step.op())))
    impossiblePins.push_back(step.op());
  bool hasSide = !isView && !isPlain && !operation.allocate;
  if (pin && !operation.pin && hasSide)
    operation.pin = pin;
  if (hasSide)
    notePinnable(step);
  if (operation.pin && *operation.pin == engine::Side::Host)
    operation.both = operation.both && isView;
  engine::Statement statement;
  statement.what = std::move(operation);
  statement.name = describedName(step.op());
  statement.tag = step.tag;
  return statement;
}

std::optional<engine::Rational> ProblemBuilder::counted(Operation *structure) {
  auto [count, isNew] = counts.try_emplace(structure);
  if (auto branch = dyn_cast<scf::IfOp>(structure); branch && isNew)
    count->second = countedProbability(branch, sizes);
  else if (isNew)
    count->second = countedTrips(cast<scf::ForOp>(structure), sizes);
  return count->second;
}

engine::Rational ProblemBuilder::probability(scf::IfOp branch) {
  if (auto observed = sizes.observedProbability(branch))
    return *observed;
  if (auto known = counted(branch))
    return *known;
  Value condition = branch.getCondition();
  if (auto assumed = sizes.exactScalar(condition))
    return engine::Rational(*assumed != 0);
  frequenciesKnown &= !comesBy;
  // A guard `lower < upper` is likely to hold; anything else is even.
  if (auto compare = condition.getDefiningOp<arith::CmpIOp>()) {
    auto typical = sizes.scalar(condition);
    if (typical)
      return typical->value ? engine::Rational(9, 10) : engine::Rational(1, 10);
  }
  return engine::Rational(1, 2);
}

engine::Statement ProblemBuilder::branch(const Step &step) {
  auto op = cast<scf::IfOp>(step.op());
  engine::Branch branch;
  read(branch.control.reads, op.getCondition(), engine::Operand::Operation);
  branch.probability = probability(op);
  branch.then = body(op.thenBlock(), branch.probability);
  if (op.elseBlock())
    branch.otherwise = body(op.elseBlock(), engine::Rational(1) - branch.probability);
  for (auto [index, result] : llvm::enumerate(op.getResults())) {
    Unit unit = *program.unit(result);
    branch.onThen.push_back({unit, *program.unit(op.thenBlock()->getTerminator()->getOperand(index))});
    branch.onOtherwise.push_back({unit, *program.unit(op.elseBlock()->getTerminator()->getOperand(index))});
  }
  if (auto pin = pinOf(step); pin == engine::Side::Host || namedPin(step))
    branch.pin = pin;
  notePinnable(step);
  engine::Statement statement;
  statement.what = std::move(branch);
  statement.name = describedName(step.op());
  statement.tag = step.tag;
  return statement;
}

/// Runs of a loop's body in loops around it, at most: where trips are assumed, and where they follow from the
/// arguments, which is more than anybody waits for.
static constexpr double kMostAssumed = 1e9, kMostOften = 1e15;

engine::Statement ProblemBuilder::loop(const Step &step) {
  engine::Loop loop;
  Operation *op = step.op();
  auto whileLoop = dyn_cast<scf::WhileOp>(op);
  Estimate trips = sizes.trips(op);
  auto better = trips.exact ? std::nullopt : sizes.observedTrips(op);
  if (!trips.exact && !better && !whileLoop)
    better = counted(op);
  bool isKnown = trips.exact || better;
  loop.trips = better.value_or(engine::Rational(trips.value));
  // Nothing is so often that the engine cannot count it.
  engine::Rational most(std::max<int64_t>(1, static_cast<int64_t>((isKnown ? kMostOften : kMostAssumed) / often)));
  if (loop.trips > most) {
    loop.trips = most;
    isKnown = false;
  }
  frequenciesKnown &= isKnown || !comesBy;
  loop.repeats = !sizes.withoutGuesses().trips(op).exact;
  loop.body = body(whileLoop ? whileLoop.getBeforeBody() : cast<scf::ForOp>(op).getBody(), loop.trips);
  if (whileLoop) {
    read(loop.control.reads, whileLoop.getConditionOp().getCondition(), engine::Operand::Operation);
  } else {
    auto forLoop = cast<scf::ForOp>(op);
    for (Value bound : {forLoop.getLowerBound(), forLoop.getUpperBound(), forLoop.getStep()})
      read(loop.control.reads, bound, engine::Operand::Operation);
  }
  auto rename = [&](std::vector<engine::Rename> &names, Value to, Value from) {
    Unit destination = *program.unit(to), source = *program.unit(from);
    if (destination != source)
      names.push_back({destination, source});
  };
  for (const Carried &carried : carriedBy(op)) {
    rename(loop.onEntry, carried.parameter, carried.initial);
    rename(loop.onBack, carried.parameter, carried.yielded);
    rename(loop.onExit, carried.result, carried.yielded);
  }
  if (auto pin = pinOf(step); pin == engine::Side::Host || namedPin(step))
    loop.pin = pin;
  notePinnable(step);
  engine::Statement statement;
  statement.what = std::move(loop);
  statement.name = describedName(op);
  statement.tag = step.tag;
  return statement;
}

void ProblemBuilder::append(engine::Body &into, const Step &step) {
  switch (step.kind) {
  case Step::plain:
  case Step::view:
    return;
  case Step::dim: {
    engine::Operation operation;
    read(operation.reads, step.op()->getOperand(0), engine::Operand::Operation);
    operation.cost.launch = 0;
    engine::Statement statement;
    statement.what = std::move(operation);
    statement.name = describedName(step.op());
    statement.tag = step.tag;
    into.push_back(std::move(statement));
    return;
  }
  case Step::piece:
    if (!isLeftOut(step.tag))
      into.push_back(piece(step));
    return;
  case Step::loop:
    into.push_back(loop(step));
    return;
  case Step::branch:
    into.push_back(branch(step));
    return;
  }
}

engine::Body ProblemBuilder::body(Block *block, const engine::Rational &frequency) {
  bool comesByAround = std::exchange(comesBy, comesBy && frequency != engine::Rational(0));
  double oftenAround = std::exchange(often, often * std::max(1.0, frequency.toDouble()));
  engine::Body result;
  for (const Step &step : program.steps(block))
    append(result, step);
  comesBy = comesByAround;
  often = oftenAround;
  return result;
}

//===- The whole --------------------------------------------------------------------------------------------------===//

void ProblemBuilder::declareUnits(engine::Problem &problem) {
  func::FuncOp function = program.function;
  for (Unit unit = 0; unit < program.unitCount(); ++unit) {
    Value origin = program.origin(unit);
    engine::Array array;
    array.name = describedName(origin);
    array.bytes = sizes.bytes(origin);
    auto argument = dyn_cast<BlockArgument>(origin);
    array.argument = argument && argument.getOwner()->getParentOp() == function;
    array.byValue = !isArray(origin);
    problem.arrays.push_back(std::move(array));
  }
  for (Value result : function.getBody().front().getTerminator()->getOperands())
    if (auto unit = program.unit(result))
      problem.arrays[*unit].result = true;
}

engine::Problem ProblemBuilder::build() {
  pinUses.assign(options.pins.size(), PinUse::unknown);
  pinnable.clear();
  impossiblePins.clear();
  frequenciesKnown = true;
  engine::Problem problem;
  declareUnits(problem);
  func::FuncOp function = program.function;
  problem.body = body(&function.getBody().front(), engine::Rational(1));
  return problem;
}

void ProblemBuilder::notePinnable(const Step &step) {
  for (Operation *op : step.ops)
    if (std::string name = describedName(op); !llvm::is_contained(pinnable, name))
      pinnable.push_back(std::move(name));
  if (auto pin = markOf(step.op()); pin && !llvm::is_contained(pinnable, pin->name))
    pinnable.push_back(pin->name);
  for (auto [use, pin] : llvm::zip(pinUses, options.pins))
    if (use == PinUse::named && llvm::is_contained(pinnable, pin.name))
      use = PinUse::pinned;
}

std::vector<std::string> ProblemBuilder::unusedPins() const {
  constexpr size_t mostNames = 12;
  std::string all;
  for (auto [index, name] : llvm::enumerate(pinnable))
    if (index < mostNames)
      all += (index ? ", '" : "'") + name + "'";
  if (pinnable.size() > mostNames)
    all += " and " + std::to_string(pinnable.size() - mostNames) + " more";
  std::string hint = all.empty() ? "; there is nothing to pin here" : "; a pin can name " + all;
  std::vector<std::string> messages;
  for (auto [use, pin] : llvm::zip(pinUses, options.pins))
    if (use == PinUse::unknown)
      messages.push_back("no operation is called '" + pin.name + "', which a pin names" + hint);
    else if (use == PinUse::named)
      messages.push_back("'" + pin.name +
                         "', which a pin names, is a part of an array or no work, so it has no side of its own" + hint);
  for (const NamedPin &pin : options.pins)
    if (llvm::any_of(options.pins,
                     [&](const NamedPin &other) { return other.name == pin.name && other.side != pin.side; }))
      return {"'" + pin.name + "' is pinned to both sides"};
  return messages;
}

} // namespace ferry::array
