// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels and what crosses the bus. A launch's body becomes a function that the run-time calls; it leaves its results
// in slots after those that pass it what it uses.

#include "array/Soac.h"
#include "codegen/Emitter.h"
#include "codegen/Locations.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ferry::array;

namespace ferry::codegen {

bool Emitter::emitDevice(Operation &op) {
  return llvm::TypeSwitch<Operation *, bool>(&op)
      .Case<LaunchOp>([&](LaunchOp launch) { return emitLaunch(launch), true; })
      .Case<TransferOp>([&](TransferOp transfer) { return emitTransfer(transfer), true; })
      .Case<PassOp>([&](PassOp pass) { return emitPass(pass), true; })
      .Case<PeekOp>([&](PeekOp peek) { return emitPeek(peek), true; })
      .Case<PokeOp>([&](PokeOp poke) { return emitPoke(poke), true; })
      .Case<TickOp>([&](TickOp tick) {
        if (frame->isKernel)
          return true; // the virtual clock is the host's
        call("ferry_rt_tick", {frame->context, operationRecord(tick), scalar(tick.getPicoseconds())});
        return true;
      })
      .Case<ObserveOp>([&](ObserveOp observe) {
        Value number = observe.getNumber() ? scalar(observe.getNumber()) : constant(1);
        if (frame->isKernel)
          observeInKernel(observe, number);
        else
          call("ferry_rt_observe", {frame->context, constant(observe.getSite()), number});
        return true;
      })
      .Case<ResidentOp>([&](ResidentOp resident) {
        call("ferry_rt_resident",
             {frame->context, operationRecord(resident), constant(resident.getLeast()), constant(resident.getMost())});
        return true;
      })
      .Default(false);
}

Value Emitter::nameText(Value array) {
  std::string name = nameOf(array.getLoc());
  return name.empty() ? nullPointer() : text(name);
}

//===- Launches ---------------------------------------------------------------------------------------------------===//

// How many elements an operation of a kernel makes or goes through; nothing if the host cannot tell.
std::optional<Value> Emitter::elementsOf(Operation *op, LaunchOp launch) {
  Value elements = constant(1);
  auto times = [&](std::optional<Value> size) {
    if (size)
      elements = mul(elements, *size);
    return size.has_value();
  };
  if (isSoac(op)) {
    for (Value size : sizesOf(op))
      if (!times(scalarOutside(size, launch)))
        return std::nullopt;
    // A reduction of no rows still makes one.
    for (Value result : isa<ReduceOp>(op) ? ValueRange(op->getResults()) : ValueRange()) {
      auto row = dyn_cast<RankedTensorType>(result.getType());
      Value points = std::exchange(elements, constant(1));
      for (int64_t d = 0; row && d < row.getRank(); ++d)
        if (!times(sizeOutside(result, d, launch)))
          return std::nullopt;
      elements = row ? maximum(points, elements) : points;
    }
  } else if (auto update = dyn_cast<UpdateOp>(op)) {
    auto row = dyn_cast<RankedTensorType>(update.getValue().getType());
    for (int64_t d = 0; row && d < row.getRank(); ++d)
      if (!times(sizeOutside(update.getValue(), d, launch)))
        return std::nullopt;
  } else if (auto insert = dyn_cast<InsertSliceOp>(op)) {
    for (Value length : insert.getLengths())
      if (!times(scalarOutside(length, launch)))
        return std::nullopt;
  } else if (op->getNumResults() == 1 && ownership->isFresh(op->getResult(0))) {
    int64_t rank = cast<RankedTensorType>(op->getResult(0).getType()).getRank();
    for (int64_t d = 0; d < rank; ++d)
      if (!times(sizeOutside(op->getResult(0), d, launch)))
        return std::nullopt;
  }
  return elements;
}

// The elements of a kernel's largest operation; one for a region kernel. A kernel that gives a scalar always has one.
Value Emitter::elementsOf(LaunchOp op) {
  Value most;
  for (Operation &inner : op.getBody().front().without_terminator()) {
    bool makes = inner.getNumResults() == 1 && ownership->isFresh(inner.getResult(0));
    bool works = isSoac(&inner) || isa<UpdateOp, InsertSliceOp>(inner) || makes;
    if (op.getSequential() || !works)
      continue;
    std::optional<Value> elements = elementsOf(&inner, op);
    if (!elements)
      return constant(1);
    most = most ? maximum(most, *elements) : *elements;
  }
  return most ? most : constant(1);
}

void Emitter::emitLaunch(LaunchOp op) {
  Value record = operationRecord(op);
  Value elements = elementsOf(op);
  size_t firstResult = 0;
  std::string name = (source.getName() + "_kernel_" + Twine(functions++)).str();
  Frame &kernel = inFunction(name, !op.getSequential(), pointer, [&](ValueRange arguments) {
    Block &body = op.getBody().front();
    frame->isLaunch = kernels != KernelLanguage::none;
    if (frame->isLaunch)
      emitLaunchBody(op);
    else
      emitOperations(body);
    Values results = handOverAll(body.getTerminator()->getOpOperands(), op.getResults());
    releaseAfter(body.getTerminator());
    firstResult = frame->slots.size();
    for (Value result : results) {
      LLVM::StoreOp::create(b, result, slotAddress(arguments[0], frame->slots.size()));
      frame->slots.emplace_back();
    }
  });
  Value slots = passSlots(kernel), function = LLVM::AddressOfOp::create(b, kernel.function);
  // A FerryLaunch. The plan's price for the kernel's work is in the attribute array.work: bytes read, bytes written,
  // operations, operations of one thread; a region kernel prices itself with array.tick.
  Value launch = stackSlots(8);
  Value flags = constant(b.getI64IntegerAttr(op.getSequential() ? FERRY_ONE_THREAD_ALLOWED : 0));
  Value threads = op.getSequential() ? constant(1) : elements;
  int64_t work[4] = {};
  if (auto attribute = op->getAttrOfType<DenseI64ArrayAttr>("array.work"); attribute && attribute.size() == 4)
    llvm::copy(attribute.asArrayRef(), work);
  Values members{
      record, elements, threads, flags, constant(work[0] + work[1]), constant(work[2]), constant(work[3]), constant(0)};
  for (auto [index, member] : llvm::enumerate(members))
    LLVM::StoreOp::create(b, member, slotAddress(launch, index));
  call("ferry_rt_launch", {frame->context, launch, function, slots});

  SmallVector<Type> types = typesOf(op.getResults());
  Values results;
  for (auto [index, type] : llvm::enumerate(types))
    results.push_back(LLVM::LoadOp::create(b, type, slotAddress(slots, firstResult + index)));
  receiveAll(op.getResults(), results);
}

//===- The bus ----------------------------------------------------------------------------------------------------===//

// Whole contiguous arrays cross; one with gaps is gathered on its own side first.
void Emitter::emitTransfer(TransferOp op) {
  Buffer from = buffer(op.getArray());
  Buffer to = makeResult(op.getResult(), from.sizes);
  bool isUpload = sideOf(op.getResult().getType()) == Side::device;
  if (!from.isContiguous()) {
    op.emitOpError("of an array with gaps is not supported; array.copy it first");
    hasFailed = true;
    return;
  }
  Operation *use = awaitedBefore(op);
  if (use)
    awaits[use].push_back(op.getResult());
  call(isUpload ? "ferry_rt_upload"
       : use    ? "ferry_rt_download_later"
                : "ferry_rt_download",
       {frame->context, to.data, from.data, bytesOf(from), nameText(op.getResult())});
}

void Emitter::emitPass(PassOp op) {
  Buffer to = makeResult(op.getResult(), {});
  Buffer here{to.element, {}, stackSlots(1), {}, {}};
  store(here, constant(0), scalar(op.getValue()));
  call("ferry_rt_pass", {frame->context, to.data, here.data, constant(byteSize(to.element))});
}

void Emitter::emitPeek(PeekOp op) {
  Buffer array = buffer(op.getArray());
  if (!op.getUnchecked())
    checkIndices(array, op.getIndices(), op);
  Value from = address(array, offsetOf(array, scalars(op.getIndices())));
  Buffer here{array.element, {}, stackSlots(1), {}, {}};
  call("ferry_rt_peek", {frame->context, here.data, from, constant(byteSize(array.element)), nameText(op.getArray())});
  frame->scalars[op.getResult()] = load(here, constant(0));
}

void Emitter::emitPoke(PokeOp op) {
  Buffer array = buffer(op.getArray());
  if (!op.getUnchecked())
    checkIndices(array, op.getIndices(), op);
  Value to = address(array, offsetOf(array, scalars(op.getIndices())));
  Buffer here{array.element, {}, stackSlots(1), {}, {}};
  store(here, constant(0), scalar(op.getValue()));
  call("ferry_rt_poke", {frame->context, to, here.data, constant(byteSize(array.element)), nameText(op.getArray())});
  frame->buffers[op.getResult()] = array;
}

} // namespace ferry::codegen
