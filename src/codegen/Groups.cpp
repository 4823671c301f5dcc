// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose items work in groups. All items of a group do the same, so that they agree on scalars, addresses and
// branches, and meet at the same barriers. They part where a SOAC has points for each of them, and where something must
// be done once: memory written, references counted. A group of one item, as a device without fast memory of its own
// has, goes through all points in order.

#include "array/Soac.h"
#include "codegen/Emitter.h"
#include "codegen/KernelForm.h"

using namespace mlir;
using namespace ferry::array;

namespace ferry::codegen {

// In a kernel just begun.
void Emitter::beginGroup(Value group) {
  frame->function->setAttr(kGroup, b.getI64IntegerAttr(0));
  frame->isGroup = frame->isParallel = true;
  setInSetup([&] {
    frame->localId = call(kLocalId, i64, {});
    frame->groupSize = call(kGroupSize, i64, {});
  });
  constexpr int64_t pointBits = 32; // a failure of a group that is before another one comes first, whatever its points
  frame->order = arith::ShLIOp::create(b, group, constant(pointBits));
}

// How many groups share the points; each leaves something behind that is gathered afterwards.
Value Emitter::groupCount(Value points) { return call("ferry_rt_groups", i64, {frame->context, points, constant(0)}); }

// In a launch: whether all groups of the device have one item.
Value Emitter::hasGroupsOfOne() {
  Value items = call("ferry_rt_group_items", i64, {frame->context});
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, items, constant(1));
}

Value Emitter::isGroupOfOne() {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, frame->groupSize, constant(1));
}

Value Emitter::isFirst() { return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, frame->localId, constant(0)); }

//===- Memory that the items of a group share ---------------------------------------------------------------------===//

// Whoever takes some gives it back by setting frame->localBytes to what it was.
Buffer Emitter::localMemory(Type element, int64_t count) {
  constexpr uint64_t alignment = 16;
  int64_t at = frame->localBytes;
  frame->localBytes =
      static_cast<int64_t>(llvm::alignTo(static_cast<uint64_t>(at + byteSize(element) * count), alignment));
  auto most = frame->function->getAttrOfType<IntegerAttr>(kGroup);
  frame->function->setAttr(kGroup, b.getI64IntegerAttr(std::max(most.getInt(), frame->localBytes)));
  Value data;
  setInSetup([&] { data = address({i8, {}, call(kLocalMemory, pointer, {}), {}, {}}, constant(at)); });
  return {element, nullPointer(), data, {constant(count)}, {}};
}

// An array of as many elements for each type.
SmallVector<Buffer> Emitter::localArrays(TypeRange types, int64_t count) {
  SmallVector<Buffer> arrays;
  for (Type type : types)
    arrays.push_back(localMemory(type, count));
  return arrays;
}

//===- Together and apart -----------------------------------------------------------------------------------------===//

static bool isCallOf(Operation &op, StringRef name) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call && call.getCallee() == name;
}

// Whether all items have met, and touched no memory since.
bool Emitter::haveMet() {
  for (auto op = b.getInsertionPoint(); op != b.getInsertionBlock()->begin();) {
    --op;
    if (isCallOf(*op, kBarrier) || isCallOf(*op, kBarrierOrEnd))
      return true;
    if (!isPure(&*op))
      return false;
  }
  return false;
}

// What each item of the group does by itself, once all have met; then all see what it wrote.
void Emitter::apart(llvm::function_ref<void()> body) {
  if (!haveMet())
    call(kBarrier, {});
  apartAtOnce(body);
}

