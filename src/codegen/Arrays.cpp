// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements, views, updates in place, and operations that make arrays without a body.

#include "array/Soac.h"
#include "codegen/Emitter.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ferry::array;

namespace ferry::codegen {

bool Emitter::emitArray(Operation &op) {
  return llvm::TypeSwitch<Operation *, bool>(&op)
      .Case<DimOp>([&](DimOp dim) {
        frame->scalars[dim.getResult()] = buffer(dim.getArray()).sizes[dim.getDimension()];
        return true;
      })
      .Case<ElementOp>([&](ElementOp element) {
        Buffer array = buffer(element.getArray());
        if (!element.getUnchecked())
          checkIndices(array, element.getIndices(), element);
        frame->scalars[element.getResult()] = load(array, offsetOf(array, scalars(element.getIndices())));
        return true;
      })
      .Case<RowOp>([&](RowOp row) {
        Buffer array = buffer(row.getArray());
        if (!row.getUnchecked())
          checkIndices(array, row.getIndices(), row);
        frame->buffers[row.getResult()] = rowOf(array, scalars(row.getIndices()));
        return true;
      })
      .Case<ToScalarOp>([&](ToScalarOp read) {
        frame->scalars[read.getResult()] = load(buffer(read.getArray()), constant(0));
        return true;
      })
      .Case<FromScalarOp>([&](FromScalarOp make) {
        store(makeResult(make.getResult(), {}), constant(0), scalar(make.getValue()));
        return true;
      })
      .Case<AllocOp>([&](AllocOp alloc) {
        Values sizes = scalars(alloc.getSizes());
        makeResult(alloc.getResult(), alloc.getUnbacked() ? Values(sizes.size(), constant(0)) : sizes);
        frame->buffers[alloc.getResult()].sizes = sizes;
        return true;
      })
      .Case<CopyOp>([&](CopyOp copy) {
        Buffer from = buffer(copy.getArray());
        copyElements(makeResult(copy.getResult(), from.sizes), from);
        return true;
      })
      .Case<UpdateOp>([&](UpdateOp update) { return emitUpdate(update), true; })
      .Case<InsertSliceOp>([&](InsertSliceOp insert) { return emitInsertSlice(insert), true; })
      .Case<SliceOp>([&](SliceOp slice) { return emitSlice(slice), true; })
      .Case<PermuteOp>([&](PermuteOp permute) { return emitPermute(permute), true; })
      .Case<ReshapeOp>([&](ReshapeOp reshape) { return emitReshape(reshape), true; })
      .Case<IotaOp>([&](IotaOp iota) { return emitIota(iota), true; })
      .Case<ReplicateOp>([&](ReplicateOp replicate) { return emitReplicate(replicate), true; })
      .Case<LiteralOp>([&](LiteralOp literal) { return emitLiteral(literal), true; })
      .Case<ConcatOp>([&](ConcatOp concat) { return emitConcat(concat), true; })
      .Case<AssertOp>([&](AssertOp assertion) { return emitAssert(assertion), true; })
      .Default(false);
}

//===- Checks -----------------------------------------------------------------------------------------------------===//

static Value isBelow(ImplicitLocOpBuilder &b, Value index, Value size) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, index, size);
}

// Whether an index runs over [0, size) by the loop or grid that makes it.
bool Emitter::isInRange(Value source, Value size) {
  auto argument = dyn_cast<BlockArgument>(source);
  if (!argument)
    return false;
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    if (source != loop.getInductionVar() || scalar(loop.getUpperBound()) != size)
      return false;
    auto from = loop.getLowerBound().getDefiningOp<arith::ConstantIntOp>();
    auto step = loop.getStep().getDefiningOp<arith::ConstantIntOp>();
    return from && from.value() >= 0 && step && step.value() > 0;
  }
  if (!isSoac(parent) || argument.getOwner() != &parent->getRegion(0).front())
    return false;
  OperandRange sizes = sizesOf(parent);
  return argument.getArgNumber() < sizes.size() && scalar(sizes[argument.getArgNumber()]) == size;
}

