// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Application. A result type that mentions the parameter's name gets the argument in its place, if the argument can be
// a size, and otherwise a size known only when the application has been evaluated.
#include "futhark/types/checker.h"
#include "futhark/types/operators.h"

#include <algorithm>

namespace ferry::futhark::types {

std::optional<typed::BinaryOp> Checker::moduleOperation(const Binding &binding) {
  if (binding.kind != Binding::Kind::Intrinsic)
    return std::nullopt;
  const std::string &name = binding.name;
  size_t dot = name.find('.');
  if (dot == std::string::npos)
    return std::nullopt;
  for (const auto &[symbol, op] : builtInOperators)
    if (name.compare(dot + 1, std::string::npos, symbol) == 0)
      return op;
  return std::nullopt;
}

namespace {

// Whether no value tells a size of the type before a function in it takes an argument of that size.
bool isNeededTooEarly(TypeRef type, const Binding *name) {
  type = withoutUnique(type);
  std::unordered_set<const Binding *> witnessed;
  collectWitnessed(type, witnessed);
  if (witnessed.count(name))
    return false;
  auto inner = [&](TypeRef part) { return isNeededTooEarly(part, name); };
  if (const auto *record = as<RecordType>(type))
    return std::any_of(record->fields.begin(), record->fields.end(),
                       [&](const Field &field) { return inner(field.type); });
  if (const auto *sum = as<SumType>(type))
    return std::any_of(sum->constructors.begin(), sum->constructors.end(), [&](const Constructor &constructor) {
      return std::any_of(constructor.payload.begin(), constructor.payload.end(), inner);
    });
  const auto *function = as<FunctionType>(type);
  return function && (mentions(function->parameter, name) || inner(function->result));
}

} // namespace

// Sizes that the result of a function argument has, when it is applied, cannot be those of later arguments.
void Checker::checkOpened(const std::vector<const Binding *> &opened, TypeRef rest, const SourceRange &range) const {
  for (const Binding *size : opened)
    if (isNeededTooEarly(rest, size))
      fail(range,
           "what this function results in has a size, '" + size->name +
               "', that differs from call to call, but another argument has to be of that size",
           "apply it first, as in 'x |> f |> g' instead of 'f >-> g'");
}

// The type with sizes that only the results of the application tell: those of an array by themselves are its unknown
// sizes, those that are part of another size make that one unknown.
TypeRef Checker::bindResults(TypeRef type, const std::vector<const Binding *> &results,
                             std::vector<const Binding *> &unknown) {
  std::vector<const Binding *> here;
  type = bindDeeper(type, results, here);
  std::unordered_set<const Binding *> witnessed, hidden;
  collectWitnessed(type, witnessed);
  for (const Binding *size : here) {
    if (witnessed.count(size)) {
      unknown.push_back(size);
      continue;
    }
    hidden.insert(size);
    info(size)->level = boundInTypeLevel; // No value tells it.
  }
  if (hidden.empty())
    return type;
  return hideNames(type, [&](const Binding *name) { return hidden.count(name) > 0; }, level, unknown, {});
}

void Checker::failArgument(const typed::Expr &argument, TypeRef parameter, const std::string &reason) const {
  std::string wanted = toString(parameter), found = toString(argument.type);
  fail(argument.range, "the argument has type '" + found + "', but the function takes '" + wanted + "'",
       unlessSaid(reason, wanted, found));
}

typed::Expr *Checker::apply(typed::Expr *function, const std::vector<typed::Expr *> &arguments,
                            const SourceRange &range) {
  TypeRef type = function->type;
  std::vector<const Binding *> unknown; // Told by the arguments,
  std::vector<const Binding *> results; // or by what a function results in.
  for (size_t i = 0; i < arguments.size(); ++i) {
    typed::Expr *argument = arguments[i];
    type = resolve(type);
    if (const auto *inferred = as<InferredType>(type)) {
      TypeRef result = freshType(range);
      raise(result, inferred->variable->level);
      unify(function->range, type, arena.type(FunctionType{nullptr, false, argument->type, {}, result}),
            "this expression, which is applied,");
      type = result;
      continue;
    }
    const auto *node = as<FunctionType>(type);
    if (!node) {
      if (i == 0)
        fail(function->range, "this is not a function; it has type '" + toString(type) + "'");
      fail(argument->range, "one argument too many: the function takes " + std::to_string(i));
    }
    Unifier attempt = unifier();
    if (!attempt.unify(node->parameter, argument->type))
      failArgument(*argument, node->parameter, attempt.reason());
    std::vector<const Binding *> opened = attempt.takeOpened();
    checkOpened(opened, node->result, argument->range);
    results.insert(results.end(), opened.begin(), opened.end());
    Substitution substitution;
    TypeRef result = node->result;
    if (node->parameterName) {
      if (std::optional<Size> size = sizeOfExpr(*argument))
        substitution.sizes[node->parameterName] = *size;
      else
        result =
            hideNames(result, [&](const Binding *name) { return name == node->parameterName; }, level, unknown, {});
    }
    for (const Binding *existential : node->existentials) {
      Binding *fresh = freshUnknown(range, existential->name);
      results.push_back(fresh);
      substitution.sizes[existential] = variableSize(fresh);
    }
    type = substitution.empty() ? result : substitute(arena, result, substitution);
  }
  type = bindResults(type, results, unknown);
  type = stripUnique(arena, type);
  if (const auto *var = typed::as<typed::Var>(*function); var && arguments.size() == 2)
    if (std::optional<typed::BinaryOp> op = moduleOperation(*var->binding))
      return arena.expr(range, type, typed::Binary{*op, arguments[0], arguments[1]});
  typed::Expr *result = arena.expr(range, type, typed::Apply{function, arguments});
  result->existentials = mentioned(unknown, type);
  return result;
}

typed::Expr *Checker::checkNode(const syntax::ApplyExpr &node, const syntax::Expr &expr, const Scope &scope) {
  typed::Expr *function = checkExpr(*node.function, scope);
  std::vector<typed::Expr *> arguments;
  arguments.reserve(node.arguments.size());
  for (const syntax::Expr *argument : node.arguments)
    arguments.push_back(checkExpr(*argument, scope));
  return apply(function, arguments, expr.range);
}

} // namespace ferry::futhark::types
