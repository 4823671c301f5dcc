// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/types/checker.h"

#include <algorithm>

namespace ferry::futhark::types {

void Checker::fail(const SourceRange &range, std::string message, std::string hint) const {
  throw CheckError{CheckError::Kind::Error, range, std::move(message), std::move(hint)};
}

void Checker::failUnsupported(const SourceRange &range, std::string feature) const {
  throw CheckError{CheckError::Kind::Unsupported, range, std::move(feature), {}};
}

void Checker::report(const CheckError &error) {
  if (error.kind == CheckError::Kind::Error)
    diagnostics.error(error.range, error.message, error.hint);
  else if (error.kind == CheckError::Kind::Unsupported)
    diagnostics.unsupported(error.range, error.message);
}

void Checker::unify(const SourceRange &range, TypeRef expected, TypeRef actual, const std::string &what) {
  Unifier attempt = unifier();
  if (attempt.unify(expected, actual))
    return;
  std::string wanted = toString(expected), found = toString(actual);
  fail(range, what + " has type '" + found + "', but '" + wanted + "' is needed",
       unlessSaid(attempt.reason(), wanted, found));
}

std::string Checker::unlessSaid(const std::string &reason, const std::string &expected, const std::string &actual) {
  return reason == "'" + expected + "' and '" + actual + "' are different types" ? std::string() : reason;
}

TypeRef Checker::freshType(const SourceRange &range) {
  return arena.type(InferredType{arena.typeVariable(range, level)});
}

Size Checker::freshSize(const SourceRange &range) { return inferredSize(arena.sizeVariable(range, level)); }

Binding *Checker::freshUnknown(const SourceRange &range, const std::string &name) {
  return arena.binding(Binding::Kind::Size, name, range, arena.prim(Prim::I64), level);
}

void Checker::requireLifting(const SourceRange &range, TypeRef type, Lifting lifting, const std::string &what) {
  Unifier attempt = unifier();
  if (!attempt.requireLifting(type, lifting))
    fail(range, what + " of type '" + toString(type) + "'", attempt.reason());
}

namespace {

constexpr unsigned maximumTypeParts = 20000;
constexpr unsigned maximumTypeNesting = 200;

// Takes the number of parts of the type, shared ones counted every time, from `budget`; false if it is used up.
bool spend(TypeRef type, unsigned depth, unsigned &budget) {
  type = resolve(type);
  if (depth == 0 || budget == 0)
    return false;
  --budget;
  auto inner = [&](TypeRef part) { return spend(part, depth - 1, budget); };
  if (const auto *array = as<ArrayType>(type))
    return inner(array->element);
  if (const auto *record = as<RecordType>(type))
    return std::all_of(record->fields.begin(), record->fields.end(),
                       [&](const Field &field) { return inner(field.type); });
  if (const auto *sum = as<SumType>(type))
    return std::all_of(sum->constructors.begin(), sum->constructors.end(), [&](const Constructor &constructor) {
      return std::all_of(constructor.payload.begin(), constructor.payload.end(), inner);
    });
  if (const auto *function = as<FunctionType>(type))
    return inner(function->parameter) && inner(function->result);
  if (const auto *abstract = as<AbstractRef>(type))
    return std::all_of(abstract->typeArguments.begin(), abstract->typeArguments.end(), inner);
  if (const auto *unique = as<UniqueType>(type))
    return inner(unique->inner);
  return true;
}

} // namespace

// Types can grow exponentially with the program.
void Checker::limitType(const SourceRange &range, TypeRef type) const {
  unsigned budget = maximumTypeParts;
  if (!spend(type, maximumTypeNesting, budget))
    fail(range, "the type of this is too large", "a type has at most 20000 parts, nested at most 200 deep");
}

// Moves variables of inference in the type up to a level.
void Checker::raise(TypeRef type, unsigned outer) {
  TypeVariable probe;
  probe.level = outer;
  type = resolve(type);
  if (const auto *inferred = as<InferredType>(type)) {
    TypeVariable &variable = *inferred->variable;
    if (variable.level <= outer)
      return;
    variable.level = outer;
    for (const Field &field : variable.fields)
      raise(field.type, outer);
    for (const Constructor &constructor : variable.constructors)
      for (TypeRef payload : constructor.payload)
        raise(payload, outer);
  } else if (const auto *array = as<ArrayType>(type)) {
    forEachInferred(array->size, [&](SizeVariable *variable) { variable->level = std::min(variable->level, outer); });
    raise(array->element, outer);
  } else if (const auto *record = as<RecordType>(type)) {
    for (const Field &field : record->fields)
      raise(field.type, outer);
  } else if (const auto *sum = as<SumType>(type)) {
    for (const Constructor &constructor : sum->constructors)
      for (TypeRef payload : constructor.payload)
        raise(payload, outer);
  } else if (const auto *function = as<FunctionType>(type)) {
    raise(function->parameter, outer);
    raise(function->result, outer);
  } else if (const auto *abstract = as<AbstractRef>(type)) {
    for (TypeRef argument : abstract->typeArguments)
      raise(argument, outer);
  } else if (const auto *unique = as<UniqueType>(type)) {
    raise(unique->inner, outer);
  }
}

// Replaces sizes that mention hidden names. A hidden name that is itself a dimension of the type becomes one fresh name
// throughout; so does any other size that mentions hidden names, also where it is part of a larger one.
TypeRef Checker::hideNames(TypeRef type, const std::function<bool(const Binding *)> &isHidden, unsigned freshLevel,
                           std::vector<const Binding *> &unknown,
                           const std::vector<std::pair<const Binding *, Size>> &known) {
  auto mentionsHidden = [&](const Size &size) {
    bool hidden = false;
    forEachName(size, [&](const Binding *name) { hidden |= isHidden(name); });
    return hidden;
  };
  auto fresh = [&](const Binding *old) {
    Binding *made = freshUnknown(old ? old->range : SourceRange{}, old ? old->name : "k");
    info(made)->level = freshLevel;
    unknown.push_back(made);
    return variableSize(made);
  };
  // What a size is equal to outside, as far as that is known. The last name may be equal to something that mentions an
  // earlier one.
  auto expand = [&](Size size) {
    for (auto entry = known.rbegin(); entry != known.rend() && mentionsHidden(size); ++entry) {
      Substitution substitution;
      substitution.sizes.insert(*entry);
      size = substitute(arena, size, substitution);
      if (size.kind == Size::Kind::Expression && !sizeOfExpr(*size.expression))
        break;
    }
    return size;
  };
  Substitution names;
  forEachSize(type, [&](const Size &size) {
    Size expanded = expand(size);
    if (expanded.kind == Size::Kind::Variable && isHidden(expanded.variable) && !names.sizes.count(expanded.variable))
      names.sizes[expanded.variable] = fresh(expanded.variable);
  });
  // Smaller expressions first: they may be parts of larger ones.
  std::multimap<unsigned, Size> expressions;
  forEachSize(type, [&](const Size &size) {
    Size expanded = substitute(arena, expand(size), names);
    if (mentionsHidden(expanded))
      expressions.emplace(nodesIn(expanded), expanded);
  });
  Substitution whole;
  for (const auto &[nodes, size] : expressions)
    if (mentionsHidden(substitute(arena, size, whole)))
      whole.parts.emplace_back(size, fresh(nullptr));
  return mapSizes(arena, type,
                  [&](const Size &size) { return substitute(arena, substitute(arena, expand(size), names), whole); });
}

TypeRef Checker::leaveScope(TypeRef type, unsigned outer, std::vector<const Binding *> &unknown,
                            const std::vector<std::pair<const Binding *, Size>> &known) {
  auto isHidden = [&](const Binding *name) { return levelOf(name) > outer && levelOf(name) != openedLevel; };
  TypeRef result = hideNames(type, isHidden, outer, unknown, known);
  raise(result, outer);
  return result;
}

std::vector<const Binding *> Checker::mentioned(const std::vector<const Binding *> &unknown, TypeRef type) {
  std::vector<const Binding *> result;
  for (const Binding *size : unknown)
    if (mentions(type, size) && std::find(result.begin(), result.end(), size) == result.end())
      result.push_back(size);
  return result;
}

} // namespace ferry::futhark::types
