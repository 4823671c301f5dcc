// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The body of a launch as host code of a device with kernels of its own. What the host knows it does itself: extents,
// views, new memory. A SOAC is a kernel with an item for each point; what is between two of them, and a region that the
// plan wants in one kernel, is done by one item.

#include "array/Soac.h"
#include "codegen/Emitter.h"
#include "codegen/KernelForm.h"
#include "codegen/Locations.h"

using namespace mlir;
using namespace ferry::array;

namespace ferry::codegen {

//===- What the host does, and what the device --------------------------------------------------------------------===//

// Whether the host does the operation, without looking into device memory: sizes, views, and what follows from them.
bool Emitter::isOfHost(Operation &op) {
  if (isa<DimOp, SliceOp, PermuteOp, RowOp, AllocOp, AssertOp>(op))
    return true;
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return !ownership->isFresh(reshape.getResult());
  return op.getNumRegions() == 0 && isa_and_nonnull<arith::ArithDialect>(op.getDialect());
}

// Whether it is a kernel of its own, with an item for each of its points.
static bool isParallel(Operation &op) {
  auto hasRows = [](ValueRange neutral) { return llvm::any_of(neutral.getTypes(), llvm::IsaPred<RankedTensorType>); };
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return !hasRows(reduce.getNeutral());
  if (auto scan = dyn_cast<ScanOp>(op))
    return !hasRows(scan.getNeutral());
  return isa<MapOp, ScatterOp, HistOp, FilterOp, IotaOp, ReplicateOp, CopyOp, ConcatOp, InsertSliceOp, ReshapeOp>(op) ||
         (isa<UpdateOp>(op) && isa<RankedTensorType>(cast<UpdateOp>(op).getValue().getType()));
}

void Emitter::emitLaunchBody(LaunchOp launch) {
  Block &body = launch.getBody().front();
  onlyOnDevice.clear();
  for (Value argument : ownership->releasedAtStart(&body))
    release(buffer(argument));
  SmallVector<Operation *> alone; // to be one kernel of one item
  auto flush = [&] {
    if (!alone.empty())
      emitAlone(alone, launch);
    for (Operation *op : alone)
      releaseAfter(op);
    alone.clear();
  };
  for (Operation &op : body.without_terminator()) {
    if (isa<arith::ConstantOp>(op))
      continue;
    b.setLoc(op.getLoc());
    bool isKnown = llvm::none_of(op.getOperands(), [&](Value operand) { return onlyOnDevice.contains(operand); }) &&
                   !launch.getSequential();
    bool isHosts = isKnown && isOfHost(op);
    if (!isHosts)
      for (Value result : op.getResults())
        if (!isa<RankedTensorType>(result.getType()))
          onlyOnDevice.insert(result);
    if (!isHosts && !(isKnown && isParallel(op))) {
      alone.push_back(&op);
      continue;
    }
    flush();
    b.setLoc(op.getLoc());
    emit(op);
    b.setLoc(op.getLoc());
    releaseAfter(&op);
  }
  flush();
  releaseWorkspaces(0);
}

// What a loop or a branch gives is in the kernel's heap, since either did not know where it was to go.
void Emitter::keepOutside(Value result) {
  auto outside = frame->destinations.find(result);
  if (outside == frame->destinations.end())
    return;
  Buffer kept = outside->second;
  frame->destinations.erase(outside);
  copyElements(kept, buffer(result));
  release(buffer(result));
  frame->buffers[result] = kept;
}

// Leaves where in the kernel's heap an array is, and its extents.
void Emitter::describe(Value result, const Buffer &description) {
  Buffer made = buffer(result), kept = allocateInKernel(made.element, made.sizes);
  copyElements(kept, made);
  frame->buffers[result] = kept;
  Value offset = call(kOffset, i64, {frame->heap->first, kept.data});
  store(description, constant(0), offset);
  for (auto [d, size] : llvm::enumerate(made.sizes))
    store(description, constant(static_cast<int64_t>(d) + 1), size);
}

// The array that a kernel has described, as one of its own.
Buffer Emitter::fetchDescribed(Value result, const Buffer &description, const Buffer &heaps) {
  Values numbers = readBack(description, cast<RankedTensorType>(result.getType()).getRank() + 1);
  Buffer inHeap{cast<RankedTensorType>(result.getType()).getElementType(),
                heaps.block,
                address(heaps, numbers.front()),
                Values(llvm::drop_begin(numbers)),
                {}};
  Buffer made = allocate(FERRY_DEVICE, nameOf(result.getLoc()), inHeap.element, inHeap.sizes);
  bool wasParallel = std::exchange(frame->isParallel, true); // a kernel of its own
  copyElements(made, inHeap);
  frame->isParallel = wasParallel;
  return made;
}

// The arrays from outside of the operations whose references end in them. A kernel counts no references to them, so its
// host code drops these.
SetVector<Value> Emitter::endingIn(ArrayRef<Operation *> operations) {
  SetVector<Value> ending;
  auto add = [&](Value array) {
    Operation *around = array.getParentBlock()->getParentOp();
    if (llvm::none_of(operations, [&](Operation *op) { return op->isAncestor(around); }) &&
        !llvm::is_contained(operations, array.getDefiningOp()))
      ending.insert(array);
  };
  for (Operation *op : operations)
    op->walk([&](Operation *inner) {
      for (OpOperand &operand : inner->getOpOperands())
        if (ownership->isMoved(operand))
          add(ownership->root(operand.get()));
      if (inner != op)
        llvm::for_each(ownership->releasedAfter(inner), add);
      for (Region &region : inner->getRegions())
        for (Block &block : region)
          llvm::for_each(ownership->releasedAtStart(&block), add);
    });
  return ending;
}

//===- Observations -----------------------------------------------------------------------------------------------===//

// Four numbers for each observation in the operations, as of FerryObservation.
static constexpr int64_t observationNumbers = 4;

static SmallVector<ObserveOp> observationsIn(ArrayRef<Operation *> operations) {
  SmallVector<ObserveOp> all;
  for (Operation *op : operations)
    op->walk([&](ObserveOp observe) { all.push_back(observe); });
  return all;
}

void Emitter::clearObservations(const Buffer &numbers, int64_t count) {
  for (int64_t i = 0; i < count * observationNumbers; ++i)
    store(numbers, constant(i), constant(0));
}

// In a kernel: one item makes them all.
void Emitter::observeInKernel(ObserveOp observe, Value number) {
  auto found = llvm::find(observed, observe);
  if (found == observed.end())
    return;
  Value first = constant((found - observed.begin()) * observationNumbers);
  Buffer numbers = here(*observations);
  auto at = [&](int64_t which) { return add(first, constant(which)); };
  Value count = load(numbers, at(0)), sum = load(numbers, at(1)), least = load(numbers, at(2)),
        most = load(numbers, at(3));
  Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, count, constant(0));
  auto unlessFirst = [&](Value known) -> Value { return arith::SelectOp::create(b, isFirst, number, known); };
  store(numbers, at(0), add(count, constant(1)));
  store(numbers, at(1), add(sum, number));
  store(numbers, at(2), minimum(unlessFirst(least), number));
  store(numbers, at(3), maximum(unlessFirst(most), number));
}

