// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device work: one launch for a piece, or for a whole loop or branch.

#include "array/place/Realizer.h"

using namespace mlir;
namespace engine = ferry::placement;

namespace ferry::array {

static bool isInside(Value value, ArrayRef<Operation *> ops) {
  Operation *owner = value.getDefiningOp() ? value.getDefiningOp() : value.getParentBlock()->getParentOp();
  return llvm::any_of(ops, [&](Operation *op) { return op->isAncestor(owner); });
}

// What a kernel uses from outside: arrays on the device; scalars from the device if they are there, else as arguments.
void Realizer::capture(Operation *op, ArrayRef<Operation *> inside, IRMapping &mapping, OpBuilder &inner,
                       bool wholeRegion) {
  auto placeable = dyn_cast<PlaceableOpInterface>(op);
  PlacementFacts facts = placeable && touchesArrays(op) ? placeable.getPlacementFacts() : plainFacts(op);
  auto map = [&](Value value, Use use) {
    if (mapping.contains(value) || isInside(value, inside))
      return;
    bool isUnit = isArray(value) || program.isTracked(value);
    bool isUnread = isUnit && !has(value, Side::device) && (isArray(value) || !has(value, Side::host));
    if (isUnread && wholeRegion) { // passed on by the kernel: what it reads would be there
      mapping.map(value, undefined(value, isArray(value) ? Side::device : Side::host));
    } else if (isArray(value)) {
      mapping.map(value, use == Use::nothing ? placeholder(value, Side::device) : get(value, Side::device));
    } else if (program.isTracked(value) && use != Use::launcher && has(value, Side::device)) {
      Value boxed = get(value, Side::device);
      mapping.map(value, ToScalarOp::create(inner, value.getLoc(), value.getType(), boxed));
    } else {
      mapping.map(value, hostScalar(value));
    }
  };
  for (auto [operand, use] : llvm::zip(op->getOperands(), facts.uses))
    map(operand, use);
  for (Value value : capturedValues(op))
    map(value, Use::content);
}

// The results that are wanted on the device behind a kernel, if only to be copied.
llvm::DenseSet<Value> Realizer::leavingKernel(const Step &step) {
  llvm::DenseSet<Value> leaving;
  if (step.kind == Step::loop) {
    for (const Flow &flow : flows(step))
      if (flow.exit.device)
        leaving.insert(flow.carried.result);
    return leaving;
  }
  for (Operation *op : step.ops)
    for (Value result : op->getResults())
      if (auto unit = program.unit(result);
          unit && (solution.validAfter(step.tag, *unit).device || (isArray(result) && problem.isUsed(result, step))))
        leaving.insert(result);
  return leaving;
}

// What the loop carries although the plan does not keep it for a trip, or behind the loop, is no use of the array or
// number.
void Realizer::dropUnwanted(const Step &step, Operation *clone) {
  auto loop = cast<LoopLikeOpInterface>(clone);
  Block &body = clone->getRegion(0).front();
  for (auto [index, flow] : llvm::enumerate(flows(step))) {
    BlockArgument parameter = body.getArgument(cast<BlockArgument>(flow.carried.parameter).getArgNumber());
    bool isUnread = isArray(flow.carried.initial) ? !flow.head.device : parameter.use_empty();
    if (!isUnread)
      continue;
    if (isArray(flow.carried.initial))
      loop.getInitsMutable()[index].set(undefined(flow.carried.initial, Side::device));
    bool isCounted = isa<scf::ForOp>(clone); // else the condition comes first
    if (!flow.exit.device)
      body.getTerminator()->setOperand(index + !isCounted, parameter);
  }
}

// The operations of a step inside a kernel.
SmallVector<Operation *> Realizer::cloneInto(OpBuilder &inner, const Step &step, IRMapping &mapping, bool wholeRegion) {
  SmallVector<Operation *> clones;
  for (Operation *op : step.ops) {
    capture(op, step.ops, mapping, inner, wholeRegion);
    if (isa<UnrealizedConversionCastOp>(op)) {
      mapping.map(op->getResult(0), mapping.lookup(op->getOperand(0)));
      continue;
    }
    auto placeable = dyn_cast<PlaceableOpInterface>(op);
    clones.push_back(placeable && touchesArrays(op) ? placeable.placeOn(inner, mapping, Side::device)
                                                    : cloneOnSide(inner, op, mapping, Side::device));
    mapping.map(op->getResults(), clones.back()->getResults());
  }
  return clones;
}

// What gave plain scalars a unit says nothing inside.
static void dropCasts(Operation *clone) {
  SmallVector<UnrealizedConversionCastOp> casts;
  clone->walk([&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
  for (UnrealizedConversionCastOp cast : casts) {
    cast.getResult(0).replaceAllUsesWith(cast.getOperand(0));
    cast.erase();
  }
}

void Realizer::launch(const Step &step, bool wholeRegion) {
  Location location = step.op()->getLoc();
  Block *body = new Block();
  OpBuilder inner(builder.getContext());
  inner.setInsertionPointToEnd(body);
  IRMapping mapping;
  SmallVector<Operation *> clones = cloneInto(inner, step, mapping, wholeRegion);
  if (step.kind == Step::loop)
    dropUnwanted(step, clones.front());
  SmallVector<Value> results, made;
  llvm::DenseSet<Value> leaving = leavingKernel(step);
  for (Operation *op : step.ops)
    for (Value result : op->getResults()) {
      if (!leaving.contains(result))
        continue;
      Value inside = mapping.lookup(result);
      if (!isArray(result))
        inside = FromScalarOp::create(inner, result.getLoc(), typeOn(result, Side::device), inside);
      results.push_back(result);
      made.push_back(inside);
    }
  YieldOp::create(inner, location, made);

  auto name = builder.getStringAttr(displayName(step.op()));
  auto placeable = dyn_cast<PlaceableOpInterface>(step.op());
  bool sequential = wholeRegion || !placeable || !touchesArrays(step.op()) || placeable.getPlacementFacts().scalar;
  auto launch = LaunchOp::create(builder, location, ValueRange(made).getTypes(), name,
                                 sequential ? builder.getUnitAttr() : UnitAttr());
  launch.getBody().push_back(body);
  if (wholeRegion) {
    eraseLeftOut(step, mapping);
    priceInside(step, mapping);
    observer.kernel(step, mapping);
  } else {
    PlacementWork work = problem.work(step).work;
    launch->setAttr("array.work", builder.getDenseI64ArrayAttr(
                                      {work.bytesRead, work.bytesWritten, work.operations, work.sequential}));
  }
  llvm::for_each(clones, dropCasts);
  for (auto [old, result] : llvm::zip(results, launch.getResults())) {
    set(old, Side::device, result);
    define(old);
  }
}

// Steps that are no part of the plan, since nothing wants what they make, are none of the kernel's either.
void Realizer::eraseLeftOut(const Step &step, IRMapping &mapping) {
  for (Region &region : step.op()->getRegions())
    if (!region.empty() && (step.kind == Step::loop || step.kind == Step::branch))
      for (const Step &inner : llvm::reverse(program.steps(&region.front())))
        eraseLeftOut(inner, mapping);
  if (step.kind != Step::piece || !problem.isLeftOut(step.tag))
    return;
  for (Operation *op : llvm::reverse(step.ops)) {
    Operation *clone = mapping.lookupOrNull(op);
    if (!clone)
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(clone);
    for (auto [old, made] : llvm::zip(op->getResults(), clone->getResults()))
      if (!made.use_empty())
        made.replaceAllUsesWith(undefined(old, isArray(old) ? Side::device : Side::host));
    mapping.erase(op);
    clone->erase();
  }
}

// The steps inside a region kernel advance the clock themselves, each before its first operation.
void Realizer::priceInside(const Step &step, IRMapping &mapping) {
  if (step.kind == Step::piece) {
    if (Operation *clone = mapping.lookupOrNull(step.op())) {
      OpBuilder before(clone);
      tick(before, step, problem.work(step).cost.inner);
    }
  } else if (step.kind == Step::loop || step.kind == Step::branch) {
    for (Region &region : step.op()->getRegions())
      if (!region.empty())
        for (const Step &inner : program.steps(&region.front()))
          priceInside(inner, mapping);
  }
}

} // namespace ferry::array