void Emitter::checkIndices(const Buffer &array, ValueRange sources, Operation *op) {
  Value holds;
  for (auto [dimension, source] : llvm::enumerate(sources)) {
    Value size = array.sizes[dimension];
    if (isInRange(source, size))
      continue;
    Value inside = isBelow(b, scalar(source), size);
    holds = holds ? arith::AndIOp::create(b, holds, inside).getResult() : inside;
  }
  if (!holds)
    return;
  Values indices = scalars(sources), sizes(ArrayRef<Value>(array.sizes).take_front(sources.size()));
  Value isBroken = arith::XOrIOp::create(b, holds, constant(b.getBoolAttr(true)));
  when(isBroken, [&] {
    if (sources.size() == 1)
      return fail(FERRY_FAIL_INDEX, op->getLoc(), "", {indices[0], sizes[0]});
    if (sources.size() == 2)
      return fail(FERRY_FAIL_INDEX_2D, op->getLoc(), "", {indices[0], indices[1], sizes[0], sizes[1]});
    for (auto [dimension, index] : llvm::enumerate(indices)) {
      std::string message =
          "Index [{0}] out of bounds for dimension " + std::to_string(dimension) + " of an array, of length {1}.";
      check(isBelow(b, index, sizes[dimension]), FERRY_FAIL_TEXT, op->getLoc(), message, {index, sizes[dimension]});
    }
  });
}

// The first and the last element of each dimension are within the array, unless there is none.
void Emitter::checkBox(const Buffer &array, ValueRange starts, ValueRange lengths, ValueRange strides, Operation *op) {
  for (auto [start, length, stride, size] : llvm::zip(starts, lengths, strides, array.sizes)) {
    Value isEmpty = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, length, constant(0));
    // Of unchecked numbers: the arithmetic may wrap.
    Value steps = arith::SubIOp::create(b, length, constant(1));
    Value last = arith::AddIOp::create(b, start, arith::MulIOp::create(b, steps, stride));
    Value inside = arith::AndIOp::create(b, isBelow(b, start, size), isBelow(b, last, size));
    Value isPositive = less(constant(0), length);
    Value holds = arith::OrIOp::create(b, isEmpty, arith::AndIOp::create(b, isPositive, inside));
    auto step = stride.getDefiningOp<arith::ConstantIntOp>();
    Value end = arith::AddIOp::create(b, start, arith::MulIOp::create(b, length, stride));
    if (step && step.value() == 1)
      check(holds, FERRY_FAIL_SLICE, op->getLoc(), "", {start, end, size});
    else
      check(holds, FERRY_FAIL_SLICE_BY, op->getLoc(), "", {start, end, stride, size});
  }
}

void Emitter::emitAssert(AssertOp op) {
  check(scalar(op.getCondition()), FERRY_FAIL_TEXT, op.getLoc(), op.getMessage(), scalars(op.getValues()));
}

//===- Views ------------------------------------------------------------------------------------------------------===//

Buffer Emitter::boxOf(const Buffer &array, ValueRange starts, ValueRange lengths, ValueRange strides) {
  Buffer box{array.element, array.block, address(array, offsetOf(array, starts)), Values(lengths), {}};
  for (auto [dimension, stride] : llvm::enumerate(strides))
    box.strides.push_back(mul(strideOf(array, dimension), stride));
  return box;
}

void Emitter::emitSlice(SliceOp op) {
  Buffer array = buffer(op.getArray());
  Values starts = scalars(op.getStarts()), lengths = scalars(op.getLengths()), strides = scalars(op.getStrides());
  if (!op.getUnchecked())
    checkBox(array, starts, lengths, strides, op);
  Buffer box = boxOf(array, starts, lengths, strides);
  if (ownership->isContiguous(op.getResult()))
    box.strides.clear();
  frame->buffers[op.getResult()] = box;
}

void Emitter::emitPermute(PermuteOp op) {
  Buffer array = buffer(op.getArray());
  Buffer view{array.element, array.block, array.data, {}, {}};
  for (int64_t dimension : op.getPermutation()) {
    view.sizes.push_back(array.sizes[dimension]);
    view.strides.push_back(strideOf(array, dimension));
  }
  if (ownership->isContiguous(op.getResult()))
    view.strides.clear();
  frame->buffers[op.getResult()] = view;
}

void Emitter::emitReshape(ReshapeOp op) {
  Buffer array = buffer(op.getArray());
  Values sizes = scalars(op.getSizes());
  if (!ownership->isFresh(op.getResult())) {
    frame->buffers[op.getResult()] = {array.element, array.block, array.data, sizes, {}};
    return;
  }
  Buffer made = makeResult(op.getResult(), sizes);
  copyElements({made.element, made.block, made.data, array.sizes, {}}, array);
}

//===- Updates ----------------------------------------------------------------------------------------------------===//

void Emitter::emitUpdate(UpdateOp op) {
  Buffer array = buffer(op.getArray());
  if (!op.getUnchecked())
    checkIndices(array, op.getIndices(), op);
  Value offset = offsetOf(array, scalars(op.getIndices()));
  if (isa<RankedTensorType>(op.getValue().getType()))
    copyElements(rowAt(array, offset, op.getIndices().size()), buffer(op.getValue()));
  else
    store(array, offset, scalar(op.getValue()));
  frame->buffers[op.getResult()] = array;
}