void Emitter::reportObservations() {
  if (observed.empty())
    return;
  Value slots = readNumbers(*observations, static_cast<int64_t>(observed.size()) * observationNumbers);
  for (auto [index, observe] : llvm::enumerate(observed))
    call("ferry_rt_observed",
         {frame->context, constant(observe.getSite()), slotAddress(slots, index * observationNumbers)});
}

//===- Kernels of one item or one group ---------------------------------------------------------------------------===//

// One kernel, which does the operations one after another: of one group, if there are SOACs in them, else of one item.
// It writes arrays where they are to be, if their lengths are known; else it describes them.
void Emitter::emitAlone(ArrayRef<Operation *> operations, LaunchOp launch) {
  SmallVector<std::pair<Value, Buffer>> results, described;
  for (Operation *op : operations)
    for (Value result : op->getResults()) {
      auto type = dyn_cast<RankedTensorType>(result.getType());
      if (!type) {
        makeCell(result);
        continue;
      }
      if (!ownership->isFresh(result))
        continue;
      Values sizes;
      for (int64_t d = 0; d < type.getRank(); ++d)
        sizes.push_back(sizeOutside(result, d, launch).value_or(Value()));
      if (llvm::is_contained(sizes, Value()))
        described.emplace_back(result, workspace(i64, {constant(type.getRank() + 1)}));
      else
        results.emplace_back(result, allocate(FERRY_DEVICE, nameOf(result.getLoc()), type.getElementType(), sizes));
    }
  bool hasSoacs = llvm::any_of(operations, [](Operation *op) {
    return op->walk([](Operation *inner) { return isSoac(inner) ? WalkResult::interrupt() : WalkResult::advance(); })
        .wasInterrupted();
  });
  observed = observationsIn(operations);
  int64_t sites = observed.size();
  if (sites > 0)
    observations = workspace(i64, {constant(sites * observationNumbers)});
  onDevice(constant(1), hasSoacs ? Items::groups : Items::parts, [&](Value) {
    if (sites > 0)
      clearObservations(here(*observations), sites);
    for (auto &[result, memory] : results)
      frame->destinations[result] = here(memory);
    for (Operation *op : operations) {
      b.setLoc(op->getLoc());
      emit(*op);
      for (Value result : op->getResults()) {
        keepOutside(result);
        if (auto cell = frame->parent->cells.find(result); cell != frame->parent->cells.end())
          store(here(cell->second), constant(0), scalar(result));
      }
      for (auto &[result, description] : described)
        if (result.getDefiningOp() == op)
          describe(result, here(description));
    }
  });
  reportObservations();
  for (auto &[result, memory] : results)
    frame->buffers[result] = memory;
  Buffer heaps = heapsOfKernel.value_or(Buffer());
  for (auto &[result, description] : described)
    frame->buffers[result] = fetchDescribed(result, description, heaps);
  for (Operation *op : operations)
    for (Value result : op->getResults())
      if (isa<RankedTensorType>(result.getType()) && !ownership->isFresh(result) && ownership->same(result) != result)
        frame->buffers[result] = Buffer(buffer(ownership->same(result)));
  for (Value array : endingIn(operations))
    release(buffer(array));
}

} // namespace ferry::codegen
