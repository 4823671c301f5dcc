// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/types/substitute.h"

#include <algorithm>

namespace ferry::futhark::types {

namespace {

// Copies a type with its parts rewritten; parts that stay the same are shared.
class Rewriter {
public:
  Rewriter(typed::Arena &arena, const Substitution *substitution, const SizeMap *map)
      : arena(arena), substitution(substitution), map(map) {}

  TypeRef type(TypeRef original);
  Size size(const Size &original);

private:
  TypeRef record(TypeRef original, const RecordType &node);
  TypeRef sum(TypeRef original, const SumType &node);
  TypeRef function(TypeRef original, const FunctionType &node);
  TypeRef abstract(const AbstractRef &node);
  typed::Expr *expression(typed::Expr *original);

  typed::Arena &arena;
  const Substitution *substitution;
  const SizeMap *map;
};

bool same(const Size &left, const Size &right) {
  return left.kind == right.kind && left.constant == right.constant && left.variable == right.variable &&
         left.expression == right.expression && left.inferred == right.inferred;
}

TypeRef Rewriter::type(TypeRef original) {
  original = resolve(original);
  if (const auto *array = as<ArrayType>(original)) {
    Size newSize = size(array->size);
    TypeRef element = type(array->element);
    return same(newSize, array->size) && element == array->element ? original : arena.array(newSize, element);
  }
  if (const auto *node = as<RecordType>(original))
    return record(original, *node);
  if (const auto *node = as<SumType>(original))
    return sum(original, *node);
  if (const auto *node = as<FunctionType>(original))
    return function(original, *node);
  if (const auto *node = as<AbstractRef>(original))
    return abstract(*node);
  if (const auto *unique = as<UniqueType>(original)) {
    TypeRef inner = type(unique->inner);
    return inner == unique->inner ? original : arena.type(UniqueType{inner});
  }
  if (const auto *param = as<ParamType>(original); param && substitution)
    if (auto found = substitution->types.find(param->param); found != substitution->types.end())
      return found->second;
  return original;
}

TypeRef Rewriter::record(TypeRef original, const RecordType &node) {
  RecordType result;
  bool changed = false;
  for (const Field &field : node.fields) {
    result.fields.push_back({field.name, type(field.type)});
    changed |= result.fields.back().type != field.type;
  }
  return changed ? arena.type(std::move(result)) : original;
}

TypeRef Rewriter::sum(TypeRef original, const SumType &node) {
  SumType result;
  bool changed = false;
  for (const Constructor &constructor : node.constructors) {
    Constructor copy{constructor.name, {}};
    for (TypeRef payload : constructor.payload) {
      copy.payload.push_back(type(payload));
      changed |= copy.payload.back() != payload;
    }
    result.constructors.push_back(std::move(copy));
  }
  return changed ? arena.type(std::move(result)) : original;
}

TypeRef Rewriter::function(TypeRef original, const FunctionType &node) {
  FunctionType result = node;
  result.parameter = type(node.parameter);
  result.result = type(node.result);
  bool changed = result.parameter != node.parameter || result.result != node.result;
  return changed ? arena.type(std::move(result)) : original;
}

TypeRef Rewriter::abstract(const AbstractRef &node) {
  AbstractRef result = node;
  for (TypeRef &argument : result.typeArguments)
    argument = type(argument);
  for (Size &argument : result.sizeArguments)
    argument = size(argument);
  if (!substitution)
    return arena.type(std::move(result));
  if (auto found = substitution->representations.find(node.type); found != substitution->representations.end()) {
    Substitution arguments;
    for (size_t i = 0; i < result.typeArguments.size(); ++i)
      arguments.types[node.type->typeParams[i]] = result.typeArguments[i];
    for (size_t i = 0; i < result.sizeArguments.size(); ++i)
      arguments.sizes[node.type->sizeParams[i]] = result.sizeArguments[i];
    TypeRef made = arguments.empty() ? found->second : substitute(arena, found->second, arguments);
    Substitution own;
    for (const Binding *size : substitution->hidden)
      if (mentions(found->second, size))
        own.sizes[size] = variableSize(substitution->rename(size));
    return own.empty() ? made : substitute(arena, made, own);
  }
  if (auto found = substitution->abstracts.find(node.type); found != substitution->abstracts.end())
    result.type = found->second;
  return arena.type(std::move(result));
}

Size Rewriter::size(const Size &original) {
  Size resolved = resolve(original);
  if (map)
    return (*map)(resolved);
  if (resolved.kind == Size::Kind::Variable) {
    auto found = substitution->sizes.find(resolved.variable);
    return found == substitution->sizes.end() ? resolved : found->second;
  }
  if (resolved.kind != Size::Kind::Expression)
    return resolved;
  auto *old = const_cast<typed::Expr *>(resolved.expression); // NOLINT: nodes of the arena.
  typed::Expr *copy = expression(old);
  if (copy == old)
    return resolved;
  return sizeOfExpr(*copy).value_or(expressionSize(copy));
}

typed::Expr *Rewriter::expression(typed::Expr *original) {
  for (const auto &[part, replacement] : substitution->parts)
    if (equal(part, expressionSize(original)))
      return exprOfSize(arena, replacement);
  if (SizeVariable *variable = aliased(*original)) {
    Size resolved = resolve(inferredSize(variable));
    if (resolved.kind == Size::Kind::Inferred)
      return original;
    return exprOfSize(arena, size(resolved));
  }
  if (const auto *var = typed::as<typed::Var>(*original)) {
    auto found = substitution->sizes.find(var->binding);
    return found == substitution->sizes.end() ? original : exprOfSize(arena, found->second);
  }
  std::vector<typed::Expr *> operands;
  if (!sizeOperands(*original, operands))
    return original;
  std::vector<typed::Expr *> rewritten;
  for (typed::Expr *operand : operands)
    rewritten.push_back(expression(operand));
  if (rewritten == operands)
    return original;
  typed::Expr *copy = arena.expr(original->range, original->type, typed::Hole{});
  copy->node = original->node;
  size_t next = 0;
  auto put = [&](typed::Expr *&slot) {
    if (slot)
      slot = rewritten[next++];
  };
  if (auto *binary = std::get_if<typed::Binary>(&copy->node)) {
    put(binary->left);
    put(binary->right);
  } else if (auto *unary = std::get_if<typed::Unary>(&copy->node)) {
    put(unary->operand);
  } else if (auto *apply = std::get_if<typed::Apply>(&copy->node)) {
    put(apply->function);
    std::for_each(apply->arguments.begin(), apply->arguments.end(), put);
  } else if (auto *project = std::get_if<typed::Project>(&copy->node)) {
    put(project->record);
  } else if (auto *fields = std::get_if<typed::Record>(&copy->node)) {
    std::for_each(fields->fields.begin(), fields->fields.end(), put);
  } else if (auto *array = std::get_if<typed::Array>(&copy->node)) {
    std::for_each(array->elements.begin(), array->elements.end(), put);
  } else if (auto *branch = std::get_if<typed::If>(&copy->node)) {
    put(branch->condition);
    put(branch->thenBranch);
    put(branch->elseBranch);
  } else if (auto *index = std::get_if<typed::Index>(&copy->node)) {
    put(index->array);
    for (typed::IndexPart &part : index->parts)
      put(part.index);
  }
  return copy;
}

} // namespace

TypeRef substitute(typed::Arena &arena, TypeRef type, const Substitution &substitution) {
  return Rewriter(arena, &substitution, nullptr).type(type);
}

Size substitute(typed::Arena &arena, const Size &size, const Substitution &substitution) {
  return Rewriter(arena, &substitution, nullptr).size(size);
}

TypeRef mapSizes(typed::Arena &arena, TypeRef type, const SizeMap &map) {
  return Rewriter(arena, nullptr, &map).type(type);
}

TypeRef stripUnique(typed::Arena &arena, TypeRef type) {
  type = withoutUnique(type);
  if (!containsUnique(type))
    return type;
  if (const auto *record = as<RecordType>(type)) {
    RecordType result;
    for (const Field &field : record->fields)
      result.fields.push_back({field.name, stripUnique(arena, field.type)});
    return arena.type(std::move(result));
  }
  if (const auto *sum = as<SumType>(type)) {
    SumType result = *sum;
    for (Constructor &constructor : result.constructors)
      for (TypeRef &payload : constructor.payload)
        payload = stripUnique(arena, payload);
    return arena.type(std::move(result));
  }
  if (const auto *array = as<ArrayType>(type))
    return arena.array(array->size, stripUnique(arena, array->element));
  return type;
}

bool containsUnique(TypeRef type) {
  type = resolve(type);
  if (is<UniqueType>(type))
    return true;
  if (const auto *array = as<ArrayType>(type))
    return containsUnique(array->element);
  if (const auto *record = as<RecordType>(type))
    return std::any_of(record->fields.begin(), record->fields.end(),
                       [](const Field &field) { return containsUnique(field.type); });
  if (const auto *sum = as<SumType>(type))
    for (const Constructor &constructor : sum->constructors)
      if (std::any_of(constructor.payload.begin(), constructor.payload.end(), containsUnique))
        return true;
  return false;
}

bool containsFunction(TypeRef type) {
  type = withoutUnique(type);
  if (is<FunctionType>(type))
    return true;
  if (const auto *param = as<ParamType>(type))
    return param->param->lifting == Lifting::FullyLifted;
  if (const auto *abstract = as<AbstractRef>(type))
    return abstract->type->lifting == Lifting::FullyLifted;
  if (const auto *array = as<ArrayType>(type))
    return containsFunction(array->element);
  if (const auto *record = as<RecordType>(type))
    return std::any_of(record->fields.begin(), record->fields.end(),
                       [](const Field &field) { return containsFunction(field.type); });
  if (const auto *sum = as<SumType>(type))
    for (const Constructor &constructor : sum->constructors)
      if (std::any_of(constructor.payload.begin(), constructor.payload.end(), containsFunction))
        return true;
  return false;
}

} // namespace ferry::futhark::types
