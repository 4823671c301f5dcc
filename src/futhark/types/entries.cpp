// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entry points: functions that are called from outside, where nothing infers type or size parameters.
#include "futhark/types/checker.h"

#include <algorithm>

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

void Checker::checkEntry(const typed::Definition &definition, const syntax::ValueDeclaration &declaration) const {
  const typed::Function &function = definition.function;
  const SourceRange &range = declaration.name.range;
  const std::string &name = declaration.name.text;
  if (name.find('\'') != std::string::npos)
    fail(range, "the name of the entry point '" + name + "' has an apostrophe", "other languages could not call it");
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
    const syntax::Pattern &pattern = *declaration.parameters[i];
    TypeRef type = function.parameters[i]->type;
    std::string written = writtenType(annotation(pattern));
    entry.parameters.push_back(
        {parameterName(pattern), type, written.empty() ? toString(type) : written, function.consumes[i]});
  }
  const syntax::TypeExpr *writtenResult = declaration.resultType;
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
