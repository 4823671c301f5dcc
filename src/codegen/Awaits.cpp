// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the host waits for what comes from the device. A download goes on by itself from where the plan has it until
// the block that asks for it first uses the array. Where there is nothing to do until then it is waited for at once.

#include "array/Soac.h"
#include "codegen/Emitter.h"

using namespace mlir;
using namespace ferry::array;

namespace ferry::codegen {

// The operation of the block in which the value is first used, not counting those that ask for its extents only.
static Operation *firstUse(Value value, Block *block) {
  Operation *first = nullptr;
  for (Operation *user : value.getUsers()) {
    Operation *inBlock = block->findAncestorOpInBlock(*user);
    if (!isa<DimOp>(user) && (!first || inBlock->isBeforeInBlock(first)))
      first = inBlock;
  }
  return first;
}

static bool isDownload(TransferOp op) { return sideOf(op.getResult().getType()) == Side::host; }

// Scalars come as arrays of rank 0, which are read where they arrive: that is put off to where the scalar is used.
void delayScalars(func::FuncOp function) {
  SmallVector<ToScalarOp> reads;
  function.walk([&](ToScalarOp read) { reads.push_back(read); });
  for (ToScalarOp read : reads) {
    auto transfer = read.getArray().getDefiningOp<TransferOp>();
    Operation *use = firstUse(read.getResult(), read->getBlock());
    if (transfer && isDownload(transfer) && use)
      read->moveBefore(use);
  }
}

// Whether it takes longer than a few instructions, of the host or of a driver.
static bool takesTime(Operation &op) {
  if (auto transfer = dyn_cast<TransferOp>(op))
    return !isDownload(transfer);
  return op.getNumRegions() != 0 || isSoac(&op) || isa<IotaOp, ReplicateOp, ConcatOp, CopyOp, InsertSliceOp>(op);
}

// The operation before which the array is awaited; null if there is nothing to do until then.
Operation *Emitter::awaitedBefore(TransferOp op) {
  Operation *use = isDownload(op) ? firstUse(op.getResult(), op->getBlock()) : nullptr;
  auto between = [&] { return llvm::make_range(std::next(op->getIterator()), use->getIterator()); };
  return use && llvm::any_of(between(), takesTime) ? use : nullptr;
}

void Emitter::emitAwaits(Operation *before) {
  for (Value array : awaits.lookup(before))
    call("ferry_rt_await", {frame->context, buffer(array).data});
}

} // namespace ferry::codegen