// The same where all have just met.
void Emitter::apartAtOnce(llvm::function_ref<void()> body) {
  auto region = scf::ExecuteRegionOp::create(b, TypeRange());
  {
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&region.getRegion());
    Location location = b.getLoc();
    bool wasParallel = std::exchange(frame->isParallel, false);
    frame->isGroup = false;
    body();
    frame->isGroup = true;
    frame->isParallel = wasParallel;
    b.setLoc(location);
    scf::YieldOp::create(b, ValueRange());
  }
  auto isFailure = [](LLVM::CallOp call) {
    return call.getCallee() == kFail ? WalkResult::interrupt() : WalkResult::advance();
  };
  call(region.walk(isFailure).wasInterrupted() ? kBarrierOrEnd : kBarrier, {});
}

void Emitter::byFirst(llvm::function_ref<void()> body) {
  apart([&] { when(isFirst(), body); });
}

// The same where only the first item will look at what the body did. Outside of groups, just the body.
void Emitter::onceInGroup(llvm::function_ref<void()> body) {
  if (frame->isGroup)
    when(isFirst(), body);
  else
    body();
}

// The points [from, to) by turns: items side by side have points side by side.
Values Emitter::byTurns(Value from, Value to, ValueRange carried, LoopBody body) {
  Value around = frame->order;
  Values results = loopBy(frame->groupSize, add(from, frame->localId), to, carried, [&](Value point, ValueRange now) {
    frame->order = add(around, sub(point, from));
    return body(point, now);
  });
  frame->order = around;
  return results;
}

// Once for each of [0, count), by turns.
void Emitter::eachByTurns(Value count, llvm::function_ref<void(Value)> body) {
  apart([&] {
    byTurns(constant(0), count, {}, [&](Value element, ValueRange) {
      body(element);
      return Values();
    });
  });
}

// Cuts [0, points) for the items of a group: a point for each by turns, or one chunk for each.
void Emitter::inItems(Value points, Value chunks, llvm::function_ref<void(Value, Value, Value)> body) {
  if (chunks == points)
    return eachByTurns(points, [&](Value point) {
      bool wasPoint = std::exchange(frame->isPoint, true);
      body(point, point, add(point, constant(1)));
      frame->isPoint = wasPoint;
    });
  apart([&] {
    when(less(frame->localId, chunks), [&] {
      Value around = std::exchange(frame->order, add(frame->order, frame->localId));
      auto [from, to] = partOf(points, chunks, frame->localId);
      body(frame->localId, from, to);
      frame->order = around;
    });
  });
}

// A piece of the group's heap, at an address that all items know.
Value Emitter::allocateForGroup(Value bytes) {
  int64_t outside = frame->localBytes;
  Buffer place = localMemory(i64, 1);
  byFirst([&] { store(place, constant(0), call(kOffset, i64, {frame->heap->first, allocateFromHeap(bytes)})); });
  Value block = address({i8, {}, frame->heap->first, {}, {}}, load(place, constant(0)));
  frame->localBytes = outside;
  return block;
}

// Whether no point of a SOAC makes arrays or counts references to some: a group has one heap, for what all do.
bool Emitter::runsApart(Operation *soac) {
  llvm::DenseSet<Value> placed; // rows that are written where they are to be
  std::function<void(MapOp)> place = [&](MapOp map) {
    Operation *yield = map.getBody().front().getTerminator();
    for (Value value : yield->getOperands()) {
      Value made = ownership->same(value);
      if (!isa<RankedTensorType>(value.getType()) || !isWrittenInPlace(made, yield) || !placed.insert(made).second)
        continue;
      if (auto inner = made.getDefiningOp<MapOp>())
        place(inner);
    }
  };
  if (auto map = dyn_cast<MapOp>(soac))
    place(map);
  auto isCounted = [&](Value value) {
    return isa<RankedTensorType>(value.getType()) && ownership->isFresh(value) && !placed.contains(value);
  };
  auto counts = [&](Operation *op) {
    bool found = op != soac && llvm::any_of(op->getResults(), isCounted);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        found |= llvm::any_of(block.getArguments(), isCounted);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  };
  return !soac->walk(counts).wasInterrupted();
}

} // namespace ferry::codegen
