// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading and replacing parts of arrays. A part may mix indices and slices, xs[i, a:b:s]. Reading: the indexed
// dimensions are moved to the front and indexed, the others sliced; nothing is copied. Replacing: one box, an index
// being a slice of one element.

#include "futhark/lower/evaluator.h"
#include "futhark/lower/scalars.h"

using namespace mlir;

namespace ferry::futhark::lowering {

namespace {

RankedTensorType typeOf(mlir::Value leaf) { return cast<RankedTensorType>(leaf.getType()); }

// The box of an array that the parts describe, dimensions without a part being taken whole.
struct Box {
  SmallVector<mlir::Value> starts, lengths, strides;
};

template <typename Parts> Box boxOf(Emitter &emit, mlir::Value leaf, const Parts &parts) {
  Box box;
  for (const auto &part : parts) {
    box.starts.push_back(part.start);
    box.lengths.push_back(part.isSlice ? part.length : emit.index(1));
    box.strides.push_back(part.isSlice ? part.stride : emit.index(1));
  }
  for (int64_t i = parts.size(); i < typeOf(leaf).getRank(); ++i) {
    box.starts.push_back(emit.index(0));
    box.lengths.push_back(emit.dim(leaf, i));
    box.strides.push_back(emit.index(1));
  }
  return box;
}

template <typename Parts> Value shapeAfter(const Value &value, Parts parts) {
  if (parts.empty())
    return value;
  Value element = shapeAfter(value.parts.front(), parts.drop_front());
  return parts.front().isSlice ? Value::array(parts.front().length, std::move(element)) : element;
}

} // namespace

Evaluator::IndexPart Evaluator::evaluatePart(const typed::IndexPart &part, mlir::Value size, Environment &scope) {
  if (!part.isSlice) {
    Prim prim = primOf(*part.index, scope);
    return {false, asIndex(emit, prim, evaluateScalar(*part.index, scope)), {}, {}};
  }
  auto bound = [&](const typed::Expr *expr) { return expr ? evaluateScalar(*expr, scope) : mlir::Value(); };
  mlir::Value begin = bound(part.begin), end = bound(part.end), stride = bound(part.stride);
  if (!stride)
    stride = emit.index(1);
  mlir::Value zero = emit.index(0), one = emit.index(1);
  mlir::Value isDown = emit.compare(arith::CmpIPredicate::slt, stride, zero);
  if (!begin)
    begin = emit.select(isDown, emit.fold<arith::SubIOp>(size, one), zero);
  if (!end)
    end = emit.select(isDown, emit.index(-1), size);
  // An empty array has no last element to begin at.
  mlir::Value start = part.begin ? begin : emit.fold<arith::MaxSIOp>(begin, zero);
  // The distance in the stride's direction, over the stride's amount, rounded up; negative if the ends are crossed.
  mlir::Value up = emit.fold<arith::SubIOp>(end, begin), down = emit.fold<arith::SubIOp>(begin, end);
  mlir::Value distance = emit.select(isDown, down, up);
  mlir::Value amount = emit.select(isDown, emit.fold<arith::SubIOp>(zero, stride), stride);
  if (constantOf(amount) == 1)
    return {true, start, part.begin || part.end ? distance : size, stride};
  emit.check(emit.compare(arith::CmpIPredicate::ne, stride, zero), "Slice [{0}:{1}:{2}] has a stride of zero.",
             {begin, end, stride});
  amount = emit.fold<arith::MaxUIOp>(amount, one); // unsigned, since that of the least stride is
  mlir::Value count = quotientRoundedUp(emit, emit.fold<arith::MaxSIOp>(distance, zero), amount);
  return {true, start, emit.fold<arith::AddIOp>(count, emit.fold<arith::MinSIOp>(distance, zero)), stride};
}

llvm::SmallVector<Evaluator::IndexPart> Evaluator::evaluateParts(llvm::ArrayRef<typed::IndexPart> parts,
                                                                 const Value &array, Environment &scope) {
  SmallVector<IndexPart> result;
  const Value *level = &array;
  for (const typed::IndexPart &part : parts) {
    mlir::Value size = part.isSlice ? sizeOf(*level) : mlir::Value();
    result.push_back(evaluatePart(part, size, scope));
    level = &level->parts.front();
  }
  return result;
}

Value Evaluator::index(const Value &array, llvm::ArrayRef<IndexPart> parts) {
  return eachLeaf(shapeAfter(array, parts), [&](mlir::Value leaf) { return indexLeaf(leaf, parts); });
}

Value Evaluator::element(const Value &array, mlir::Value at, bool checked) {
  bool before = std::exchange(emit.checked, checked && emit.checked);
  Value result = index(array, IndexPart{false, at, {}, {}});
  emit.checked = before;
  return result;
}

mlir::Value Evaluator::indexLeaf(mlir::Value leaf, llvm::ArrayRef<IndexPart> parts) {
  SmallVector<mlir::Value> indices;
  SmallVector<IndexPart> slices;
  SmallVector<int64_t> order, others;
  for (auto [dimension, part] : llvm::enumerate(parts)) {
    (part.isSlice ? others : order).push_back(dimension);
    if (part.isSlice)
      slices.push_back(part);
    else
      indices.push_back(part.start);
  }
  for (int64_t i = parts.size(); i < typeOf(leaf).getRank(); ++i)
    others.push_back(i);
  order.append(others);
  auto unchecked = emit.checked ? UnitAttr() : emit.builder.getUnitAttr();
  if (!llvm::is_sorted(order))
    leaf = emit.create<array::PermuteOp>(leaf.getType(), leaf, order);
  if (!indices.empty()) {
    Type type = array::elementAfter(leaf.getType(), indices.size());
    if (!isa<RankedTensorType>(type))
      return emit.create<array::ElementOp>(type, leaf, indices, unchecked);
    leaf = emit.create<array::RowOp>(type, leaf, indices, unchecked);
  }
  if (slices.empty())
    return leaf;
  Box box = boxOf(emit, leaf, slices);
  return emit.create<array::SliceOp>(leaf.getType(), leaf, box.starts, box.lengths, box.strides, unchecked);
}

Value Evaluator::update(const Value &array, llvm::ArrayRef<IndexPart> parts, const Value &value) {
  const Value *level = &value;
  for (const IndexPart &part : parts) {
    if (!part.isSlice)
      continue;
    mlir::Value size = sizeOf(*level);
    if (size != part.length)
      emit.check(emit.compare(arith::CmpIPredicate::eq, size, part.length),
                 "A slice of length {0} cannot be replaced by an array of length {1}.", {part.length, size});
    level = &level->parts.front();
  }
  SmallVector<mlir::Value> leaves;
  for (auto [old, replacement] : llvm::zip_equal(leavesOf(array), leavesOf(value)))
    leaves.push_back(updateLeaf(old, parts, replacement));
  return rebuild(array, leaves);
}

mlir::Value Evaluator::updateLeaf(mlir::Value leaf, llvm::ArrayRef<IndexPart> parts, mlir::Value value) {
  auto unchecked = emit.checked ? UnitAttr() : emit.builder.getUnitAttr();
  if (llvm::none_of(parts, [](const IndexPart &part) { return part.isSlice; })) {
    SmallVector<mlir::Value> indices;
    for (const IndexPart &part : parts)
      indices.push_back(part.start);
    return emit.create<array::UpdateOp>(leaf.getType(), leaf, indices, value, unchecked);
  }
  Box box = boxOf(emit, leaf, parts);
  if (typeOf(value).getRank() != typeOf(leaf).getRank())
    value = emit.create<array::ReshapeOp>(leaf.getType(), value, box.lengths);
  return emit.create<array::InsertSliceOp>(leaf.getType(), leaf, box.starts, box.lengths, box.strides, value,
                                           unchecked);
}

} // namespace ferry::futhark::lowering
