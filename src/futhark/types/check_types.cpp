// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type expressions to types. Sizes left open become what the context says: variables of inference in parameters and
// ascriptions, unknown sizes of the function in results.
#include "futhark/types/checker.h"

#include <algorithm>

namespace ferry::futhark::types {

namespace {

Lifting lifting(syntax::Lifting lifting) { return static_cast<Lifting>(lifting); }

} // namespace

TypeRef Checker::elaborate(const syntax::TypeExpr &type, const TypeContext &context) {
  TypeRef result = std::visit([&](const auto &node) { return elaborateNode(node, type, context); }, type.node);
  limitType(type.range, result);
  return result;
}

Size Checker::openSize(const SourceRange &range, const TypeContext &context, const std::string &name) {
  switch (context.open) {
  case TypeContext::Open::Infer:
    return freshSize(range);
  case TypeContext::Open::Existential: {
    Binding *size = freshUnknown(range, name);
    info(size)->level = boundInTypeLevel;
    context.existentials->push_back(size);
    return variableSize(size);
  }
  case TypeContext::Open::Forbid:
    break;
  }
  fail(range, "the parameter of a function type needs a size here", "name it with a size parameter, such as [n]");
}

Size Checker::elaborateSize(const syntax::Expr *size, const SourceRange &range, const TypeContext &context) {
  if (!size)
    return openSize(range, context, "d");
  typed::Expr *expr = checkExpr(*size, *context.scope);
  unify(size->range, arena.prim(Prim::I64), expr->type, "an array size");
  std::optional<Size> result = sizeOfExpr(*expr);
  if (!result)
    fail(size->range, "this expression cannot be a size",
         "a size may not bind names or consume values; give it a name with 'let' first");
  return *result;
}

TypeRef Checker::elaborateNode(const syntax::NamedType &node, const syntax::TypeExpr &type,
                               const TypeContext &context) {
  if (node.name.qualifiers.empty() && !context.scope->type(node.name.name))
    if (std::optional<Prim> prim = primNamed(node.name.name))
      return arena.prim(*prim);
  return applyTypeEntry(resolveType(node.name, *context.scope), node.name, {}, type.range, context);
}

TypeRef Checker::elaborateNode(const syntax::ArrayTypeExpr &node, const syntax::TypeExpr &type,
                               const TypeContext &context) {
  Size size = elaborateSize(node.size, type.range, context);
  TypeContext inner = context;
  inner.inArray = true;
  TypeRef element = elaborate(*node.element, inner);
  requireLifting(node.element->range, element, Lifting::Unlifted, "an array cannot hold values");
  return arena.array(size, stripUnique(arena, element));
}

TypeRef Checker::elaborateNode(const syntax::TupleTypeExpr &node, const syntax::TypeExpr &,
                               const TypeContext &context) {
  std::vector<TypeRef> elements;
  elements.reserve(node.elements.size());
  for (const syntax::TypeExpr *element : node.elements)
    elements.push_back(elaborate(*element, context));
  return arena.tuple(elements);
}

TypeRef Checker::elaborateNode(const syntax::RecordTypeExpr &node, const syntax::TypeExpr &,
                               const TypeContext &context) {
  RecordType record;
  std::set<std::string> seen;
  for (const auto &field : node.fields) {
    if (!seen.insert(field.name.text).second)
      fail(field.name.range, "field '" + field.name.text + "' is named twice in this record type");
    record.fields.push_back({field.name.text, elaborate(*field.type, context)});
  }
  std::sort(record.fields.begin(), record.fields.end(),
            [](const Field &left, const Field &right) { return fieldLess(left.name, right.name); });
  return arena.type(std::move(record));
}

TypeRef Checker::elaborateNode(const syntax::SumTypeExpr &node, const syntax::TypeExpr &type,
                               const TypeContext &context) {
  SumType sum;
  std::set<std::string> seen;
  for (const auto &constructor : node.constructors) {
    if (!seen.insert(constructor.name.text).second)
      fail(constructor.name.range, "constructor '#" + constructor.name.text + "' is named twice in this sum type");
    Constructor result{constructor.name.text, {}};
    for (const syntax::TypeExpr *payload : constructor.payload)
      result.payload.push_back(elaborate(*payload, context));
    sum.constructors.push_back(std::move(result));
  }
  if (sum.constructors.size() > 256)
    fail(type.range, "this sum type has " + std::to_string(sum.constructors.size()) + " constructors",
         "256 are the most that there can be");
  std::sort(sum.constructors.begin(), sum.constructors.end(),
            [](const Constructor &left, const Constructor &right) { return left.name < right.name; });
  return arena.type(std::move(sum));
}

TypeRef Checker::elaborateNode(const syntax::FunctionTypeExpr &node, const syntax::TypeExpr &type,
                               const TypeContext &context) {
  if (context.inArray)
    fail(type.range, "an array cannot hold functions");
  TypeContext parameterContext = context;
  // What is open in a parameter is told by the caller's argument, not by the function's result.
  if (context.open == TypeContext::Open::Existential)
    parameterContext.open = context.inSpec ? TypeContext::Open::Forbid : TypeContext::Open::Infer;
  TypeRef parameter = elaborate(*node.parameter, parameterContext);
  bool consumes = containsUnique(parameter);
  FunctionType function{nullptr, consumes, stripUnique(arena, parameter), {}, nullptr};
  Scope scope{context.scope, {}};
  if (node.parameterName) {
    const std::string &parameterName = node.parameterName->text;
    for (const auto *rest = syntax::as<syntax::FunctionTypeExpr>(*node.result); rest;
         rest = syntax::as<syntax::FunctionTypeExpr>(*rest->result))
      if (rest->parameterName && rest->parameterName->text == parameterName)
        fail(rest->parameterName->range, "parameter '" + parameterName + "' is named twice in this function type");
    Binding *name = arena.binding(Binding::Kind::Local, node.parameterName->text, node.parameterName->range,
                                  function.parameter, boundInTypeLevel);
    scope.names.values[name->name] = {name, {}, {}, {}};
    function.parameterName = name;
  }
  TypeContext resultContext = context;
  resultContext.scope = &scope;
  resultContext.open = TypeContext::Open::Existential;
  resultContext.existentials = &function.existentials;
  function.result = elaborate(*node.result, resultContext);
  if (function.parameterName && !mentions(function.result, function.parameterName))
    function.parameterName = nullptr;
  checkWitnessed(node.result->range, function.result, function.existentials);
  return arena.type(std::move(function));
}

TypeRef Checker::elaborateNode(const syntax::TypeApplication &node, const syntax::TypeExpr &type,
                               const TypeContext &context) {
  return applyTypeEntry(resolveType(node.name, *context.scope), node.name, node.arguments, type.range, context);
}

TypeRef Checker::elaborateNode(const syntax::UniqueTypeExpr &node, const syntax::TypeExpr &,
                               const TypeContext &context) {
  return arena.type(UniqueType{elaborate(*node.inner, context)});
}

TypeRef Checker::elaborateNode(const syntax::ExistentialTypeExpr &node, const syntax::TypeExpr &type,
                               const TypeContext &context) {
  Scope scope{context.scope, {}};
  TypeContext inner = context;
  inner.scope = &scope;
  std::vector<const Binding *> sizes;
  for (const syntax::Name &name : node.sizes) {
    Size size = openSize(name.range, context, name.text);
    const Binding *binding = size.variable;
    if (size.kind == Size::Kind::Inferred)
      binding = typed::as<typed::Var>(*exprOfSize(arena, size))->binding;
    else
      sizes.push_back(binding);
    scope.names.values[name.text] = {binding, {}, {}, {}};
  }
  TypeRef result = elaborate(*node.inner, inner);
  checkWitnessed(type.range, result, sizes);
  return result;
}

void Checker::checkWitnessed(const SourceRange &range, TypeRef type, const std::vector<const Binding *> &sizes) {
  std::unordered_set<const Binding *> witnessed;
  collectWitnessed(type, witnessed);
  for (const Binding *size : sizes)
    if (!witnessed.count(size))
      fail(range, "the unknown size '" + size->name + "' is not the size of an array here",
           "no value would tell what it is; add an array of that size, for example [" + size->name + "]()");
}

TypeRef Checker::applyTypeEntry(const TypeEntry &entry, const syntax::QualifiedName &name,
                                const std::vector<syntax::TypeApplication::Argument> &arguments,
                                const SourceRange &range, const TypeContext &context) {
  if (arguments.size() != entry.parameters.size())
    fail(range, "type '" + name.name + "' takes " + std::to_string(entry.parameters.size()) + " arguments, not " +
                    std::to_string(arguments.size()));
  if (context.inArray && entry.lifting != Lifting::Unlifted)
    fail(range, "an array cannot hold values of type '" + name.name + "'",
         "they may be functions or have unknown sizes");
  Substitution substitution;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto &argument = arguments[i];
    const TypeParameterEntry &parameter = entry.parameters[i];
    if (argument.isSize != (parameter.size != nullptr))
      fail(argument.range, parameter.size ? "a size in brackets is needed here" : "a type is needed here, not a size");
    if (parameter.size) {
      substitution.sizes[parameter.size] = elaborateSize(argument.size, argument.range, context);
      continue;
    }
    TypeContext inner = context;
    inner.inArray = false;
    TypeRef type = stripUnique(arena, elaborate(*argument.type, inner));
    if (entry.lifting == Lifting::Unlifted) // Otherwise it is judged by what is made of it.
      requireLifting(argument.range, type, parameter.type->lifting,
                     "'" + parameter.type->name + "' of '" + name.name + "' cannot be");
    substitution.types[parameter.type] = type;
  }
  for (const Binding *size : entry.existentials)
    substitution.sizes[size] = openSize(range, context, size->name);
  if (substitution.empty())
    return entry.definition;
  TypeRef result = substitute(arena, entry.definition, substitution);
  if (entry.lifting != Lifting::Unlifted)
    checkElements(range, result);
  return result;
}

