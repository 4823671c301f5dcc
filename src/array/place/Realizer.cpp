// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "array/place/Realizer.h"

#include "array/place/Prepare.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
namespace engine = ferry::placement;

namespace ferry::array {

Realizer::Realizer(const Program &program, ProblemBuilder &problem, const engine::Solution &solution,
                   const RealizeOptions &options)
    : program(program), problem(problem), solution(solution), options(options),
      observer(program, problem, options.observe), builder(program.function->getContext()) {
  // First down what then makes room, then up.
  for (engine::Direction direction : {engine::Direction::DeviceToHost, engine::Direction::HostToDevice})
    for (const engine::Copy &copy : solution.plan.copies)
      if (copy.direction == direction)
        copies[{copy.position.place, copy.position.tag, copy.position.arm}].push_back(&copy);
}

//===- Values -----------------------------------------------------------------------------------------------------===//

void Realizer::set(Value old, Side side, Value made) { scope.versions[old].on(side) = made; }

// From here on the unit's contents are this value's.
void Realizer::define(Value old) {
  if (auto unit = program.unit(old); unit && !program.isAlias(old))
    scope.current[*unit] = old;
}

static bool isAllocation(Value old) {
  auto placeable = dyn_cast_or_null<PlaceableOpInterface>(old.getDefiningOp());
  return placeable && isArray(old) && placeable.getPlacementFacts().allocation;
}

bool Realizer::has(Value old, Side side) {
  if (scope.versions[old].on(side) || isAllocation(old))
    return true;
  Value source = viewedBy(old);
  return source && has(source, side);
}

// Views and allocations are descriptors, made on a side when something there asks for them.
Value Realizer::makeView(Value old, Side side) {
  Operation *op = old.getDefiningOp();
  IRMapping mapping;
  PlacementFacts facts = cast<PlaceableOpInterface>(op).getPlacementFacts();
  for (auto [operand, use] : llvm::zip(op->getOperands(), facts.uses)) {
    if (isArray(operand))
      mapping.map(operand, get(operand, side));
    else
      mapping.map(operand, hostScalar(operand));
  }
  return cast<PlaceableOpInterface>(op).placeOn(builder, mapping, side)->getResult(0);
}

Value Realizer::get(Value old, Side side) {
  if (Value made = scope.versions[old].on(side))
    return made;
  if (!isArray(old) && !program.isTracked(old)) {
    Value scalar = plainValue(old);
    if (side == Side::host)
      return scalar;
  } else if (isAllocation(old) || (viewedBy(old) && has(viewedBy(old), side))) {
    Value made = makeView(old, side);
    set(old, side, made);
    return made;
  }
  ++unplanned;
  return has(old, other(side)) ? transfer(old, side) : absent(old, side);
}

// The plan knows no use of the value, so there is none unless Ferry is at fault; then the program must not go on.
Value Realizer::absent(Value old, Side side) {
  Location location = old.getLoc();
  Value never = arith::ConstantIntOp::create(builder, location, 0, 1);
  assertPlanned(builder, location, never);
  return undefined(old, side);
}

Value Realizer::undefined(Value old, Side side) {
  Location location = old.getLoc();
  if (isArray(old)) {
    SmallVector<Value> extents;
    bool isKnown = has(old, side) || has(old, other(side));
    for (int64_t dimension = 0; dimension < cast<RankedTensorType>(old.getType()).getRank(); ++dimension)
      extents.push_back(isKnown ? DimOp::create(builder, location, getAny(old), dimension).getResult()
                                : arith::ConstantIntOp::create(builder, location, 0, 64).getResult());
    return AllocOp::create(builder, location, typeOn(old, side), extents, /*unbacked=*/true);
  }
  Value zero = arith::ConstantOp::create(builder, location, builder.getZeroAttr(old.getType()));
  if (side == Side::host)
    return zero;
  return AllocOp::create(builder, location, typeOn(old, side), ValueRange(), /*unbacked=*/false);
}

Value Realizer::getAny(Value old) {
  return has(old, Side::host) || !has(old, Side::device) ? get(old, Side::host) : get(old, Side::device);
}

Value Realizer::hostScalar(Value old) { return program.isTracked(old) ? get(old, Side::host) : plainValue(old); }

// An operand of which only the extents matter.
Value Realizer::placeholder(Value old, Side side) {
  if (has(old, side))
    return get(old, side);
  Value any = getAny(old);
  auto type = cast<RankedTensorType>(old.getType());
  SmallVector<Value> dynamic;
  for (int64_t dimension = 0; dimension < type.getRank(); ++dimension)
    if (type.isDynamicDim(dimension)) {
      Value index = arith::ConstantIndexOp::create(builder, old.getLoc(), dimension);
      dynamic.push_back(tensor::DimOp::create(builder, old.getLoc(), any, index));
    }
  return tensor::EmptyOp::create(builder, old.getLoc(), onSide(type, side), dynamic);
}

Type Realizer::typeOn(Value old, Side side) const {
  if (isArray(old))
    return onSide(old.getType(), side);
  if (side == Side::host)
    return old.getType();
  return onSide(RankedTensorType::get({}, old.getType()), side);
}

// A scalar comes to the host as an array of rank 0, and goes to the device as an argument of kernels to come.
Value Realizer::transfer(Value old, Side to) {
  Location location = old.getLoc();
  Value from = get(old, other(to));
  Value made;
  if (isArray(old)) {
    made = TransferOp::create(builder, location, typeOn(old, to), from);
  } else if (to == Side::device) {
    made = PassOp::create(builder, location, typeOn(old, to), from);
  } else {
    auto rank0 = onSide(RankedTensorType::get({}, old.getType()), Side::host);
    Value boxed = TransferOp::create(builder, location, rank0, from);
    made = ToScalarOp::create(builder, location, old.getType(), boxed);
  }
  set(old, to, made);
  return made;
}

//===- Copies -----------------------------------------------------------------------------------------------------===//

const Realizer::Copies &Realizer::copiesAt(engine::Place place, Tag tag, uint8_t arm) const {
  static const Copies none;
  auto found = copies.find({place, tag, arm});
  return found == copies.end() ? none : found->second;
}

void Realizer::emitCopy(Value old, const engine::Copy &copy) {
  Side to = copy.direction == engine::Direction::HostToDevice ? Side::device : Side::host;
  if (scope.versions[old].on(to))
    return;
  Operation *made = transfer(old, to).getDefiningOp();
  if (isa<ToScalarOp>(made))
    made = made->getOperand(0).getDefiningOp(); // what crosses is the array of rank 0
  if (options.namesCopies) {
    auto name = builder.getStringAttr(describedName(program.origin(copy.array)));
    made->getResult(0).setLoc(NameLoc::get(name, old.getLoc()));
  }
}

void Realizer::emitCopies(engine::Place place, Tag tag, uint8_t arm) {
  for (const engine::Copy *copy : copiesAt(place, tag, arm))
    if (Value old = scope.current.lookup(copy->source))
      emitCopy(old, *copy);
}

//===- Steps ------------------------------------------------------------------------------------------------------===//

void Realizer::tick(OpBuilder &at, const Step &step, engine::Time picoseconds) {
  if (!options.ticks || picoseconds == 0)
    return;
  Location location = NameLoc::get(at.getStringAttr(displayName(step.op())), step.op()->getLoc());
  Value amount = arith::ConstantIntOp::create(at, location, picoseconds, 64);
  TickOp::create(at, location, amount);
}

void Realizer::plainOp(Operation *op) {
  IRMapping mapping;
  auto map = [&](Value operand) { mapping.map(operand, isArray(operand) ? getAny(operand) : plainValue(operand)); };
  llvm::for_each(op->getOperands(), map);
  llvm::for_each(capturedValues(op), map);
  Operation *clone = builder.clone(*op, mapping);
  plain.map(op->getResults(), clone->getResults());
}

void Realizer::block(Block *block) {
  for (const Step &each : program.steps(block))
    step(each);
}

void Realizer::step(const Step &step) {
  if (step.tag)
    emitCopies(engine::Place::Before, step.tag);
  compareResidency(step);
  switch (step.kind) {
  case Step::plain:
  case Step::dim:
    return plainOp(step.op());
  case Step::view:
    return;
  case Step::piece:
    piece(step);
    return observeExtents(step);
  case Step::loop:
    loop(step);
    return observeExtents(step);
  case Step::branch:
    branch(step);
    return observeExtents(step);
  }
}

void Realizer::piece(const Step &step) {
  bool isPlain = llvm::none_of(step.op()->getResults(), [&](Value v) { return program.unit(v) || isArray(v); }) &&
                 step.ops.size() == 1 && step.op()->getNumRegions() != 0 && !touchesArrays(step.op()) &&
                 llvm::none_of(capturedValues(step.op()), [&](Value v) { return program.isTracked(v); }) &&
                 llvm::none_of(step.op()->getOperands(), [&](Value v) { return program.isTracked(v); });
  if (isPlain) {
    tick(builder, step, problem.work(step).cost.host);
    return plainOp(step.op());
  }
  Value result = step.op()->getNumResults() ? step.op()->getResult(0) : Value();
  if (result && (isAllocation(result) || viewedBy(result)))
    return define(result); // made where it is needed
  if (problem.isLeftOut(step.tag))
    return;
  engine::Sides sides = isForcedPoke(step) ? engine::Sides::Host : solution.side(step.tag);
  if (sides != engine::Sides::Device)
    hostPiece(step);
  if (sides != engine::Sides::Host)
    devicePiece(step);
  for (Operation *op : step.ops)
    llvm::for_each(op->getResults(), [&](Value value) { define(value); });
}

void Realizer::mapHostOperands(Operation *op, const Step &step, IRMapping &mapping) {
  auto placeable = dyn_cast<PlaceableOpInterface>(op);
  PlacementFacts facts = placeable && touchesArrays(op) ? placeable.getPlacementFacts() : plainFacts(op);
  auto map = [&](Value operand, Use use) {
    if (mapping.contains(operand))
      return;
    if (isArray(operand))
      mapping.map(operand, use == Use::nothing ? placeholder(operand, Side::host) : get(operand, Side::host));
    else
      mapping.map(operand, hostScalar(operand));
  };
  for (auto [operand, use] : llvm::zip(op->getOperands(), facts.uses))
    map(operand, use);
  for (Value captured : capturedValues(op))
    map(captured, Use::content);
}

// Host code. An element of an array that is on the device only comes across the bus by itself, or goes there.
void Realizer::hostPiece(const Step &step) {
  tick(builder, step, problem.work(step).cost.host);
  IRMapping mapping;
  for (Operation *op : step.ops) {
    if (isa<UnrealizedConversionCastOp>(op)) {
      Value scalar = op->getOperand(0);
      Value made = mapping.contains(scalar) ? mapping.lookup(scalar) : hostScalar(scalar);
      mapping.map(op->getResult(0), made);
      set(op->getResult(0), Side::host, made);
      continue;
    }
    auto element = dyn_cast<ElementOp>(op);
    if (element) {
      auto unit = program.unit(element.getArray());
      bool peeks = options.elementTraffic || (unit && solution.uses(step.tag, *unit, engine::Traffic::Peek));
      if (peeks) {
        SmallVector<Value> indices;
        for (Value index : element.getIndices())
          indices.push_back(mapping.contains(index) ? mapping.lookup(index) : hostScalar(index));
        auto peek = PeekOp::create(builder, op->getLoc(), element.getType(), get(element.getArray(), Side::device),
                                   indices, element.getUncheckedAttr());
        mapping.map(element.getResult(), peek.getResult());
        set(element.getResult(), Side::host, peek.getResult());
        continue;
      }
    }
    if (auto update = dyn_cast<UpdateOp>(op); update && !isArray(update.getValue())) {
      Unit unit = *program.unit(update.getResult());
      if (isForcedPoke(step) || solution.uses(step.tag, unit, engine::Traffic::Poke)) {
        auto indices = llvm::map_to_vector(update.getIndices(), [&](Value index) { return hostScalar(index); });
        auto poke = PokeOp::create(builder, op->getLoc(), typeOn(update.getResult(), Side::device),
                                   get(update.getArray(), Side::device), indices, hostScalar(update.getValue()),
                                   update.getUncheckedAttr());
        set(update.getResult(), Side::device, poke.getResult());
        if (!solution.validAfter(step.tag, unit).host)
          continue;
      }
    }
    mapHostOperands(op, step, mapping);
    Operation *clone = isa<PlaceableOpInterface>(op)
                           ? cast<PlaceableOpInterface>(op).placeOn(builder, mapping, Side::host)
                           : cloneOnSide(builder, op, mapping, Side::host);
    for (auto [old, made] : llvm::zip(op->getResults(), clone->getResults())) {
      mapping.map(old, made);
      set(old, Side::host, made);
    }
  }
}

void Realizer::observeExtents(const Step &step) {
  observer.extents(
      builder, step, [&](Value array) { return anyVersion(array); }, [&](Value size) { return hostScalar(size); });
}

void Realizer::compareResidency(const Step &step) {
  if (!options.memory || step.tag == 0 || problem.isLeftOut(step.tag))
    return;
  if (auto bytes = options.memory->bytesBefore(step.tag))
    ResidentOp::create(builder, step.op()->getLoc(), bytes->least, bytes->most);
}

void Realizer::devicePiece(const Step &step) { launch(step, /*wholeRegion=*/false); }

//===- The whole --------------------------------------------------------------------------------------------------===//

void Realizer::run() {
  func::FuncOp function = program.function;
  Block *old = &function.getBody().front();
  Block *made = new Block();
  builder.setInsertionPointToEnd(made);
  SmallVector<Type> inputs;
  for (Value argument : old->getArguments()) {
    inputs.push_back(isArray(argument) ? Type(typeOn(argument, Side::host)) : argument.getType());
    Value now = made->addArgument(inputs.back(), argument.getLoc());
    if (isArray(argument)) {
      set(argument, Side::host, now);
      define(argument);
    } else {
      plain.map(argument, now);
    }
  }
  block(old);
  emitCopies(engine::Place::EndOfBody, 0);
  Operation *end = old->getTerminator();
  SmallVector<Value> results;
  for (Value result : end->getOperands())
    results.push_back(isArray(result) ? get(result, Side::host) : hostScalar(result));
  func::ReturnOp::create(builder, end->getLoc(), results);

  old->dropAllDefinedValueUses();
  function.getBody().getBlocks().clear();
  function.getBody().push_back(made);
  function.setFunctionType(FunctionType::get(function.getContext(), inputs, ValueRange(results).getTypes()));
  removePinMarks(function);
  removeSiteNames(function);
  dropDead(function);
}

} // namespace ferry::array
