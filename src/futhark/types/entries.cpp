// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entry points: functions that are called from outside, where nothing infers type or size parameters.
#include "futhark/types/checker.h"

#include <algorithm>
#include <utility>

namespace ferry::futhark::types {

namespace {

// The text of a type as written, without a leading `*`.
std::string writtenType(const syntax::TypeExpr *type) {
  while (type && syntax::is<syntax::UniqueTypeExpr>(*type))
    type = syntax::as<syntax::UniqueTypeExpr>(*type)->inner;
  return type ? std::string(type->range.text()) : std::string();
}

const syntax::TypeExpr *annotation(const syntax::Pattern &pattern) {
  const auto *ascribed = syntax::as<syntax::AscribedPattern>(pattern);
  return ascribed ? ascribed->type : nullptr;
}

std::string parameterName(const syntax::Pattern &pattern) {
  if (const auto *ascribed = syntax::as<syntax::AscribedPattern>(pattern))
    return parameterName(*ascribed->inner);
  const auto *name = syntax::as<syntax::NamePattern>(pattern);
  return name ? name->name : std::string();
}

} // namespace

// An entry point that gives a function, such as `entry inc = map (+ 1)`, takes what that function takes: a definition
// of its own, which the program's other definitions do not see. Null where there is nothing to take.
const typed::Definition *Checker::saturate(const typed::Definition &definition) {
  if (!is<FunctionType>(withoutUnique(definition.function.resultType)))
    return nullptr;
  const Binding &original = *definition.binding;
  typed::Definition &result = arena.definitions.emplace_back();
  typed::Function &function = result.function;
  const typed::Function &given = definition.function;
  function.typeParams = given.typeParams;
  function.sizeParams = given.sizeParams;
  function.existentials = given.existentials;
  std::vector<typed::Expr *> arguments;
  auto take = [&](const Binding *name, TypeRef type, bool consumes) {
    if (!name)
      name = arena.binding(Binding::Kind::Local, "", original.range, type, boundInTypeLevel);
    typed::Pattern &pattern = arena.patterns.emplace_back();
    pattern.range = original.range;
    pattern.type = type;
    pattern.node = typed::BindPattern{name};
    function.parameters.push_back(&pattern);
    function.consumes.push_back(consumes);
    arguments.push_back(arena.expr(original.range, type, typed::Var{name, {}, {}}));
  };
  typed::Var use{&original, {}, {}};
  for (const TypeParam *parameter : function.typeParams)
    use.typeArguments.push_back(arena.type(ParamType{parameter}));
  for (const Binding *size : function.sizeParams)
    use.sizeArguments.push_back(variableSize(size));
  typed::Expr *value =
      arena.expr(original.range, functionType(given, given.resultType, given.existentials), std::move(use));
  for (size_t i = 0; i < given.parameters.size(); ++i) {
    const auto *name = typed::as<typed::BindPattern>(*given.parameters[i]);
    take(name ? name->binding : nullptr, given.parameters[i]->type, given.consumes[i]);
  }
  TypeRef type = given.resultType;
  auto applyToTaken = [&] {
    TypeRef plain = stripUnique(arena, type);
    value = arena.expr(original.range, plain, typed::Apply{value, std::exchange(arguments, {})});
  };
  if (!arguments.empty())
    applyToTaken();
  while (const auto *taken = as<FunctionType>(withoutUnique(type))) {
    take(taken->parameterName, taken->parameter, taken->consumes);
    function.existentials.insert(function.existentials.end(), taken->existentials.begin(), taken->existentials.end());
    type = taken->result;
  }
  applyToTaken();
  value->existentials = function.existentials;
  function.body = value;
  function.resultType = type;
  TypeRef whole = functionType(function, type, function.existentials);
  BindingInfo *binding =
      arena.binding(Binding::Kind::Definition, original.name, original.range, nullptr, boundInTypeLevel);
  binding->scheme = {function.typeParams, function.sizeParams, whole};
  binding->definition = &result;
  result.binding = binding;
  program.definitions.push_back(&result);
  return &result;
}

void Checker::checkEntry(const typed::Definition &definition, const syntax::ValueDeclaration &declaration) const {
  const typed::Function &function = definition.function;
  const SourceRange &range = declaration.name.range;
  const std::string &name = declaration.name.text;
  if (!function.typeParams.empty())
    fail(range, "the entry point '" + name + "' is polymorphic", "give its parameters types without type parameters");
  bool higherOrder = containsFunction(function.resultType);
  std::unordered_set<const Binding *> witnessed;
  for (const typed::Pattern *parameter : function.parameters) {
    higherOrder |= containsFunction(parameter->type);
    collectWitnessed(parameter->type, witnessed);
  }
  if (higherOrder)
    fail(range, "the entry point '" + name + "' takes or returns functions", "only values come from outside");
  for (const Binding *size : function.sizeParams) {
    if (witnessed.count(size))
      continue;
    bool inParameters = std::any_of(function.parameters.begin(), function.parameters.end(),
                                    [&](const typed::Pattern *parameter) { return mentions(parameter->type, size); });
    if (inParameters)
      fail(range,
           "size parameter '" + size->name + "' of the entry point '" + name +
               "' is not by itself the size of any parameter",
           "take an array of that size, or take the number as a parameter");
    fail(range, "the caller of the entry point '" + name + "' would have to choose the size '" + size->name + "'",
         "take the size as a parameter, as in '(" + size->name + ": i64)'");
  }
}

void Checker::collectEntry(const typed::Definition &definition, const syntax::ValueDeclaration &declaration) {
  const typed::Function &function = definition.function;
  typed::Entry entry{declaration.name.text, &definition, {}, {}};
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    TypeRef type = function.parameters[i]->type;
    std::string name, written;
    if (i < declaration.parameters.size()) {
      name = parameterName(*declaration.parameters[i]);
      written = writtenType(annotation(*declaration.parameters[i]));
    }
    entry.parameters.push_back({name, type, written.empty() ? toString(type) : written, function.consumes[i]});
  }
  bool isSaturated = function.parameters.size() > declaration.parameters.size();
  const syntax::TypeExpr *writtenResult = isSaturated ? nullptr : declaration.resultType;
  bool allUnique = writtenResult && syntax::is<syntax::UniqueTypeExpr>(*writtenResult);
  if (allUnique)
    writtenResult = syntax::as<syntax::UniqueTypeExpr>(*writtenResult)->inner;
  const auto *writtenTuple = writtenResult ? syntax::as<syntax::TupleTypeExpr>(*writtenResult) : nullptr;
  auto add = [&](TypeRef type, const syntax::TypeExpr *written, bool unique) {
    TypeRef plain = stripUnique(arena, type);
    std::string text = writtenType(written);
    entry.results.push_back({plain, text.empty() ? toString(plain) : text, unique || containsUnique(type)});
  };
  TypeRef result = withoutUnique(function.resultType);
  const auto *record = as<RecordType>(result);
  if (record && isTuple(*record)) {
    for (size_t i = 0; i < record->fields.size(); ++i) {
      bool isWritten = writtenTuple && writtenTuple->elements.size() == record->fields.size();
      add(record->fields[i].type, isWritten ? writtenTuple->elements[i] : nullptr, allUnique);
    }
  } else {
    add(function.resultType, writtenResult, allUnique);
  }
  program.entries.push_back(std::move(entry));
}

} // namespace ferry::futhark::types
