// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of the array dialect on whole arrays, their elements and parts. What an `unchecked` operation must not do
// (a read out of bounds) is a failure here like any other.

#include "array/interpreter/Machine.h"

#include "llvm/ADT/Twine.h"

using namespace mlir;

namespace ferry::array::detail {
namespace {

std::string listOf(ArrayRef<int64_t> numbers, StringRef between) {
  return llvm::join(llvm::map_range(numbers, [](int64_t number) { return std::to_string(number); }), between);
}

std::string shapeOf(const InterpretedArray &array) { return "[" + listOf(array.extents(), "][") + "]"; }

void checkIndices(Machine &machine, Operation *op, const InterpretedArray &array, ArrayRef<int64_t> indices) {
  if (!inBounds(array, indices))
    machine.fail(op, "Index [" + listOf(indices, ", ") + "] out of bounds for array of shape " + shapeOf(array) + ".");
}

Indices sizesOf(Machine &machine, Operation *op, ValueRange sizes) {
  Indices extents = machine.integers(sizes);
  for (int64_t &extent : extents)
    if (extent < 0)
      machine.fail(op, "an array of negative length " + Twine(extent));
  return extents;
}

// One dimension of a box: what array.slice and array.insert_slice select.
struct Box {
  Indices starts, lengths, strides;

