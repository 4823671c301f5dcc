// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making and rearranging arrays.

#include "futhark/lower/evaluator.h"
#include "futhark/lower/scalars.h"

using namespace mlir;

namespace ferry::futhark::lowering {

namespace {

using arith::CmpIPredicate;
using typed::RangeEnd;

// An array of one more dimension than the value's type.
RankedTensorType arrayOfType(Type element) {
  if (auto row = dyn_cast<RankedTensorType>(element))
    return array::arrayType(row.getElementType(), row.getRank() + 1);
  return array::arrayType(element, 1);
}

int64_t rankOf(mlir::Value leaf) { return cast<RankedTensorType>(leaf.getType()).getRank(); }

mlir::Value reshape(Emitter &emit, mlir::Value leaf, ArrayRef<mlir::Value> outer, int64_t replaced) {
  SmallVector<mlir::Value> sizes(outer);
  for (int64_t i = replaced; i < rankOf(leaf); ++i)
    sizes.push_back(emit.dim(leaf, i));
  Type element = cast<RankedTensorType>(leaf.getType()).getElementType();
  return emit.create<array::ReshapeOp>(array::arrayType(element, sizes.size()), leaf, sizes);
}

} // namespace

Value Evaluator::arrayOf(llvm::ArrayRef<Value> elements, TypeRef type, Environment &scope) {
  if (elements.empty()) {
    ConcreteRef empty = concrete(type, scope);
    return Value::array(emit.index(0),
                        blankArray(*std::get<ConcreteType::Array>(empty->node).element, {emit.index(0)}));
  }
  SmallVector<SmallVector<mlir::Value>> columns;
  for (const Value &element : elements) {
    SmallVector<mlir::Value> leaves = leavesOf(element);
    columns.resize(leaves.size());
    for (auto [column, leaf] : llvm::zip(columns, leaves))
      column.push_back(leaf);
  }
  SmallVector<mlir::Value> arrays;
  for (const SmallVector<mlir::Value> &column : columns)
    arrays.push_back(emit.create<array::LiteralOp>(arrayOfType(column.front().getType()), column));
  return Value::array(emit.index(elements.size()), rebuild(elements.front(), arrays));
}

Value Evaluator::evaluateString(const typed::String &string) {
  SmallVector<mlir::Value> bytes;
  for (char byte : string.bytes)
    bytes.push_back(emit.integer(Prim::U8, static_cast<uint8_t>(byte)));
  Type type = array::arrayType(emit.typeOf(Prim::U8), 1);
  mlir::Value size = emit.index(bytes.size());
  if (bytes.empty())
    return Value::array(size, Value::leaf(emit.create<array::AllocOp>(type, ValueRange(size))));
  return Value::array(size, Value::leaf(emit.create<array::LiteralOp>(type, bytes)));
}

Value Evaluator::iota(mlir::Value count) {
  if (!isNonNegative(count))
    emit.check(emit.compare(CmpIPredicate::sge, count, emit.index(0)), "Range 0..<{0} is invalid.", count);
  Type type = array::arrayType(emit.builder.getI64Type(), 1);
  return Value::array(count, Value::leaf(emit.create<array::IotaOp>(type, count, emit.index(0), emit.index(1))));
}

//===- Ranges -----------------------------------------------------------------------------------------------------===//

Value Evaluator::evaluateRange(const typed::Range &range, Environment &scope) {
  Prim prim = primOf(*range.start, scope);
  RangeOf bounds{prim, range.endKind, evaluateScalar(*range.start, scope), {}, {}};
  if (range.second)
    bounds.second = evaluateScalar(*range.second, scope);
  bounds.end = evaluateScalar(*range.end, scope);
  mlir::Value step = bounds.second ? emit.fold<arith::SubIOp>(bounds.second, bounds.start)
                                   : emit.integer(prim, range.endKind == RangeEnd::DownTo ? -1 : 1);
  CmpIPredicate less = types::isSigned(prim) ? CmpIPredicate::slt : CmpIPredicate::ult;
  mlir::Value isDown =
      bounds.second ? emit.compare(less, bounds.second, bounds.start) : emit.truth(range.endKind == RangeEnd::DownTo);
  checkRange(bounds, step, isDown);
  // The way from one number to another may be as long as the type has numbers: it is unsigned.
  auto between = [&](mlir::Value to) {
    mlir::Value up = emit.fold<arith::SubIOp>(to, bounds.start), down = emit.fold<arith::SubIOp>(bounds.start, to);
    return convert(emit, prim, Prim::U64, emit.select(isDown, down, up));
  };
  mlir::Value one = emit.index(1), distance = between(bounds.end);
  mlir::Value stride = bounds.second ? between(bounds.second) : one;
  bool hasEnd = range.endKind == RangeEnd::Inclusive;
  mlir::Value count = hasEnd ? emit.fold<arith::AddIOp>(distance, one) : distance;
  if (constantOf(stride) != 1) {
    // The failed check of a zero step may not have stopped a kernel.
    stride = emit.fold<arith::MaxUIOp>(stride, one);
    count = hasEnd ? emit.fold<arith::AddIOp>(emit.fold<arith::DivUIOp>(distance, stride), one)
                   : quotientRoundedUp(emit, distance, stride);
  }
  Type type = array::arrayType(emit.typeOf(prim), 1);
  return Value::array(count, Value::leaf(emit.create<array::IotaOp>(type, count, bounds.start, step)));
}

// A range is invalid if its step is zero, or leads away from its end.
void Evaluator::checkRange(const RangeOf &range, mlir::Value step, mlir::Value isDown) {
  bool isSigned = types::isSigned(range.prim);
  CmpIPredicate least = isSigned ? CmpIPredicate::sle : CmpIPredicate::ule;
  mlir::Value upwards = emit.compare(least, range.start, range.end);
  mlir::Value downwards = emit.compare(least, range.end, range.start);
  mlir::Value valid;
  switch (range.endKind) {
  case RangeEnd::UpTo:
    valid = emit.fold<arith::AndIOp>(upwards, emit.negation(isDown));
    break;
  case RangeEnd::DownTo:
    valid = emit.fold<arith::AndIOp>(downwards, isDown);
    break;
  case RangeEnd::Inclusive:
    valid = emit.select(isDown, downwards, upwards);
    break;
  }
  mlir::Value moves = emit.compare(CmpIPredicate::ne, step, emit.integer(range.prim, 0));
  valid = emit.fold<arith::AndIOp>(valid, moves);
  if (constantOf(range.start) == 0 && constantOf(step) == 1 && isNonNegative(range.end) && isSigned)
    return;
  std::string text = "Range {0}";
  SmallVector<mlir::Value> values = {asIndex(emit, range.prim, range.start)};
  if (range.second) {
    text += "..{1}";
    values.push_back(asIndex(emit, range.prim, range.second));
  }
  text += range.endKind == RangeEnd::UpTo ? "..<{" : range.endKind == RangeEnd::DownTo ? "..>{" : "...{";
  text += std::to_string(values.size()) + "} is invalid.";
  values.push_back(asIndex(emit, range.prim, range.end));
  emit.check(valid, text, values);
}

//===- Rearranging ------------------------------------------------------------------------------------------------===//

Value Evaluator::replicate(mlir::Value count, const Value &element) {
  if (!isNonNegative(count))
    emit.check(emit.compare(CmpIPredicate::sge, count, emit.index(0)), "Cannot replicate {0} times.", count);
  return Value::array(count, eachLeaf(element, [&](mlir::Value leaf) -> mlir::Value {
                        return emit.create<array::ReplicateOp>(arrayOfType(leaf.getType()), count, leaf);
                      }));
}

Value Evaluator::concat(const Value &first, const Value &second) {
  SmallVector<mlir::Value> leaves;
  for (auto [a, b] : llvm::zip_equal(leavesOf(first), leavesOf(second)))
    leaves.push_back(emit.create<array::ConcatOp>(a.getType(), ValueRange{a, b}));
  mlir::Value size = emit.fold<arith::AddIOp>(sizeOf(first), sizeOf(second));
  return Value::array(size, rebuild(first.parts.front(), leaves));
}

Value Evaluator::transpose(const Value &matrix) {
  const Value &row = matrix.parts.front();
  Value element = eachLeaf(row.parts.front(), [&](mlir::Value leaf) -> mlir::Value {
    auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(leaf)));
    std::swap(permutation[0], permutation[1]);
    return emit.create<array::PermuteOp>(leaf.getType(), leaf, permutation);
  });
  return Value::array(row.handle, Value::array(matrix.handle, std::move(element)));
}

