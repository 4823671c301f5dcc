// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a step costs on either side.

#include "array/place/BodyWork.h"
#include "array/place/ProblemBuilder.h"
#include "array/place/WholeNumbers.h"

using namespace mlir;
namespace engine = ferry::placement;

namespace ferry::array {

/// Of an operation that says what it does: what its result's copy adds.
static PlacementWork placeableWork(PlaceableOpInterface op, bool copies, SizeEvaluator &sizes) {
  PlacementWork work = op.getPlacementWork(sizes);
  if (!copies)
    return work;
  int64_t bytes = sizes.bytes(op->getResult(0));
  work.bytesRead = saturatingSum(work.bytesRead, bytes);
  work.bytesWritten = saturatingSum(work.bytesWritten, bytes);
  work.alone = saturatingSum(work.alone, sizes.elements(op->getResult(0)));
  return work;
}

/// Of any other: scalar code, the same by any thread.
static PlacementWork scalarWork(Operation *op, SizeEvaluator &sizes) {
  int64_t operations = 0;
  for (Region &region : op->getRegions())
    operations = saturatingSum(operations, bodyWork(region, sizes).operations);
  int64_t times = isa<LoopLikeOpInterface>(op) ? sizes.trips(op).value : 1;
  PlacementWork work;
  work.sequential = work.alone = std::max<int64_t>(1, saturatingProduct(times, operations));
  return work;
}

PlacementWork ProblemBuilder::work(Operation *op) {
  if (isa<UnrealizedConversionCastOp>(op))
    return {};
  if (auto placeable = dyn_cast<PlaceableOpInterface>(op); placeable && touchesArrays(op))
    return placeableWork(placeable, program.copies(op), sizes);
  return scalarWork(op, sizes);
}

/// Eleven days in picoseconds. What takes longer is not waited for, and counts as this, so that sums fit.
static constexpr engine::Time kLongest = 1'000'000'000'000'000'000;

engine::Time ProblemBuilder::time(engine::Side side, const engine::Work &work) const {
  try {
    return std::min(options.machine.time(side, work), kLongest);
  } catch (const engine::Overflow &) {
    return kLongest;
  }
}

StepWork ProblemBuilder::work(const Step &step) {
  StepWork result;
  PlacementWork &total = result.work;
  if (step.ops.size() == 1)
    total = work(step.op());
  else // scalar code: one thread, one operation after the other
    for (Operation *op : step.ops) {
      PlacementWork each = work(op);
      total.sequential = saturatingSum(total.sequential, each.sequential);
      total.alone = saturatingSum(total.alone, each.alone);
    }
  bool givesScalar = llvm::any_of(step.ops, [](Operation *op) { return isa<ReduceOp, FilterOp>(op); });
  if (total.elements == 0 && !givesScalar) {
    result.cost.launch = 0;
    return result;
  }
  engine::Work parallel;
  parallel.bytes = saturatingSum(total.bytesRead, total.bytesWritten);
  parallel.operations = total.operations;
  parallel.sequentialOps = total.sequential;
  engine::Work alone;
  alone.sequentialOps = total.alone;
  result.cost.host = time(engine::Side::Host, parallel);
  result.cost.device = time(engine::Side::Device, parallel);
  result.cost.inner = time(engine::Side::Device, alone);
  return result;
}

} // namespace ferry::array