  Indices at(ArrayRef<int64_t> point) const {
    Indices indices;
    for (size_t d = 0; d < point.size(); ++d)
      indices.push_back(starts[d] + point[d] * strides[d]);
    return indices;
  }
};

template <typename Op> Box boxOf(Machine &machine, Op op, const InterpretedArray &array) {
  Box box{machine.integers(op.getStarts()), machine.integers(op.getLengths()), machine.integers(op.getStrides())};
  for (int64_t d = 0; d < array.rank(); ++d) {
    int64_t length = box.lengths[d], last = box.starts[d] + (length - 1) * box.strides[d], extent = array.extents()[d];
    bool inside = length == 0 || (std::min(box.starts[d], last) >= 0 && std::max(box.starts[d], last) < extent);
    if (length < 0 || !inside)
      machine.fail(op, "Slice of length " + Twine(length) + " from " + Twine(box.starts[d]) + " by " +
                           Twine(box.strides[d]) + " out of bounds for array of shape " + shapeOf(array) + ".");
  }
  return box;
}

void runDim(Machine &machine, DimOp op) {
  machine.set(op, Cell::of(machine.array(op.getArray()).extents()[op.getDimension()]));
}

void runIota(Machine &machine, IotaOp op) {
  int64_t size = std::max<int64_t>(machine.integer(op.getSize()), 0);
  uint64_t value = machine.cell(op.getStart()).bits, step = machine.cell(op.getStep()).bits;
  InterpretedArray result({size}, machine.sideOfNew(op.getType()));
  for (Cell &cell : result.changeCells()) {
    cell = narrow({value}, op.getStart().getType());
    value += step;
  }
  machine.set(op, std::move(result));
}

void runReplicate(Machine &machine, ReplicateOp op) {
  Indices outer = sizesOf(machine, op, op.getSizes()), extents = outer;
  InterpretedValue value = machine.get(op.getValue());
  if (isa<RankedTensorType>(op.getValue().getType()))
    llvm::append_range(extents, machine.touch(op, op.getValue()).extents());
  InterpretedArray result(extents, machine.sideOfNew(op.getType()));
  forEachPoint(outer, [&](ArrayRef<int64_t> point) { storeAt(result, point, value); });
  machine.set(op, std::move(result));
}

void runLiteral(Machine &machine, LiteralOp op) {
  Indices extents = {static_cast<int64_t>(op.getElements().size())};
  if (isa<RankedTensorType>(op.getElements().front().getType()))
    llvm::append_range(extents, machine.array(op.getElements().front()).extents());
  InterpretedArray result(extents, machine.sideOfNew(op.getType()));
  for (auto [index, element] : llvm::enumerate(op.getElements())) {
    if (extents.size() > 1)
      machine.touch(op, element);
    if (!storeAt(result, static_cast<int64_t>(index), machine.get(element)))
      machine.fail(op, "rows of different shape");
  }
  machine.set(op, std::move(result));
}

// Undefined contents are a number that no program makes by accident.
void runAlloc(Machine &machine, AllocOp op) {
  Type element = cast<RankedTensorType>(op.getType()).getElementType();
  Cell fill = isa<FloatType>(element) ? Cell::of(-1.25e4) : Cell::of(int64_t(0x5b5b5b5b));
  machine.set(op, InterpretedArray(sizesOf(machine, op, op.getSizes()), machine.sideOfNew(op.getType()),
                                   narrow(fill, element)));
}

void runElement(Machine &machine, ElementOp op) {
  InterpretedArray array = machine.touch(op, op.getArray());
  Indices indices = machine.integers(op.getIndices());
  checkIndices(machine, op, array, indices);
  machine.set(op, elementAt(array, indices));
}

void runRow(Machine &machine, RowOp op) {
  InterpretedArray array = machine.array(op.getArray());
  Indices indices = machine.integers(op.getIndices());
  checkIndices(machine, op, array, indices);
  machine.set(op, elementAt(array, indices));
}

void runSlice(Machine &machine, SliceOp op) {
  InterpretedArray array = machine.array(op.getArray());
  Box box = boxOf(machine, op, array);
  InterpretedArray result(box.lengths, array.side);
  forEachPoint(box.lengths, [&](ArrayRef<int64_t> point) { storeAt(result, point, elementAt(array, box.at(point))); });
  machine.set(op, std::move(result));
}

void runPermute(Machine &machine, PermuteOp op) {
  InterpretedArray array = machine.array(op.getArray());
  Indices extents;
  for (int64_t dimension : op.getPermutation())
    extents.push_back(array.extents()[dimension]);
  InterpretedArray result(extents, array.side);
  forEachPoint(extents, [&](ArrayRef<int64_t> point) {
    Indices from(point.size());
    for (auto [index, dimension] : llvm::zip(point, op.getPermutation()))
      from[dimension] = index;
    storeAt(result, point, elementAt(array, from));
  });
  machine.set(op, std::move(result));
}

void runReshape(Machine &machine, ReshapeOp op) {
  InterpretedArray array = machine.array(op.getArray());
  Indices extents = sizesOf(machine, op, op.getSizes());
  if (countOf(extents) != countOf(array.extents()))
    machine.fail(op, "an array of shape " + shapeOf(array) + " cannot have the shape [" + listOf(extents, "][") + "]");
  InterpretedArray result(extents, array.side);
  result.changeCells() = array.cells();
  machine.set(op, std::move(result));
}

void runConcat(Machine &machine, ConcatOp op) {
  SmallVector<InterpretedArray> arrays;
  for (Value operand : op.getArrays())
    arrays.push_back(machine.touch(op, operand));
  Indices extents(arrays.front().extents());
  extents[0] = 0;
  for (const InterpretedArray &array : arrays) {
    if (array.extents().drop_front() != ArrayRef(extents).drop_front())
      machine.fail(op, "rows of different shape");
    extents[0] += array.extents()[0];
  }
  InterpretedArray result(extents, machine.sideOfNew(op.getType()));
  auto at = result.changeCells().begin();
  for (const InterpretedArray &array : arrays)
    at = std::copy(array.cells().begin(), array.cells().end(), at);
  machine.set(op, std::move(result));
}

void runCopy(Machine &machine, CopyOp op) {
  InterpretedArray array = machine.touch(op, op.getArray());
  InterpretedArray result(array.extents(), machine.sideOfNew(op.getType()));
  result.changeCells() = array.cells();
  machine.set(op, std::move(result));
}

void runUpdate(Machine &machine, UpdateOp op) {
  InterpretedValue value = machine.get(op.getValue());
  if (isa<RankedTensorType>(op.getValue().getType()))
    machine.touch(op, op.getValue());
  Indices indices = machine.integers(op.getIndices());
  InterpretedArray array = machine.consume(op, op.getArray());
  checkIndices(machine, op, array, indices);
  if (!storeAt(array, indices, value))
    machine.fail(op, "a row of another shape");
  machine.set(op, std::move(array));
}

void runInsertSlice(Machine &machine, InsertSliceOp op) {
  InterpretedArray value = machine.touch(op, op.getValue());
  InterpretedArray array = machine.consume(op, op.getArray());
  Box box = boxOf(machine, op, array);
  if (value.extents() != ArrayRef(box.lengths))
    machine.fail(op, "a value of shape " + shapeOf(value) + " for a slice of another shape");
  forEachPoint(box.lengths, [&](ArrayRef<int64_t> point) { storeAt(array, box.at(point), elementAt(value, point)); });
  machine.set(op, std::move(array));
}

// `{0}` is the first value, `{0:u}` it as an unsigned number, `{0:f}` the f64 whose bits it is.
std::string formatMessage(StringRef message, ArrayRef<int64_t> values) {
  std::string text;
  while (!message.empty()) {
    unsigned index = 0;
    StringRef rest = message;
    if (rest.consume_front("{") && !rest.consumeInteger(10, index) && index < values.size()) {
      bool isUnsigned = rest.consume_front(":u"), isFloat = !isUnsigned && rest.consume_front(":f");
      if (rest.consume_front("}")) {
        text += isUnsigned ? std::to_string(static_cast<uint64_t>(values[index]))
                : isFloat  ? std::to_string(Cell::of(values[index]).real())
                           : std::to_string(values[index]);
        message = rest;
        continue;
      }
    }
    text += message.front();
    message = message.drop_front();
  }
  return text;
}

void runAssert(Machine &machine, AssertOp op) {
  if (!machine.integer(op.getCondition()))
    machine.fail(op, formatMessage(op.getMessage(), machine.integers(op.getValues())));
}

void runFromScalar(Machine &machine, FromScalarOp op) {
  machine.set(op, InterpretedArray({}, machine.sideOfNew(op.getType()), machine.cell(op.getValue())));
}

void runToScalar(Machine &machine, ToScalarOp op) { machine.set(op, machine.touch(op, op.getArray()).cells().front()); }

} // namespace

void addArrayHandlers(Handlers &handlers) {
  handle<DimOp>(handlers, runDim);
  handle<IotaOp>(handlers, runIota);
  handle<ReplicateOp>(handlers, runReplicate);
  handle<LiteralOp>(handlers, runLiteral);
  handle<AllocOp>(handlers, runAlloc);
  handle<ElementOp>(handlers, runElement);
  handle<RowOp>(handlers, runRow);
  handle<SliceOp>(handlers, runSlice);
  handle<PermuteOp>(handlers, runPermute);
  handle<ReshapeOp>(handlers, runReshape);
  handle<ConcatOp>(handlers, runConcat);
  handle<CopyOp>(handlers, runCopy);
  handle<UpdateOp>(handlers, runUpdate);
  handle<InsertSliceOp>(handlers, runInsertSlice);
  handle<AssertOp>(handlers, runAssert);
  handle<FromScalarOp>(handlers, runFromScalar);
  handle<ToScalarOp>(handlers, runToScalar);
}

} // namespace ferry::array::detail
