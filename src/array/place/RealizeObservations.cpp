// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a placed program counts about itself: where the plan had to assume something, array.observe records what was so;
// array.resident has the plan's residency compared with the device's.

#include "array/place/Realizer.h"

using namespace mlir;
namespace engine = ferry::placement;

namespace ferry::array {

void Realizer::observe(OpBuilder &at, Operation *op, Aspect aspect, Value number, unsigned result, unsigned dimension) {
  std::string name = siteName(op, aspect, result, dimension);
  if (name.empty())
    return;
  auto [entry, isNew] = siteNumbers.try_emplace(name, siteNames.size());
  if (isNew)
    siteNames.push_back(std::move(name));
  ObserveOp::create(at, op->getLoc(), entry->second, number);
}

// Whether the plan did not know how often a branch takes its first arm or how many trips a loop has.
bool Realizer::isAssumed(Operation *structure) const {
  return options.observe && (isa<scf::IfOp>(structure) || !problem.sizeEvaluator().trips(structure).exact);
}

void Realizer::observeEntry(OpBuilder &at, Operation *structure) {
  if (isAssumed(structure))
    observe(at, structure, Aspect::entries);
}

void Realizer::observeInside(OpBuilder &at, Operation *structure) {
  if (isAssumed(structure))
    observe(at, structure, isa<scf::IfOp>(structure) ? Aspect::then : Aspect::trips);
}

// Calls with what an operation's results have for extents that the plan does not know.
static void forEachAssumedExtent(Operation *op, SizeEvaluator &sizes, function_ref<void(OpResult, unsigned)> call) {
  for (OpResult result : op->getResults()) {
    if (!isa<RankedTensorType>(result.getType()))
      continue;
    for (auto [dimension, extent] : llvm::enumerate(sizes.extents(result)))
      if (!extent.exact || sizes.observed(op, Aspect::extent, result.getResultNumber(), dimension))
        call(result, dimension);
  }
}

void Realizer::observeExtents(const Step &step) {
  if (!options.observe || problem.isLeftOut(step.tag))
    return;
  for (Operation *op : step.ops)
    forEachAssumedExtent(op, problem.sizeEvaluator(), [&](OpResult result, unsigned dimension) {
      Value extent;
      if (auto allocation = dyn_cast<AllocOp>(op))
        extent = hostScalar(allocation.getSizes()[dimension]);
      else if (Value array = anyVersion(result))
        extent = DimOp::create(builder, op->getLoc(), array, int64_t{dimension});
      if (extent)
        observe(builder, op, Aspect::extent, extent, result.getResultNumber(), dimension);
    });
}

// The extents of what a loop carries, where they change from trip to trip; `now` gives what the arrays are there.
void Realizer::observeParameters(OpBuilder &at, Operation *loop, function_ref<Value(Value)> now) {
  if (!options.observe)
    return;
  for (BlockArgument parameter : loop->getRegion(0).front().getArguments()) {
    if (!isa<RankedTensorType>(parameter.getType()))
      continue;
    SizeEvaluator &sizes = problem.sizeEvaluator();
    for (auto [dimension, extent] : llvm::enumerate(sizes.extents(parameter))) {
      unsigned number = parameter.getArgNumber();
      if (extent.exact && !sizes.observed(loop, Aspect::parameter, number, dimension))
        continue;
      if (Value array = now(parameter)) {
        Value length = DimOp::create(at, loop->getLoc(), array, static_cast<int64_t>(dimension));
        observe(at, loop, Aspect::parameter, length, number, dimension);
      }
    }
  }
}

// Inside a kernel that holds a loop or a branch: the same of what its steps became there.
void Realizer::observeKernel(const Step &step, IRMapping &mapping) {
  Operation *clone = mapping.lookupOrNull(step.op());
  if (!options.observe || !clone)
    return;
  if (step.kind == Step::loop || step.kind == Step::branch) {
    OpBuilder before(clone), start(&clone->getRegion(0).front(), clone->getRegion(0).front().begin());
    observeEntry(before, step.op());
    observeInside(start, step.op());
    if (step.kind == Step::loop)
      observeParameters(start, step.op(), [&](Value parameter) {
        return clone->getRegion(0).front().getArgument(cast<BlockArgument>(parameter).getArgNumber());
      });
    for (Region &region : step.op()->getRegions())
      if (!region.empty())
        for (const Step &inner : program.steps(&region.front()))
          observeKernel(inner, mapping);
  }
  for (Operation *op : step.ops)
    if (Operation *copy = mapping.lookupOrNull(op)) {
      OpBuilder behind(copy->getContext());
      behind.setInsertionPointAfter(copy);
      forEachAssumedExtent(op, problem.sizeEvaluator(), [&](OpResult result, unsigned dimension) {
        Value made = copy->getResult(result.getResultNumber());
        Value extent = DimOp::create(behind, op->getLoc(), made, int64_t{dimension});
        observe(behind, op, Aspect::extent, extent, result.getResultNumber(), dimension);
      });
    }
}

void Realizer::compareResidency(const Step &step) {
  if (!options.memory || step.tag == 0 || problem.isLeftOut(step.tag))
    return;
  if (auto bytes = options.memory->bytesBefore(step.tag))
    ResidentOp::create(builder, step.op()->getLoc(), bytes->least, bytes->most);
}

} // namespace ferry::array
