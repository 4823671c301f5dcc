// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types whose parameters and sizes are evaluated, and the sizes of values.

#include "futhark/lower/evaluator.h"

namespace ferry::futhark::lowering {

namespace {

template <typename Node> ConcreteRef make(Node node) {
  return std::make_shared<const ConcreteType>(ConcreteType{std::move(node)});
}

bool hasUnknownSizes(const Value &value) {
  return (value.isArray() && !value.handle) || llvm::any_of(value.parts, hasUnknownSizes);
}

Value withConcreteSizes(Value value, const ConcreteType &type, llvm::function_ref<bool(mlir::Value)> isInScope) {
  if (auto array = std::get_if<ConcreteType::Array>(&type.node); array && value.isArray()) {
    if (!value.handle && array->size && isInScope(array->size))
      value.handle = array->size;
    value.parts.front() = withConcreteSizes(std::move(value.parts.front()), *array->element, isInScope);
  } else if (auto record = std::get_if<ConcreteType::Record>(&type.node)) {
    for (size_t i = 0; i < record->fields.size(); ++i)
      value.parts[i] = withConcreteSizes(std::move(value.parts[i]), *record->fields[i], isInScope);
  }
  return value;
}

} // namespace

ConcreteRef Evaluator::concrete(TypeRef type, Environment &scope, Sizes sizes) {
  auto evaluated = [&](const types::Size &size) {
    return sizes == Sizes::Evaluated ? evaluateSize(size, scope, true) : mlir::Value();
  };
  if (auto prim = types::as<Prim>(type))
    return make(*prim);
  if (auto unique = types::as<types::UniqueType>(type))
    return concrete(unique->inner, scope, sizes);
  if (auto array = types::as<types::ArrayType>(type))
    return make(ConcreteType::Array{evaluated(array->size), concrete(array->element, scope, sizes)});
  if (auto record = types::as<types::RecordType>(type)) {
    ConcreteType::Record result;
    for (const types::Field &field : record->fields)
      result.fields.push_back(concrete(field.type, scope, sizes));
    return make(std::move(result));
  }
  if (auto sum = types::as<types::SumType>(type)) {
    ConcreteType::Sum result;
    for (const types::Constructor &constructor : sum->constructors) {
      auto &payload = result.constructors.emplace_back();
      for (TypeRef part : constructor.payload)
        payload.push_back(concrete(part, scope, sizes));
    }
    return make(std::move(result));
  }
  if (auto param = types::as<types::ParamType>(type))
    if (ConcreteRef found = scope.find(param->param))
      return found;
  if (auto abstract = types::as<types::AbstractRef>(type)) {
    Environment &inner = environments.emplace_back(nullptr);
    for (auto [parameter, argument] : llvm::zip(abstract->type->typeParams, abstract->typeArguments))
      inner.bind(parameter, concrete(argument, scope, sizes));
    for (auto [parameter, argument] : llvm::zip(abstract->type->sizeParams, abstract->sizeArguments))
      if (mlir::Value size = evaluated(argument))
        inner.bind(parameter, Value::leaf(size));
    return concrete(abstract->type->representation, inner, sizes);
  }
  return make(ConcreteType::Function());
}

Prim Evaluator::primOf(const typed::Expr &expr, Environment &scope) {
  ConcreteRef type = concrete(expr.type, scope, Sizes::Ignored);
  const Prim *prim = std::get_if<Prim>(&type->node);
  if (!prim)
    fail(expr.range, "a number was expected, not a value of type '" + types::toString(expr.type) + "'");
  return *prim;
}

mlir::Value Evaluator::evaluateSize(const types::Size &size, Environment &scope, bool evaluateExpressions) {
  switch (size.kind) {
  case types::Size::Kind::Constant:
    return emit.index(size.constant);
  case types::Size::Kind::Variable: {
    if (const Binding &name = *size.variable; name.kind == Binding::Kind::Definition)
      return evaluateVar({&name, {}, {}}, scope).handle;
    const Value *found = scope.find(size.variable);
    return found && isInScope(found->handle) ? found->handle : mlir::Value();
  }
  case types::Size::Kind::Expression:
    return evaluateExpressions ? evaluateScalar(*size.expression, scope) : mlir::Value();
  case types::Size::Kind::Inferred:
    break;
  }
  return {};
}

bool Evaluator::isInScope(mlir::Value value) {
  return value.getParentRegion()->isAncestor(emit.builder.getInsertionBlock()->getParent());
}

mlir::Value Evaluator::sizeOf(const Value &array) {
  if (array.handle)
    return array.handle;
  LeafAt first = firstLeaf(array);
  if (!first.leaf)
    return emit.index(0);
  return emit.dim(first.leaf, mlir::cast<mlir::RankedTensorType>(first.leaf.getType()).getRank() - first.arrays);
}

Value Evaluator::withSizes(Value value, TypeRef type, Environment &scope) {
  if (!hasUnknownSizes(value))
    return value;
  if (auto unique = types::as<types::UniqueType>(type))
    return withSizes(std::move(value), unique->inner, scope);
  if (auto array = types::as<types::ArrayType>(type)) {
    if (!value.handle)
      value.handle = evaluateSize(array->size, scope, false);
    value.parts.front() = withSizes(std::move(value.parts.front()), array->element, scope);
  } else if (auto record = types::as<types::RecordType>(type)) {
    for (size_t i = 0; i < record->fields.size(); ++i)
      value.parts[i] = withSizes(std::move(value.parts[i]), record->fields[i].type, scope);
  } else if (types::is<types::ParamType>(type) || types::is<types::AbstractRef>(type)) {
    return withConcreteSizes(std::move(value), *concrete(type, scope),
                             [&](mlir::Value size) { return isInScope(size); });
  }
  return value;
}

Value Evaluator::blank(const ConcreteType &type) { return blankArray(type, {}); }

Value Evaluator::blankArray(const ConcreteType &element, llvm::SmallVector<mlir::Value> sizes) {
  if (auto prim = std::get_if<Prim>(&element.node)) {
    mlir::Type type = emit.typeOf(*prim);
    mlir::Value zero = types::isFloat(*prim) ? emit.real(type, 0) : emit.integer(type, 0);
    if (sizes.empty())
      return Value::leaf(zero);
    return Value::leaf(emit.create<array::ReplicateOp>(array::arrayType(type, sizes.size()), sizes, zero));
  }
  if (auto array = std::get_if<ConcreteType::Array>(&element.node)) {
    mlir::Value size = array->size && isInScope(array->size) ? array->size : emit.index(0);
    sizes.push_back(size);
    return Value::array(size, blankArray(*array->element, std::move(sizes)));
  }
  std::vector<Value> parts;
  if (auto record = std::get_if<ConcreteType::Record>(&element.node))
    for (const ConcreteRef &field : record->fields)
      parts.push_back(blankArray(*field, sizes));
  if (isUnit(element))
    parts.push_back(blankArray(ConcreteType{Prim::Bool}, sizes));
  if (auto sum = std::get_if<ConcreteType::Sum>(&element.node)) {
    parts.push_back(blankArray(ConcreteType{Prim::U8}, sizes));
    for (const auto &constructor : sum->constructors)
      for (const ConcreteRef &part : constructor)
        parts.push_back(blankArray(*part, sizes));
  }
  return Value::record(std::move(parts));
}

llvm::SmallVector<mlir::Value> Evaluator::leavesOf(const Value &value) {
  llvm::SmallVector<mlir::Value> leaves;
  if (!appendLeaves(value, leaves))
    unsupported(range, "functions in arrays, loops and results of branches");
  return leaves;
}

Value Evaluator::rebuild(const Value &shape, mlir::ValueRange leaves) {
  return withLeaves(shape, leaves, [&](mlir::Value size) { return isInScope(size); });
}

} // namespace ferry::futhark::lowering
