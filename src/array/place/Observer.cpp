// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "array/place/Observer.h"

using namespace mlir;

namespace ferry::array {

void Observer::record(OpBuilder &at, Operation *op, Aspect aspect, Value number, unsigned result, unsigned dimension) {
  std::string name = siteName(op, aspect, result, dimension);
  if (name.empty())
    return;
  auto [entry, isNew] = numbers.try_emplace(name, names.size());
  if (isNew)
    names.push_back(std::move(name));
  ObserveOp::create(at, op->getLoc(), entry->second, number);
}

// Whether the plan did not know how often a branch takes its first arm or how many trips a loop has.
bool Observer::isAssumed(Operation *structure) const {
  return isEnabled && (isa<scf::IfOp>(structure) || !problem.sizeEvaluator().trips(structure).exact);
}

void Observer::entry(OpBuilder &at, Operation *structure) {
  if (isAssumed(structure))
    record(at, structure, Aspect::entries);
}

void Observer::inside(OpBuilder &at, Operation *structure) {
  if (isAssumed(structure))
    record(at, structure, isa<scf::IfOp>(structure) ? Aspect::then : Aspect::trips);
}

// Calls with each extent of an operation's results, or of a loop's parameters, that the plan does not know, or knows
// from an earlier run only.
template <typename Values>
static void forEachAssumedExtent(Operation *op, Values values, Aspect aspect, SizeEvaluator &sizes,
                                 function_ref<void(Value, unsigned number, unsigned dimension)> call) {
  for (auto [number, value] : llvm::enumerate(values)) {
    if (!isa<RankedTensorType>(value.getType()))
      continue;
    for (auto [dimension, extent] : llvm::enumerate(sizes.extents(value)))
      if (!extent.exact || sizes.observed(op, aspect, number, dimension))
        call(value, number, dimension);
  }
}

void Observer::extents(OpBuilder &at, const Step &step, Now array, Now size) {
  if (!isEnabled || problem.isLeftOut(step.tag))
    return;
  for (Operation *op : step.ops)
    forEachAssumedExtent(op, op->getResults(), Aspect::extent, problem.sizeEvaluator(),
                         [&](Value result, unsigned number, unsigned dimension) {
                           Value extent;
                           if (auto allocation = dyn_cast<AllocOp>(op))
                             extent = size(allocation.getSizes()[dimension]);
                           else if (Value made = array(result))
                             extent = DimOp::create(at, op->getLoc(), made, int64_t{dimension});
                           if (extent)
                             record(at, op, Aspect::extent, extent, number, dimension);
                         });
}

void Observer::parameters(OpBuilder &at, Operation *loop, Now now) {
  if (!isEnabled)
    return;
  forEachAssumedExtent(loop, loop->getRegion(0).front().getArguments(), Aspect::parameter, problem.sizeEvaluator(),
                       [&](Value parameter, unsigned number, unsigned dimension) {
                         if (Value array = now(parameter)) {
                           Value length = DimOp::create(at, loop->getLoc(), array, int64_t{dimension});
                           record(at, loop, Aspect::parameter, length, number, dimension);
                         }
                       });
}

void Observer::kernel(const Step &step, IRMapping &mapping) {
  Operation *clone = mapping.lookupOrNull(step.op());
  if (!isEnabled || !clone)
    return;
  if (step.kind == Step::loop || step.kind == Step::branch) {
    Block &first = clone->getRegion(0).front();
    OpBuilder before(clone), start(&first, first.begin());
    entry(before, step.op());
    inside(start, step.op());
    if (step.kind == Step::loop)
      parameters(start, step.op(),
                 [&](Value parameter) { return first.getArgument(cast<BlockArgument>(parameter).getArgNumber()); });
    for (Region &region : step.op()->getRegions())
      if (!region.empty())
        for (const Step &inner : program.steps(&region.front()))
          kernel(inner, mapping);
  }
  for (Operation *op : step.ops)
    if (Operation *copy = mapping.lookupOrNull(op)) {
      OpBuilder behind(copy->getContext());
      behind.setInsertionPointAfter(copy);
      forEachAssumedExtent(op, op->getResults(), Aspect::extent, problem.sizeEvaluator(),
                           [&](Value, unsigned number, unsigned dimension) {
                             Value extent =
                                 DimOp::create(behind, op->getLoc(), copy->getResult(number), int64_t{dimension});
                             record(behind, op, Aspect::extent, extent, number, dimension);
                           });
    }
}

} // namespace ferry::array
