// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/lower/value.h"

#include "mlir/IR/ValueRange.h"

namespace ferry::futhark::lowering {

Value Value::leaf(mlir::Value value) {
  Value result;
  result.kind = Kind::Leaf;
  result.handle = value;
  return result;
}

Value Value::array(mlir::Value size, Value element) {
  Value result;
  result.kind = Kind::Array;
  result.handle = size;
  result.parts.push_back(std::move(element));
  return result;
}

Value Value::record(std::vector<Value> fields) {
  Value result;
  result.parts = std::move(fields);
  return result;
}

Value Value::function(Closure closure) {
  Value result;
  result.kind = Kind::Function;
  result.closure = std::make_shared<const Closure>(std::move(closure));
  return result;
}

bool isUnit(const ConcreteType &type) {
  auto record = std::get_if<ConcreteType::Record>(&type.node);
  return record && record->fields.empty();
}

const Value *Environment::find(const Binding *name) const {
  for (const Environment *scope = this; scope; scope = scope->outer)
    if (auto found = scope->values.find(name); found != scope->values.end())
      return &found->second;
  return nullptr;
}

ConcreteRef Environment::find(const types::TypeParam *name) const {
  for (const Environment *scope = this; scope; scope = scope->outer)
    if (auto found = scope->typeArguments.find(name); found != scope->typeArguments.end())
      return found->second;
  return nullptr;
}

LeafAt firstLeaf(const Value &value) {
  if (value.isLeaf())
    return {value.handle, 0};
  for (const Value &part : value.parts)
    if (LeafAt found = firstLeaf(part); found.leaf)
      return {found.leaf, found.arrays + (value.isArray() ? 1 : 0)};
  return {};
}

bool appendLeaves(const Value &value, llvm::SmallVectorImpl<mlir::Value> &leaves) {
  if (value.isLeaf())
    leaves.push_back(value.handle);
  bool firstOrder = !value.isFunction();
  for (const Value &part : value.parts)
    firstOrder &= appendLeaves(part, leaves);
  return firstOrder;
}

Value withLeaves(const Value &shape, mlir::ValueRange &leaves, llvm::function_ref<bool(mlir::Value)> keep) {
  Value result = shape;
  if (shape.isLeaf()) {
    result.handle = leaves.front();
    leaves = leaves.drop_front();
  } else if (shape.isArray() && result.handle && !keep(result.handle)) {
    result.handle = nullptr;
  }
  for (Value &part : result.parts)
    part = withLeaves(part, leaves, keep);
  return result;
}

Value eachLeaf(const Value &value, llvm::function_ref<mlir::Value(mlir::Value)> replace) {
  Value result = value;
  if (value.isLeaf())
    result.handle = replace(value.handle);
  for (Value &part : result.parts)
    part = eachLeaf(part, replace);
  return result;
}

} // namespace ferry::futhark::lowering