// No array in a type holds functions or values of unknown sizes.
void Checker::checkElements(const SourceRange &range, TypeRef type) {
  type = withoutUnique(type);
  if (const auto *array = as<ArrayType>(type)) {
    requireLifting(range, array->element, Lifting::Unlifted, "an array cannot hold values");
  } else if (const auto *record = as<RecordType>(type)) {
    for (const Field &field : record->fields)
      checkElements(range, field.type);
  } else if (const auto *sum = as<SumType>(type)) {
    for (const Constructor &constructor : sum->constructors)
      for (TypeRef payload : constructor.payload)
        checkElements(range, payload);
  } else if (const auto *function = as<FunctionType>(type)) {
    checkElements(range, function->parameter);
    checkElements(range, function->result);
  }
}

Checker::TypeParameters Checker::declareTypeParameters(const std::vector<syntax::TypeParameter> &parameters,
                                                       Scope &scope) {
  TypeParameters result;
  std::set<std::string> seen;
  for (const syntax::TypeParameter &parameter : parameters) {
    if (!seen.insert((parameter.isSize ? "[" : "'") + parameter.name).second)
      fail(parameter.range, "type parameter '" + parameter.name + "' is declared twice");
    if (parameter.isSize) {
      Binding *size = arena.binding(Binding::Kind::Size, parameter.name, parameter.range, arena.prim(Prim::I64), level);
      scope.names.values[parameter.name] = {size, {}, {}, {}};
      result.sizes.push_back(size);
      result.all.push_back({size, nullptr});
    } else {
      TypeParam *type = arena.typeParam(parameter.name, lifting(parameter.lifting), parameter.range, level);
      TypeEntry entry;
      entry.definition = arena.type(ParamType{type});
      entry.lifting = type->lifting;
      entry.isParameter = true;
      scope.names.types[parameter.name] = entry;
      result.types.push_back(type);
      result.all.push_back({nullptr, type});
    }
  }
  return result;
}