Value Evaluator::flatten(const Value &matrix) {
  const Value &row = matrix.parts.front();
  mlir::Value size = emit.fold<arith::MulIOp>(sizeOf(matrix), sizeOf(row));
  return Value::array(size,
                      eachLeaf(row.parts.front(), [&](mlir::Value leaf) { return reshape(emit, leaf, size, 2); }));
}

Value Evaluator::unflatten(mlir::Value rows, mlir::Value columns, const Value &array) {
  mlir::Value size = sizeOf(array), product = emit.fold<arith::MulIOp>(rows, columns);
  mlir::Value holds = emit.compare(CmpIPredicate::eq, size, product);
  for (mlir::Value extent : {rows, columns})
    if (!isNonNegative(extent))
      holds = emit.fold<arith::AndIOp>(holds, emit.compare(CmpIPredicate::sge, extent, emit.index(0)));
  emit.check(holds, "Cannot unflatten array of shape [{0}] to array of shape [{1}][{2}].", {size, rows, columns});
  Value element =
      eachLeaf(array.parts.front(), [&](mlir::Value leaf) { return reshape(emit, leaf, {rows, columns}, 1); });
  return Value::array(rows, Value::array(columns, std::move(element)));
}

Value Evaluator::copy(const Value &value) {
  return eachLeaf(value, [&](mlir::Value leaf) -> mlir::Value {
    return isa<RankedTensorType>(leaf.getType()) ? emit.create<array::CopyOp>(leaf.getType(), leaf) : leaf;
  });
}

} // namespace ferry::futhark::lowering
