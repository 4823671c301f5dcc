// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second-order array combinators. Grids have one dimension here; nests are distributed later.

#include "futhark/lower/evaluator.h"

using namespace mlir;

namespace ferry::futhark::lowering {

namespace {

RankedTensorType arrayOfType(Type element) {
  auto row = dyn_cast<RankedTensorType>(element);
  return row ? array::arrayType(row.getElementType(), row.getRank() + 1) : array::arrayType(element, 1);
}

SmallVector<Type> arraysOfTypes(TypeRange elements) {
  SmallVector<Type> types;
  for (Type element : elements)
    types.push_back(arrayOfType(element));
  return types;
}

SmallVector<Type> typesOf(ValueRange values) { return SmallVector<Type>(values.getTypes()); }

// The types of the arguments of a body over elements of the arrays: the index, then the elements.
SmallVector<Type> pointTypes(Emitter &emit, ArrayRef<mlir::Value> arrays) {
  SmallVector<Type> types = {emit.builder.getI64Type()};
  for (mlir::Value array : arrays)
    types.push_back(array::elementAfter(array.getType(), 1));
  return types;
}

void append(SmallVectorImpl<mlir::Value> &list, ArrayRef<mlir::Value> more) { list.append(more.begin(), more.end()); }

} // namespace

Value Evaluator::zip(llvm::ArrayRef<Value> arrays) {
  std::vector<Value> fields;
  mlir::Value size;
  for (const Value &array : arrays) {
    size = size ? size : array.handle;
    fields.push_back(array.parts.front());
  }
  return Value::array(size, Value::record(std::move(fields)));
}

Value Evaluator::unzip(const Value &array) {
  std::vector<Value> arrays;
  for (const Value &field : array.parts.front().parts)
    arrays.push_back(Value::array(array.handle, field));
  return Value::record(std::move(arrays));
}

Value Evaluator::map(llvm::ArrayRef<Value> arrays, Mapped function) {
  mlir::Value size = sizeOf(arrays.front());
  SmallVector<mlir::Value> inputs;
  for (const Value &array : arrays)
    append(inputs, leavesOf(array));
  Value result;
  Body body = build(pointTypes(emit, inputs), Inside::Soac, [&](ValueRange point) {
    ValueRange leaves = point.drop_front();
    SmallVector<Value> elements;
    for (const Value &array : arrays)
      elements.push_back(withLeaves(array.parts.front(), leaves, [](mlir::Value) { return true; }));
    return leavesOf(result = function(elements));
  });
  auto made = emit.create<array::MapOp>(arraysOfTypes(body.types()), size, inputs);
  body.moveTo(made.getBody());
  return Value::array(size, rebuild(result, made.getResults()));
}

void Evaluator::fillCombiner(Region &region, const Value &op, const Value &neutral) {
  SmallVector<Type> types = typesOf(leavesOf(neutral));
  types.append(SmallVector<Type>(types));
  Body body = build(types, Inside::Soac, [&](ValueRange operands) {
    Value left = withLeaves(neutral, operands, [](mlir::Value) { return true; });
    Value right = withLeaves(neutral, operands, [](mlir::Value) { return true; });
    return leavesOf(apply(op, {left, right}));
  });
  body.moveTo(region);
}

// The elements of the arrays as they are.
static auto identity(ValueRange point) { return SmallVector<mlir::Value>(point.drop_front()); }

Value Evaluator::reduce(const Value &op, const Value &neutral, const Value &array, bool commutative) {
  SmallVector<mlir::Value> inputs = leavesOf(array), start = leavesOf(neutral);
  if (start.empty())
    return neutral;
  Body body = build(pointTypes(emit, inputs), Inside::Soac, identity);
  auto made = emit.create<array::ReduceOp>(typesOf(start), sizeOf(array), inputs, start,
                                           commutative ? emit.builder.getUnitAttr() : UnitAttr());
  body.moveTo(made.getBody());
  fillCombiner(made.getCombiner(), op, neutral);
  return rebuild(neutral, made.getResults());
}

Value Evaluator::scan(const Value &op, const Value &neutral, const Value &array) {
  SmallVector<mlir::Value> inputs = leavesOf(array), start = leavesOf(neutral);
  if (start.empty())
    return array;
  mlir::Value size = sizeOf(array);
  Body body = build(pointTypes(emit, inputs), Inside::Soac, identity);
  auto made = emit.create<array::ScanOp>(arraysOfTypes(ValueRange(start).getTypes()), size, inputs, start);
  body.moveTo(made.getBody());
  fillCombiner(made.getCombiner(), op, neutral);
  return Value::array(size, rebuild(array.parts.front(), made.getResults()));
}

Value Evaluator::filter(const Value &predicate, const Value &array) {
  SmallVector<mlir::Value> inputs = leavesOf(array);
  Body body = build(pointTypes(emit, inputs), Inside::Soac, [&](ValueRange point) {
    ValueRange leaves = point.drop_front();
    SmallVector<mlir::Value> results = identity(point);
    Value element = withLeaves(array.parts.front(), leaves, [](mlir::Value) { return true; });
    results.insert(results.begin(), apply(predicate, element).handle);
    return results;
  });
  auto made = emit.create<array::FilterOp>(emit.builder.getI64Type(), typesOf(inputs), sizeOf(array), inputs);
  body.moveTo(made.getBody());
  Value kept = Value::array(sizeOf(array), rebuild(array.parts.front(), made.getResults()));
  bool before = std::exchange(emit.checked, false);
  Value result = index(kept, IndexPart{true, emit.index(0), made.getCount(), emit.index(1)});
  emit.checked = before;
  return result;
}

Value Evaluator::scatter(unsigned rank, const Value &destination, const Value &indices, const Value &values) {
  SmallVector<mlir::Value> inputs = leavesOf(indices), destinations = leavesOf(destination);
  append(inputs, leavesOf(values));
  Body body = build(pointTypes(emit, inputs), Inside::Soac, identity);
  auto made = emit.create<array::ScatterOp>(typesOf(destinations), sizeOf(indices), inputs, destinations, rank);
  body.moveTo(made.getBody());
  return rebuild(destination, made.getResults());
}

Value Evaluator::reduceByIndex(unsigned rank, const Value &destination, const Value &op, const Value &neutral,
                               const Value &indices, const Value &values) {
  SmallVector<mlir::Value> inputs = leavesOf(indices), destinations = leavesOf(destination);
  append(inputs, leavesOf(values));
  Body body = build(pointTypes(emit, inputs), Inside::Soac, identity);
  auto made =
      emit.create<array::HistOp>(typesOf(destinations), sizeOf(indices), inputs, destinations, leavesOf(neutral), rank);
  body.moveTo(made.getBody());
  fillCombiner(made.getCombiner(), op, neutral);
  return rebuild(destination, made.getResults());
}

//===- Derivatives ------------------------------------------------------------------------------------------------===//

Value Evaluator::jvp(const Value &function, const Value &primal, const Value &tangent) {
  SmallVector<mlir::Value> primals = leavesOf(primal), tangents = leavesOf(tangent);
  Value result;
  Body body = build(typesOf(primals), Inside::Derivative, [&](ValueRange point) {
    Value argument = withLeaves(primal, point, [](mlir::Value) { return true; });
    return leavesOf(result = apply(function, argument));
  });
  SmallVector<Type> types = typesOf(body.results);
  size_t count = types.size();
  types.append(SmallVector<Type>(types));
  auto made = emit.create<array::JvpOp>(types, primals, tangents);
  body.moveTo(made.getBody());
  ValueRange all = made.getResults();
  return Value::record({rebuild(result, all.take_front(count)), rebuild(result, all.drop_front(count))});
}

// One direction after the other; each computes the value anew.
Value Evaluator::jmp(const Value &function, const Value &primal, const Value &tangents) {
  Value derivatives =
      map(tangents, [&](llvm::ArrayRef<Value> direction) { return jvp(function, primal, direction[0]).parts[1]; });
  return Value::record({apply(function, primal), derivatives});
}

} // namespace ferry::futhark::lowering
