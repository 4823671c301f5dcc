// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/types/arena.h"

#include <algorithm>
#include <utility>

namespace ferry::futhark::typed {

Program::Program() : arena(std::make_unique<Arena>()) {}
Program::~Program() = default;

TypeRef Arena::prim(Prim prim) {
  TypeRef &cached = prims[static_cast<size_t>(prim)];
  if (!cached)
    cached = type(prim);
  return cached;
}

TypeRef Arena::tuple(const std::vector<TypeRef> &elements) {
  types::RecordType record;
  for (size_t i = 0; i < elements.size(); ++i)
    record.fields.push_back({std::to_string(i), elements[i]});
  return type(std::move(record));
}

types::BindingInfo *Arena::binding(types::Binding::Kind kind, std::string name, const SourceRange &range, TypeRef type,
                                   unsigned level) {
  types::BindingInfo &result = bindings.emplace_back();
  result.id = static_cast<uint32_t>(bindings.size());
  result.kind = kind;
  result.name = std::move(name);
  result.range = range;
  result.scheme.type = type;
  result.level = level;
  return &result;
}

types::TypeParamInfo *Arena::typeParam(std::string name, types::Lifting lifting, const SourceRange &range,
                                       unsigned level) {
  types::TypeParamInfo &result = typeParams.emplace_back();
  result.id = static_cast<uint32_t>(typeParams.size());
  result.name = std::move(name);
  result.lifting = lifting;
  result.range = range;
  result.level = level;
  return &result;
}

types::TypeVariable *Arena::typeVariable(const SourceRange &range, unsigned level) {
  types::TypeVariable &result = typeVariables.emplace_back();
  result.id = static_cast<uint32_t>(typeVariables.size() - firstTypeVariable);
  result.level = level;
  result.range = range;
  return &result;
}

types::SizeVariable *Arena::sizeVariable(const SourceRange &range, unsigned level) {
  types::SizeVariable &result = sizeVariables.emplace_back();
  result.id = static_cast<uint32_t>(sizeVariables.size());
  result.level = level;
  result.range = range;
  return &result;
}

} // namespace ferry::futhark::typed

namespace ferry::futhark::types {

SizeVariable *aliased(const typed::Expr &expr) {
  const auto *var = typed::as<typed::Var>(expr);
  return var ? info(var->binding)->alias : nullptr;
}

TypeRef resolve(TypeRef type) {
  TypeRef root = type;
  for (const auto *inferred = as<InferredType>(root); inferred && inferred->variable->bound;
       inferred = as<InferredType>(root))
    root = inferred->variable->bound;
  // Shorten the way for the next time.
  for (const auto *inferred = as<InferredType>(type); type != root; inferred = as<InferredType>(type))
    type = std::exchange(inferred->variable->bound, root);
  return root;
}

Size resolve(const Size &size) {
  Size result = size;
  for (;;) {
    if (result.kind == Size::Kind::Expression) {
      if (SizeVariable *variable = aliased(*result.expression))
        result = inferredSize(variable);
      else
        return result;
    }
    if (result.kind != Size::Kind::Inferred || !result.inferred->isBound)
      return result;
    result = result.inferred->bound;
  }
}

namespace {

// `(+)` and the like.
bool isOperator(const typed::Lambda &lambda) {
  const auto *binary = typed::as<typed::Binary>(*lambda.function->body);
  const auto *left = binary ? typed::as<typed::Var>(*binary->left) : nullptr;
  const auto *right = binary ? typed::as<typed::Var>(*binary->right) : nullptr;
  if (!left || !right || lambda.function->parameters.size() != 2)
    return false;
  const auto *first = typed::as<typed::BindPattern>(*lambda.function->parameters[0]);
  const auto *second = typed::as<typed::BindPattern>(*lambda.function->parameters[1]);
  return first && second && first->binding == left->binding && second->binding == right->binding;
}

} // namespace

bool sizeOperands(const typed::Expr &expr, std::vector<typed::Expr *> &operands) {
  auto add = [&](typed::Expr *operand) {
    if (operand)
      operands.push_back(operand);
  };
  if (typed::is<typed::Literal>(expr) || typed::is<typed::Var>(expr) || typed::is<typed::String>(expr))
    return true;
  if (const auto *lambda = typed::as<typed::Lambda>(expr))
    return isOperator(*lambda);
  if (const auto *binary = typed::as<typed::Binary>(expr)) {
    add(binary->left);
    add(binary->right);
    return true;
  }
  if (const auto *unary = typed::as<typed::Unary>(expr)) {
    add(unary->operand);
    return true;
  }
  if (const auto *apply = typed::as<typed::Apply>(expr)) {
    add(apply->function);
    TypeRef type = apply->function->type;
    for (typed::Expr *argument : apply->arguments) {
      add(argument);
      const auto *function = as<FunctionType>(resolve(type));
      if (function && function->consumes && !typed::is<typed::Apply>(*argument)) // Of a name, or part of one.
        return false;
      type = function ? function->result : type;
    }
    return expr.existentials.empty();
  }
  if (const auto *project = typed::as<typed::Project>(expr)) {
    add(project->record);
    return true;
  }
  if (const auto *record = typed::as<typed::Record>(expr)) {
    for (typed::Expr *field : record->fields)
      add(field);
    return true;
  }
  if (const auto *array = typed::as<typed::Array>(expr)) {
    for (typed::Expr *element : array->elements)
      add(element);
    return true;
  }
  if (const auto *branch = typed::as<typed::If>(expr)) {
    add(branch->condition);
    add(branch->thenBranch);
    add(branch->elseBranch);
    return expr.existentials.empty();
  }
  if (const auto *index = typed::as<typed::Index>(expr)) {
    add(index->array);
    for (const typed::IndexPart &part : index->parts) {
      if (part.isSlice)
        return false;
      add(part.index);
    }
    return true;
  }
  return false;
}

bool fieldLess(std::string_view left, std::string_view right) {
  auto isNumber = [](std::string_view text) { return !text.empty() && text[0] >= '0' && text[0] <= '9'; };
  if (isNumber(left) != isNumber(right))
    return isNumber(left);
  if (isNumber(left) && left.size() != right.size())
    return left.size() < right.size();
  return left < right;
}

bool isTuple(const RecordType &record) {
  for (size_t i = 0; i < record.fields.size(); ++i)
    if (record.fields[i].name != std::to_string(i))
      return false;
  return record.fields.size() != 1;
}

TypeRef withoutUnique(TypeRef type) {
  type = resolve(type);
  while (const auto *unique = as<UniqueType>(type))
    type = resolve(unique->inner);
  return type;
}

} // namespace ferry::futhark::types
