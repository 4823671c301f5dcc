// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Application. A result type that mentions the parameter's name gets the argument in its place, if the argument can be
// a size, and otherwise a size known only when the application has been evaluated.
#include "futhark/types/checker.h"
#include "futhark/types/operators.h"

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

typed::Expr *Checker::apply(typed::Expr *function, const std::vector<typed::Expr *> &arguments,
                            const SourceRange &range) {
  TypeRef type = function->type;
  std::vector<const Binding *> unknown;
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
      fail(argument->range,
           "the argument has type '" + toString(argument->type) + "', but the function takes '" +
               toString(node->parameter) + "'",
           attempt.reason());
    for (const Binding *opened : attempt.takeOpened())
      unknown.push_back(opened);
    Substitution substitution;
    if (node->parameterName) {
      std::optional<Size> size = sizeOfExpr(*argument);
      if (!size) {
        Binding *fresh = freshUnknown(argument->range, node->parameterName->name);
        unknown.push_back(fresh);
        size = variableSize(fresh);
      }
      substitution.sizes[node->parameterName] = *size;
    }
    for (const Binding *existential : node->existentials) {
      Binding *fresh = freshUnknown(range, existential->name);
      unknown.push_back(fresh);
      substitution.sizes[existential] = variableSize(fresh);
    }
    type = substitution.empty() ? node->result : substitute(arena, node->result, substitution);
  }
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
  for (const syntax::Expr *argument : node.arguments)
    arguments.push_back(checkExpr(*argument, scope));
  return apply(function, arguments, expr.range);
}

} // namespace ferry::futhark::types
