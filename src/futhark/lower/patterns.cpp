// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/lower/evaluator.h"
#include "futhark/lower/scalars.h"

using namespace mlir;

namespace ferry::futhark::lowering {

namespace {

// The first payload of a constructor in a sum's parts.
unsigned payloadBegin(const ConcreteType &sum, unsigned constructor) {
  unsigned begin = 1;
  for (unsigned i = 0; i < constructor; ++i)
    begin += std::get<ConcreteType::Sum>(sum.node).constructors[i].size();
  return begin;
}

// Every part is visited; what is null holds anyway.
mlir::Value conjunction(Emitter &emit, mlir::Value left, mlir::Value right) {
  return !left ? right : !right ? left : emit.fold<arith::AndIOp>(left, right);
}

} // namespace

void Evaluator::bind(const typed::Pattern &pattern, const Value &value, Environment &scope) {
  if (auto bound = typed::as<typed::BindPattern>(pattern)) {
    At at(*this, pattern.range);
    name(value, bound->binding->name);
    scope.bind(bound->binding, value);
  } else if (auto record = typed::as<typed::RecordPattern>(pattern)) {
    for (size_t i = 0; i < record->fields.size(); ++i)
      bind(*record->fields[i], value.parts[i], scope);
  } else if (auto constructor = typed::as<typed::ConstructorPattern>(pattern)) {
    unsigned begin = payloadBegin(*concrete(pattern.type, scope, Sizes::Ignored), constructor->constructor);
    for (size_t i = 0; i < constructor->payload.size(); ++i)
      bind(*constructor->payload[i], value.parts[begin + i], scope);
  }
}

mlir::Value Evaluator::matches(const typed::Pattern &pattern, const Value &value, Environment &scope) {
  mlir::Value result;
  if (auto record = typed::as<typed::RecordPattern>(pattern)) {
    for (size_t i = 0; i < record->fields.size(); ++i)
      result = conjunction(emit, result, matches(*record->fields[i], value.parts[i], scope));
  } else if (auto constructor = typed::as<typed::ConstructorPattern>(pattern)) {
    mlir::Value tag = emit.integer(Prim::U8, constructor->constructor);
    result = emit.compare(arith::CmpIPredicate::eq, value.parts.front().handle, tag);
    unsigned begin = payloadBegin(*concrete(pattern.type, scope, Sizes::Ignored), constructor->constructor);
    for (size_t i = 0; i < constructor->payload.size(); ++i)
      result = conjunction(emit, result, matches(*constructor->payload[i], value.parts[begin + i], scope));
  } else if (auto literal = typed::as<typed::ConstantPattern>(pattern)) {
    mlir::Value expected = constant(emit, literal->value);
    result = binary(emit, typed::BinaryOp::Equal, literal->value.prim, value.handle, expected);
  }
  return result;
}

void Evaluator::bindSizes(llvm::ArrayRef<const Binding *> names, TypeRef type, const Value &value, Environment &scope) {
  if (names.empty())
    return;
  if (auto unique = types::as<types::UniqueType>(type)) {
    bindSizes(names, unique->inner, value, scope);
  } else if (auto array = types::as<types::ArrayType>(type); array && value.isArray()) {
    if (array->size.kind == types::Size::Kind::Variable && llvm::is_contained(names, array->size.variable))
      scope.bind(array->size.variable, Value::leaf(sizeOf(value)));
    bindSizes(names, array->element, value.parts.front(), scope);
  } else if (auto record = types::as<types::RecordType>(type)) {
    for (size_t i = 0; i < record->fields.size(); ++i)
      bindSizes(names, record->fields[i].type, value.parts[i], scope);
  } else if (auto abstract = types::as<types::AbstractRef>(type)) {
    // What the type's own size parameters stand for, seen through its representation.
    Environment &inner = environments.emplace_back(nullptr);
    bindSizes(abstract->type->sizeParams, abstract->type->representation, value, inner);
    for (auto [parameter, argument] : llvm::zip(abstract->type->sizeParams, abstract->sizeArguments))
      if (argument.kind == types::Size::Kind::Variable && llvm::is_contained(names, argument.variable))
        if (const Value *size = inner.find(parameter))
          scope.bind(argument.variable, *size);
  }
}

void Evaluator::name(const Value &value, llvm::StringRef name) {
  auto named = [&](Location location) -> Location {
    return isa<NameLoc>(location) ? location : NameLoc::get(emit.builder.getStringAttr(name), location);
  };
  if (value.isLeaf()) {
    if (auto argument = dyn_cast<BlockArgument>(value.handle))
      argument.setLoc(named(argument.getLoc()));
    else
      value.handle.getDefiningOp()->setLoc(named(value.handle.getLoc()));
  }
  for (const Value &part : value.parts)
    this->name(part, name);
}

} // namespace ferry::futhark::lowering