void Emitter::emitInsertSlice(InsertSliceOp op) {
  Buffer array = buffer(op.getArray());
  Values starts = scalars(op.getStarts()), lengths = scalars(op.getLengths()), strides = scalars(op.getStrides());
  if (!op.getUnchecked())
    checkBox(array, starts, lengths, strides, op);
  copyElements(boxOf(array, starts, lengths, strides), buffer(op.getValue()));
  frame->buffers[op.getResult()] = array;
}

//===- Fresh arrays -----------------------------------------------------------------------------------------------===//

static constexpr int64_t fillGrain = 1 << 15;

void Emitter::emitIota(IotaOp op) {
  Value start = scalar(op.getStart()), step = scalar(op.getStep());
  Buffer made = makeResult(op.getResult(), maximum(scalar(op.getSize()), constant(0)));
  inGrid(made.sizes, fillGrain, {made}, [&](ArrayRef<Buffer> arrays, ValueRange indices) {
    Value index = indices[0];
    int64_t width = made.element.getIntOrFloatBitWidth();
    if (width < 64)
      index = arith::TruncIOp::create(b, made.element, index);
    Value scaled = arith::MulIOp::create(b, index, here(step));
    store(arrays[0], indices[0], arith::AddIOp::create(b, here(start), scaled));
  });
}

void Emitter::emitReplicate(ReplicateOp op) {
  Values sizes = scalars(op.getSizes());
  for (Value &size : sizes)
    size = maximum(size, constant(0));
  if (!isa<RankedTensorType>(op.getValue().getType())) {
    Value value = scalar(op.getValue());
    fill(makeResult(op.getResult(), sizes), value);
    return;
  }
  Buffer row = buffer(op.getValue());
  Values extents = sizes;
  extents.append(row.sizes);
  Buffer made = makeResult(op.getResult(), extents);
  inGrid(extents, fillGrain, {made, row}, [&](ArrayRef<Buffer> arrays, ValueRange indices) {
    Value element = load(arrays[1], offsetOf(arrays[1], indices.drop_front(sizes.size())));
    store(arrays[0], offsetOf(arrays[0], indices), element);
  });
}

// The elements of a long literal as they are in memory, or nothing if they are not all constants.
std::optional<std::string> Emitter::constantBytes(LiteralOp op) {
  constexpr size_t worthwhile = 16;
  if (op.getElements().size() < worthwhile || isa<RankedTensorType>(op.getElements().front().getType()))
    return std::nullopt;
  int64_t size = byteSize(op.getElements().front().getType());
  std::string bytes;
  for (Value element : op.getElements()) {
    Attribute attribute;
    if (!matchPattern(element, m_Constant(&attribute)))
      return std::nullopt;
    auto real = dyn_cast<FloatAttr>(attribute);
    APInt bits = real ? real.getValue().bitcastToAPInt() : cast<IntegerAttr>(attribute).getValue();
    for (int64_t byte = 0; byte < size; ++byte)
      bytes += static_cast<char>(bits.zextOrTrunc(64).extractBitsAsZExtValue(8, static_cast<unsigned>(8 * byte)));
  }
  return bytes;
}

void Emitter::emitLiteral(LiteralOp op) {
  Values sizes{constant(static_cast<int64_t>(op.getElements().size()))};
  bool hasRows = isa<RankedTensorType>(op.getElements().front().getType());
  if (hasRows)
    sizes.append(buffer(op.getElements().front()).sizes);
  Buffer made = makeResult(op.getResult(), sizes);
  if (auto constants = constantBytes(op))
    return copyElements(made, {made.element, LLVM::ZeroOp::create(b, pointer), bytes(*constants), sizes, {}});
  for (auto [index, element] : llvm::enumerate(op.getElements())) {
    Value position = constant(static_cast<int64_t>(index));
    if (hasRows)
      copyElements(rowOf(made, position), buffer(element));
    else
      store(made, position, scalar(element));
  }
}

void Emitter::emitConcat(ConcatOp op) {
  Values sizes = buffer(op.getArrays().front()).sizes;
  for (Value array : llvm::drop_begin(op.getArrays()))
    sizes[0] = add(sizes[0], buffer(array).sizes[0]);
  Buffer made = makeResult(op.getResult(), sizes);
  Value at = constant(0);
  for (Value source : op.getArrays()) {
    Buffer part = buffer(source);
    Buffer target = rowOf(made, at);
    target.sizes = part.sizes;
    copyElements(target, part);
    at = add(at, part.sizes[0]);
  }
}

} // namespace ferry::codegen