TypeEntry Checker::declareType(const syntax::TypeDeclaration &declaration, const Scope &scope) {
  ++level;
  Scope inner{&scope, {}};
  TypeEntry entry;
  entry.lifting = lifting(declaration.lifting);
  TypeParameters parameters = declareTypeParameters(declaration.typeParameters, inner);
  entry.parameters = parameters.all;
  TypeContext context{&inner, TypeContext::Open::Existential, &entry.existentials, false, true};
  entry.definition = stripUnique(arena, elaborate(*declaration.definition, context));
  --level;
  for (const TypeParameterEntry &parameter : entry.parameters) {
    if (parameter.size && !mentions(entry.definition, parameter.size))
      fail(parameter.size->range, "size parameter '" + parameter.size->name + "' is not used in this type");
    if (parameter.size)
      info(parameter.size)->level = boundInTypeLevel;
  }
  checkWitnessed(declaration.definition->range, entry.definition, entry.existentials);
  const std::string &name = declaration.name.text;
  if (entry.lifting != Lifting::FullyLifted)
    requireLifting(declaration.definition->range, entry.definition, Lifting::SizeLifted,
                   "'" + name + "' would be a type without a '^'");
  if (entry.lifting == Lifting::Unlifted) {
    requireLifting(declaration.definition->range, entry.definition, Lifting::Unlifted,
                   "'" + name + "' would be a type without a '~'");
    if (!entry.existentials.empty())
      fail(declaration.definition->range, "this type has unknown sizes",
           "declare it with 'type~ " + name + "', or give it size parameters");
  }
  return entry;
}

} // namespace ferry::futhark::types
