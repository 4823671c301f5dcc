// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two kinds of variables are bound here. Binding one checks that it does not occur in its value, that every name in
// the value is bound no deeper than the variable, and moves variables in the value up to its level.
//
// Unknown sizes of a function argument: in `xs |> filter p` the parameter has type `a -> b`, the argument's result is
// `?[k].[k]t`. The k is opened: renamed, at `openedLevel`. Only a type variable that admits unknown sizes lets it in,
// which brings it down to the current level.
#include "futhark/types/unify.h"

#include <algorithm>

namespace ferry::futhark::types {

namespace {

constexpr unsigned maximumTypeDepth = 300;

bool occursIn(const TypeVariable &variable, TypeRef type, unsigned depth) {
  type = resolve(type);
  if (depth == 0)
    return true;
  --depth;
  auto occurs = [&](TypeRef part) { return occursIn(variable, part, depth); };
  if (const auto *inferred = as<InferredType>(type)) {
    const TypeVariable &other = *inferred->variable;
    if (&other == &variable)
      return true;
    for (const Field &field : other.fields)
      if (occurs(field.type))
        return true;
    for (const Constructor &constructor : other.constructors)
      if (std::any_of(constructor.payload.begin(), constructor.payload.end(), occurs))
        return true;
    return false;
  }
  if (const auto *array = as<ArrayType>(type))
    return occurs(array->element);
  if (const auto *record = as<RecordType>(type))
    return std::any_of(record->fields.begin(), record->fields.end(),
                       [&](const Field &field) { return occurs(field.type); });
  if (const auto *sum = as<SumType>(type)) {
    for (const Constructor &constructor : sum->constructors)
      if (std::any_of(constructor.payload.begin(), constructor.payload.end(), occurs))
        return true;
    return false;
  }
  if (const auto *function = as<FunctionType>(type))
    return occurs(function->parameter) || occurs(function->result);
  if (const auto *abstract = as<AbstractRef>(type))
    return std::any_of(abstract->typeArguments.begin(), abstract->typeArguments.end(), occurs);
  if (const auto *unique = as<UniqueType>(type))
    return occurs(unique->inner);
  return false;
}

std::string primNames(PrimSet prims) {
  if (prims == numericPrims)
    return "a number";
  if (prims == integerPrims)
    return "an integer";
  if (prims == floatPrims)
    return "a float";
  return "an integer or a bool";
}

} // namespace

bool Unifier::fail(std::string message) {
  if (why.empty())
    why = std::move(message);
  return false;
}

bool Unifier::unify(TypeRef expected, TypeRef actual) {
  if (depth > maximumTypeDepth)
    return fail("the types are nested too deeply");
  ++depth;
  bool result = unifyResolved(withoutUnique(expected), withoutUnique(actual));
  --depth;
  return result;
}

bool Unifier::unifyResolved(TypeRef expected, TypeRef actual) {
  if (expected == actual)
    return true;
  const auto *left = as<InferredType>(expected);
  const auto *right = as<InferredType>(actual);
  if (left && right)
    return left->variable == right->variable || bind(*right->variable, expected);
  if (left)
    return bind(*left->variable, actual);
  if (right)
    return bind(*right->variable, expected);
  if (const auto *expectedArray = as<ArrayType>(expected))
    if (const auto *actualArray = as<ArrayType>(actual))
      return unify(expectedArray->element, actualArray->element) && unifySizes(expectedArray->size, actualArray->size);
  if (const auto *expectedRecord = as<RecordType>(expected))
    if (const auto *actualRecord = as<RecordType>(actual))
      return unifyRecords(*expectedRecord, *actualRecord);
  if (const auto *expectedSum = as<SumType>(expected))
    if (const auto *actualSum = as<SumType>(actual))
      return unifySums(*expectedSum, *actualSum);
  if (const auto *expectedFunction = as<FunctionType>(expected))
    if (const auto *actualFunction = as<FunctionType>(actual))
      return unifyFunctions(*expectedFunction, *actualFunction);
  if (const auto *expectedAbstract = as<AbstractRef>(expected))
    if (const auto *actualAbstract = as<AbstractRef>(actual))
      return unifyAbstracts(*expectedAbstract, *actualAbstract);
  if (const Prim *expectedPrim = as<Prim>(expected))
    if (const Prim *actualPrim = as<Prim>(actual); actualPrim && *expectedPrim == *actualPrim)
      return true;
  if (const auto *expectedParam = as<ParamType>(expected))
    if (const auto *actualParam = as<ParamType>(actual); actualParam && expectedParam->param == actualParam->param)
      return true;
  return fail("'" + toString(expected) + "' and '" + toString(actual) + "' are different types");
}

bool Unifier::unifyRecords(const RecordType &expected, const RecordType &actual) {
  auto sameName = [](const Field &left, const Field &right) { return left.name == right.name; };
  if (!std::equal(expected.fields.begin(), expected.fields.end(), actual.fields.begin(), actual.fields.end(), sameName))
    return fail(isTuple(expected) && isTuple(actual)
                    ? "tuples of " + std::to_string(expected.fields.size()) + " and " +
                          std::to_string(actual.fields.size()) + " components are different types"
                    : "the records have different fields");
  for (size_t i = 0; i < expected.fields.size(); ++i)
    if (!unify(expected.fields[i].type, actual.fields[i].type))
      return false;
  return true;
}

bool Unifier::unifySums(const SumType &expected, const SumType &actual) {
  auto sameForm = [](const Constructor &left, const Constructor &right) {
    return left.name == right.name && left.payload.size() == right.payload.size();
  };
  if (!std::equal(expected.constructors.begin(), expected.constructors.end(), actual.constructors.begin(),
                  actual.constructors.end(), sameForm))
    return fail("the sum types have different constructors");
  for (size_t i = 0; i < expected.constructors.size(); ++i)
    for (size_t j = 0; j < expected.constructors[i].payload.size(); ++j)
      if (!unify(expected.constructors[i].payload[j], actual.constructors[i].payload[j]))
        return false;
  return true;
}

bool Unifier::unifyAbstracts(const AbstractRef &expected, const AbstractRef &actual) {
  if (expected.type != actual.type)
    return fail("'" + expected.type->name + "' and '" + actual.type->name + "' are different types");
  for (size_t i = 0; i < expected.typeArguments.size(); ++i)
    if (!unify(expected.typeArguments[i], actual.typeArguments[i]))
      return false;
  for (size_t i = 0; i < expected.sizeArguments.size(); ++i)
    if (!unifySizes(expected.sizeArguments[i], actual.sizeArguments[i]))
      return false;
  return true;
}

bool Unifier::unifyFunctions(const FunctionType &expected, const FunctionType &actual) {
  if (actual.consumes && !expected.consumes)
    return fail("the function consumes its argument, which is not allowed here");
  if (!unify(actual.parameter, expected.parameter))
    return false;
  Substitution expectedNames, actualNames;
  if (expected.parameterName) { // In scope in the results only.
    const Binding *name = arena.binding(Binding::Kind::Local, expected.parameterName->name,
                                        expected.parameterName->range, expected.parameter, namedInTypeLevel);
    expectedNames.sizes[expected.parameterName] = variableSize(name);
    if (actual.parameterName)
      actualNames.sizes[actual.parameterName] = variableSize(name);
  }
  std::vector<const Binding *> opening = actual.existentials;
  if (actual.parameterName && !expected.parameterName)
    opening.push_back(actual.parameterName);
  for (const Binding *size : opening)
    actualNames.sizes[size] =
        variableSize(arena.binding(Binding::Kind::Size, size->name, size->range, arena.prim(Prim::I64), openedLevel));
  for (const Binding *size : expected.existentials)
    expectedNames.sizes[size] = inferredSize(arena.sizeVariable(size->range, openedLevel));
  return unifyResults(substitute(arena, expected.result, expectedNames), substitute(arena, actual.result, actualNames));
}

bool Unifier::unifyResults(TypeRef expected, TypeRef actual) {
  expected = resolve(expected);
  actual = resolve(actual);
  const auto *expectedRecord = as<RecordType>(expected);
  const auto *actualRecord = as<RecordType>(actual);
  if (expectedRecord && actualRecord && expectedRecord->fields.size() == actualRecord->fields.size()) {
    if (!unifyRecords(*expectedRecord, *actualRecord))
      return false;
    for (size_t i = 0; i < expectedRecord->fields.size(); ++i)
      if (containsUnique(expectedRecord->fields[i].type) && !containsUnique(actualRecord->fields[i].type))
        return fail("the function's result may share memory with its arguments, which is not allowed here");
    return true;
  }
  if (containsUnique(expected) && !containsUnique(actual) && !is<InferredType>(actual))
    return fail("the function's result may share memory with its arguments, which is not allowed here");
  return unify(expected, actual);
}

// ---- Sizes -------------------------------------------------------------------------------------------------------

bool Unifier::unifySizes(const Size &expected, const Size &actual) {
  Size left = resolve(expected), right = resolve(actual);
  if (equal(left, right))
    return true;
  bool keepsLeft = left.kind == Size::Kind::Inferred && right.kind == Size::Kind::Inferred &&
                   left.inferred->level < right.inferred->level;
  if (left.kind == Size::Kind::Inferred && !keepsLeft) // The variable of the inner scope stands for that of the outer.
    return bindSize(*left.inferred, right);
  if (right.kind == Size::Kind::Inferred)
    return bindSize(*right.inferred, left);
  if (left.kind == Size::Kind::Expression && right.kind == Size::Kind::Expression &&
      unifySizeExprs(*left.expression, *right.expression))
    return true;
  std::string first = toString(left), second = toString(right);
  if (first != second || left.kind != Size::Kind::Variable || right.kind != Size::Kind::Variable)
    return fail("the sizes [" + first + "] and [" + second + "] are not known to be equal");
  return fail("the size [" + first + "] from " + left.variable->range.location() + " and the one from " +
              right.variable->range.location() + " are not known to be equal");
}

bool Unifier::unifySizeExprs(const typed::Expr &expected, const typed::Expr &actual) {
  std::optional<Size> left = sizeOfExpr(expected), right = sizeOfExpr(actual);
  if (left && right && (left->kind != Size::Kind::Expression || right->kind != Size::Kind::Expression))
    return unifySizes(*left, *right);
  if (left && right && (left->expression != &expected || right->expression != &actual)) // What an inferred size became.
    return unifySizeExprs(*left->expression, *right->expression);
  if (equal(expressionSize(&expected), expressionSize(&actual)))
    return true;
  std::vector<typed::Expr *> leftOperands, rightOperands;
  if (expected.node.index() != actual.node.index() || !sizeOperands(expected, leftOperands) ||
      !sizeOperands(actual, rightOperands) || leftOperands.size() != rightOperands.size() || leftOperands.empty())
    return false;
  const auto *binary = typed::as<typed::Binary>(expected);
  const auto *unary = typed::as<typed::Unary>(expected);
  const auto *project = typed::as<typed::Project>(expected);
  if ((binary && binary->op != typed::as<typed::Binary>(actual)->op) ||
      (unary && unary->op != typed::as<typed::Unary>(actual)->op) ||
      (project && project->field != typed::as<typed::Project>(actual)->field))
    return false;
  for (size_t i = 0; i < leftOperands.size(); ++i)
    if (!unifySizeExprs(*leftOperands[i], *rightOperands[i]))
      return false;
  return true;
}

bool Unifier::bindSize(SizeVariable &variable, const Size &size) {
  bool valid = true;
  forEachInferred(size, [&](SizeVariable *other) {
    valid &= other != &variable;
    other->level = std::min(other->level, variable.level);
  });
  if (!valid)
    return fail("a size would be part of itself");
  forEachName(size, [&](const Binding *name) { valid = valid && admitName(name, variable.level, Lifting::Unlifted); });
  if (!valid)
    return false;
  variable.isBound = true;
  variable.bound = resolve(size);
  return true;
}

bool Unifier::admitName(const Binding *name, unsigned limit, Lifting lifting) {
  if (levelOf(name) <= limit)
    return true;
  if (levelOf(name) != openedLevel)
    return fail("the size '" + name->name + "' is not in scope where it would have to be known");
  if (lifting == Lifting::Unlifted)
    return fail("a function's result has a size, '" + name->name +
                "', that may differ from call to call, where all results must be of one size");
  info(name)->level = std::min(level, limit);
  opened.push_back(name);
  return true;
}

// ---- Type variables ----------------------------------------------------------------------------------------------

bool Unifier::bind(TypeVariable &variable, TypeRef type) {
  if (const auto *inferred = as<InferredType>(type)) {
    if (!merge(*inferred->variable, variable))
      return false;
    variable.bound = type;
    return true;
  }
  if (occursIn(variable, type, maximumTypeDepth))
    return fail("the type would be part of itself: '" + toString(type) + "'");
  if (!admit(variable, type))
    return false;
  // Bound first, so that what is required of the parts sees it; the requirements are the variable's own.
  variable.bound = type;
  if (satisfy(variable, type))
    return true;
  variable.bound = nullptr; // A message tells the two apart.
  return false;
}

bool Unifier::satisfy(TypeVariable &variable, TypeRef type) {
  if (variable.prims && !requirePrims(type, variable.prims))
    return false;
  if (variable.equality && !requireEquality(type))
    return false;
  for (const Field &field : variable.fields) {
    TypeRef actual = requireField(type, field.name, variable.range);
    if (!actual || !unify(actual, field.type))
      return false;
  }
  for (const Constructor &constructor : variable.constructors)
    if (!requireConstructor(type, constructor.name, constructor.payload))
      return false;
  return true;
}

// What is known of `from` holds for `into` too.
bool Unifier::merge(TypeVariable &into, TypeVariable &from) {
  for (const Field &field : from.fields)
    if (occursIn(into, field.type, maximumTypeDepth))
      return fail("the type would be part of itself");
  into.level = std::min(into.level, from.level);
  into.lifting = std::min(into.lifting, from.lifting);
  into.equality |= from.equality;
  TypeRef type = arena.type(InferredType{&into});
  if (from.prims && !requirePrims(type, from.prims))
    return false;
  std::vector<Field> fields = from.fields;
  std::vector<Constructor> constructors = from.constructors;
  for (const Field &field : fields) {
    TypeRef known = requireField(type, field.name, from.range);
    if (!known || !unify(known, field.type))
      return false;
  }
  for (const Constructor &constructor : constructors)
    if (!requireConstructor(type, constructor.name, constructor.payload))
      return false;
  return true;
}

bool Unifier::admitSize(TypeVariable &variable, const Size &size) {
  bool valid = true;
  forEachInferred(size, [&](SizeVariable *other) { other->level = std::min(other->level, variable.level); });
  forEachName(size, [&](const Binding *name) {
    // The name that a function type gives its parameter may be part of a type that is found out only by it.
    valid = valid && (levelOf(name) == namedInTypeLevel || admitName(name, variable.level, variable.lifting));
  });
  return valid;
}

// Whether the variable may stand for the type; variables in it are narrowed so that it may.
bool Unifier::admit(TypeVariable &variable, TypeRef type) {
  type = resolve(type);
  if (const auto *inferred = as<InferredType>(type)) {
    TypeVariable &other = *inferred->variable;
    other.level = std::min(other.level, variable.level);
    other.lifting = std::min(other.lifting, variable.lifting);
    return true;
  }
  if (const auto *array = as<ArrayType>(type))
    return admitSize(variable, array->size) && admit(variable, array->element);
  if (const auto *record = as<RecordType>(type))
    return std::all_of(record->fields.begin(), record->fields.end(),
                       [&](const Field &field) { return admit(variable, field.type); });
  if (const auto *sum = as<SumType>(type)) {
    for (const Constructor &constructor : sum->constructors)
      for (TypeRef payload : constructor.payload)
        if (!admit(variable, payload))
          return false;
    return true;
  }
  if (const auto *function = as<FunctionType>(type)) {
    if (variable.lifting != Lifting::FullyLifted)
      return fail("a function ('" + toString(type) + "') is not allowed here");
    return admit(variable, function->parameter) && admit(variable, function->result);
  }
  if (const auto *unique = as<UniqueType>(type))
    return admit(variable, unique->inner);
  if (const auto *param = as<ParamType>(type)) {
    if (levelOf(param->param) > variable.level)
      return fail("the type parameter '" + param->param->name + "' is not in scope where it would have to be known");
    return param->param->lifting <= variable.lifting ||
           fail("'" + param->param->name + "' may stand for a " +
                (param->param->lifting == Lifting::FullyLifted ? "function" : "type with unknown sizes") +
                ", which is not allowed here");
  }
  if (const auto *abstract = as<AbstractRef>(type)) {
    if (abstract->type->lifting > variable.lifting)
      return fail("'" + abstract->type->name + "' may be a " +
                  (abstract->type->lifting == Lifting::FullyLifted ? "function" : "type with unknown sizes") +
                  ", which is not allowed here");
    for (const Size &size : abstract->sizeArguments)
      if (!admitSize(variable, size))
        return false;
    return std::all_of(abstract->typeArguments.begin(), abstract->typeArguments.end(),
                       [&](TypeRef argument) { return admit(variable, argument); });
  }
  return true;
}

// ---- Requirements ------------------------------------------------------------------------------------------------

bool Unifier::requirePrims(TypeRef type, PrimSet prims) {
  type = withoutUnique(type);
  if (const auto *inferred = as<InferredType>(type)) {
    TypeVariable &variable = *inferred->variable;
    if (!variable.fields.empty() || !variable.constructors.empty())
      return fail("'" + toString(type) + "' is not " + primNames(prims));
    PrimSet both = variable.prims ? variable.prims & prims : prims;
    if (!both)
      return fail(primNames(variable.prims) + " is not " + primNames(prims));
    variable.prims = both;
    return true;
  }
  const Prim *prim = as<Prim>(type);
  return (prim && (primBit(*prim) & prims)) || fail("'" + toString(type) + "' is not " + primNames(prims));
}

bool Unifier::requireEquality(TypeRef type) {
  type = withoutUnique(type);
  if (const auto *inferred = as<InferredType>(type)) {
    inferred->variable->equality = true;
    return requireLifting(type, Lifting::SizeLifted);
  }
  if (is<FunctionType>(type) || is<ParamType>(type) || is<AbstractRef>(type))
    return fail("values of type '" + toString(type) + "' cannot be compared");
  if (const auto *array = as<ArrayType>(type))
    return requireEquality(array->element);
  if (const auto *record = as<RecordType>(type))
    return std::all_of(record->fields.begin(), record->fields.end(),
                       [&](const Field &field) { return requireEquality(field.type); });
  if (const auto *sum = as<SumType>(type))
    for (const Constructor &constructor : sum->constructors)
      for (TypeRef payload : constructor.payload)
        if (!requireEquality(payload))
          return false;
  return true;
}

bool Unifier::requireLifting(TypeRef type, Lifting lifting) {
  TypeVariable probe;
  probe.level = openedLevel;
  probe.lifting = lifting;
  return admit(probe, withoutUnique(type));
}

TypeRef Unifier::requireField(TypeRef type, const std::string &name, const SourceRange &range) {
  type = withoutUnique(type);
  if (const auto *record = as<RecordType>(type)) {
    for (const Field &field : record->fields)
      if (field.name == name)
        return field.type;
    fail("'" + toString(type) + "' has no field '" + name + "'");
    return nullptr;
  }
  const auto *inferred = as<InferredType>(type);
  if (!inferred || inferred->variable->prims || !inferred->variable->constructors.empty()) {
    fail("'" + toString(type) + "' is not a record");
    return nullptr;
  }
  TypeVariable &variable = *inferred->variable;
  for (const Field &field : variable.fields)
    if (field.name == name)
      return field.type;
  TypeVariable *fieldType = arena.typeVariable(range, variable.level);
  fieldType->lifting = variable.lifting;
  variable.fields.push_back({name, arena.type(InferredType{fieldType})});
  return variable.fields.back().type;
}

bool Unifier::requireConstructor(TypeRef type, const std::string &name, const std::vector<TypeRef> &payload) {
  type = withoutUnique(type);
  const std::vector<Constructor> *known = nullptr;
  TypeVariable *variable = nullptr;
  if (const auto *sum = as<SumType>(type)) {
    known = &sum->constructors;
  } else if (const auto *inferred = as<InferredType>(type);
             inferred && !inferred->variable->prims && inferred->variable->fields.empty()) {
    variable = inferred->variable;
    known = &variable->constructors;
  } else {
    return fail("'" + toString(type) + "' is not a sum type");
  }
  for (const Constructor &constructor : *known) {
    if (constructor.name != name)
      continue;
    if (constructor.payload.size() != payload.size())
      return fail("constructor '#" + name + "' takes " + std::to_string(constructor.payload.size()) + " values, not " +
                  std::to_string(payload.size()));
    std::vector<TypeRef> expected = constructor.payload;
    for (size_t i = 0; i < payload.size(); ++i)
      if (!unify(expected[i], payload[i]))
        return false;
    return true;
  }
  if (!variable)
    return fail("'" + toString(type) + "' has no constructor '#" + name + "'");
  for (TypeRef part : payload)
    if (occursIn(*variable, part, maximumTypeDepth) || !admit(*variable, part))
      return fail("the type would be part of itself");
  variable->constructors.push_back({name, payload});
  return true;
}

} // namespace ferry::futhark::types
