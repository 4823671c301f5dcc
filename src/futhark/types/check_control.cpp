// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/types/checker.h"

namespace ferry::futhark::types {

typed::Expr *Checker::checkCondition(const syntax::Expr &expr, const Scope &scope) {
  typed::Expr *condition = checkExpr(expr, scope);
  unify(expr.range, arena.prim(Prim::Bool), condition->type, "the condition");
  return condition;
}

// The type of a value that comes from one of two branches.
TypeRef Checker::joinBranches(const SourceRange &range, TypeRef left, TypeRef right,
                              std::vector<const Binding *> &unknown) {
  Unifier attempt = unifier();
  TypeRef joined = attempt.join(left, right, [&] {
    unknown.push_back(freshUnknown(range));
    return unknown.back();
  });
  std::string first = toString(left), second = toString(right);
  if (!joined)
    fail(range, "the branches have different types: '" + first + "' and '" + second + "'",
         unlessSaid(attempt.reason(), first, second));
  return joined;
}

typed::Expr *Checker::checkNode(const syntax::IfExpr &node, const syntax::Expr &expr, const Scope &scope) {
  typed::If result{checkCondition(*node.condition, scope), nullptr, nullptr};
  std::vector<const Binding *> unknown;
  unsigned outer = level++;
  result.thenBranch = checkExpr(*node.thenBranch, scope);
  TypeRef left = leaveScope(result.thenBranch->type, outer, unknown);
  result.elseBranch = checkExpr(*node.elseBranch, scope);
  TypeRef right = leaveScope(result.elseBranch->type, outer, unknown);
  level = outer;
  TypeRef type = joinBranches(expr.range, left, right, unknown);
  requireLifting(expr.range, type, Lifting::SizeLifted, "the branches of an 'if' cannot be values");
  typed::Expr *made = arena.expr(expr.range, type, result);
  made->existentials = mentioned(unknown, type);
  return made;
}

typed::Expr *Checker::checkNode(const syntax::MatchExpr &node, const syntax::Expr &expr, const Scope &scope) {
  typed::Match result{checkExpr(*node.scrutinee, scope), {}};
  std::vector<const Binding *> unknown;
  TypeRef type = nullptr;
  unsigned outer = level;
  for (const syntax::MatchExpr::Case &branch : node.cases) {
    ++level;
    Scope inner{&scope, {}};
    PatternContext context{&inner, {}, true};
    typed::Pattern *pattern = checkPattern(*branch.pattern, result.scrutinee->type, context);
    ++level;
    typed::Expr *body = checkExpr(*branch.body, inner);
    TypeRef bodyType = leaveScope(body->type, outer, unknown);
    level = outer;
    result.cases.push_back({branch.range, pattern, body});
    type = type ? joinBranches(branch.range, type, bodyType, unknown) : bodyType;
  }
  requireLifting(expr.range, type, Lifting::SizeLifted, "the cases of a 'match' cannot be values");
  typed::Expr *made = arena.expr(expr.range, type, std::move(result));
  made->existentials = mentioned(unknown, type);
  pendingMatches.push_back(made);
  return made;
}

} // namespace ferry::futhark::types
