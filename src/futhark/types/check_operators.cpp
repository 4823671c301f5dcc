// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators and sections. Built-in operators work on several types; their operands become one type from a set.
#include "futhark/types/checker.h"
#include "futhark/types/operators.h"

namespace ferry::futhark::types {

namespace {

PrimSet operandPrims(typed::BinaryOp op) {
  using Op = typed::BinaryOp;
  switch (op) {
  case Op::Quot:
  case Op::Rem:
  case Op::Shl:
  case Op::Shr:
  case Op::And:
  case Op::Or:
  case Op::Xor:
    return integerPrims;
  case Op::LogicalAnd:
  case Op::LogicalOr:
    return boolPrim;
  case Op::Less:
  case Op::LessEqual:
  case Op::Greater:
  case Op::GreaterEqual:
    return numericPrims | boolPrim;
  default:
    return numericPrims;
  }
}

bool isComparison(typed::BinaryOp op) { return op >= typed::BinaryOp::Equal && op <= typed::BinaryOp::GreaterEqual; }

} // namespace

Checker::Resolved Checker::resolveOperator(const syntax::QualifiedName &name, const Scope &scope) const {
  Resolved resolved = resolveValue(name, scope);
  if (!resolved.fields.empty())
    fail(name.range, "'" + name.name + "' is not an operator");
  return resolved;
}

typed::Expr *Checker::binary(typed::BinaryOp op, typed::Expr *left, typed::Expr *right, const SourceRange &range) {
  Unifier attempt = unifier();
  auto operand = [&](const typed::Expr *side, const char *which) {
    bool valid = op == typed::BinaryOp::Equal || op == typed::BinaryOp::NotEqual
                     ? attempt.requireEquality(side->type)
                     : attempt.requirePrims(side->type, operandPrims(op));
    if (!valid)
      fail(side->range,
           std::string("the ") + which + " operand of '" + symbolOf(op) + "' has type '" + toString(side->type) + "'",
           attempt.reason());
  };
  operand(left, "left");
  operand(right, "right");
  // Values are compared whatever their sizes; the sizes of arrays are part of the comparison.
  unify(right->range, left->type, right->type, std::string("the right operand of '") + symbolOf(op) + "'");
  TypeRef type = isComparison(op) ? arena.prim(Prim::Bool) : left->type;
  return arena.expr(range, type, typed::Binary{op, left, right});
}

typed::Expr *Checker::lambda(const SourceRange &range, const std::vector<const Binding *> &parameters,
                             typed::Expr *body) {
  typed::Function &function = arena.functions.emplace_back();
  TypeRef type = body->type;
  for (const Binding *parameter : parameters) {
    typed::Pattern &pattern = arena.patterns.emplace_back();
    pattern.range = range;
    pattern.type = parameter->scheme.type;
    pattern.node = typed::BindPattern{parameter};
    function.parameters.push_back(&pattern);
    function.consumes.push_back(false);
  }
  function.body = body;
  function.resultType = body->type;
  for (auto parameter = parameters.rbegin(); parameter != parameters.rend(); ++parameter)
    type = arena.type(FunctionType{nullptr, false, (*parameter)->scheme.type, {}, type});
  return arena.expr(range, type, typed::Lambda{&function});
}

typed::Expr *Checker::operatorFunction(typed::BinaryOp op, const SourceRange &range) {
  TypeRef type = freshType(range);
  const Binding *left = arena.binding(Binding::Kind::Local, "x", range, type, level);
  const Binding *right = arena.binding(Binding::Kind::Local, "y", range, type, level);
  typed::Expr *body = binary(op, useBinding(left, range), useBinding(right, range), range);
  return lambda(range, {left, right}, body);
}

typed::Expr *Checker::applyOperator(const Resolved &op, typed::Expr *left, typed::Expr *right, const SourceRange &range,
                                    const SourceRange &opRange) {
  if (op.entry.operation)
    return binary(*op.entry.operation, left, right, range);
  typed::Expr *result =
      apply(op.entry.view ? useView(op.entry, opRange) : useBinding(op.entry.binding, opRange), {left, right}, range);
  if (auto *apply = std::get_if<typed::Apply>(&result->node))
    apply->infix = true;
  return result;
}

typed::Expr *Checker::checkNode(const syntax::BinaryExpr &node, const syntax::Expr &expr, const Scope &scope) {
  Resolved op = resolveOperator(node.op, scope);
  typed::Expr *left = checkExpr(*node.left, scope);
  typed::Expr *right = checkExpr(*node.right, scope);
  return applyOperator(op, left, right, expr.range, node.op.range);
}

typed::Expr *Checker::checkNode(const syntax::UnaryExpr &node, const syntax::Expr &expr, const Scope &scope) {
  bool negate = node.op == syntax::UnaryOp::Negate;
  typed::Expr *operand = checkExpr(*node.operand, scope);
  if (negate && syntax::is<syntax::NumberLiteral>(*node.operand))
    pendingLiterals.back().negated = true;
  Unifier attempt = unifier();
  if (!attempt.requirePrims(operand->type, negate ? numericPrims : PrimSet(integerPrims | boolPrim)))
    fail(operand->range,
         std::string("the operand of '") + (negate ? "-" : "!") + "' has type '" + toString(operand->type) + "'",
         attempt.reason());
  typed::UnaryOp op = negate ? typed::UnaryOp::Negate : typed::UnaryOp::Not;
  return arena.expr(expr.range, operand->type, typed::Unary{op, operand});
}

// `(e op)` and `(op e)`: the operand is evaluated once, before the function is made.
typed::Expr *Checker::checkNode(const syntax::SectionExpr &node, const syntax::Expr &expr, const Scope &scope) {
  typed::Expr *made = section(node, expr, scope);
  sections.insert(made);
  return made;
}

typed::Expr *Checker::section(const syntax::SectionExpr &node, const syntax::Expr &expr, const Scope &scope) {
  Resolved op = resolveOperator(node.op, scope);
  typed::Expr *operand = checkExpr(node.left ? *node.left : *node.right, scope);
  const SourceRange &range = expr.range;
  if (node.left && !op.entry.operation)
    return apply(useEntry(op.entry, node.op.range), {operand}, range);
  unsigned outer = level++;
  typed::Let let;
  typed::Expr *use = operand;
  if (!typed::is<typed::Literal>(*operand) && !typed::is<typed::Var>(*operand)) {
    use = hold("operand", operand, let);
  }
  Binding *parameter = arena.binding(Binding::Kind::Local, "x", range, freshType(range), level);
  typed::Expr *other = useBinding(parameter, range);
  typed::Expr *body = node.left ? applyOperator(op, use, other, range, node.op.range)
                                : applyOperator(op, other, use, range, node.op.range);
  std::vector<const Binding *> unknown;
  std::vector<std::pair<const Binding *, Size>> known;
  if (use != operand)
    if (std::optional<Size> size = sizeOfExpr(*operand))
      known.emplace_back(typed::as<typed::Var>(*use)->binding, *size);
  TypeRef result = leaveScope(body->type, outer, unknown, known);
  level = outer;
  typed::Expr *section = lambda(range, {parameter}, body);
  raise(section->type, outer);
  if (!unknown.empty() || result != body->type) {
    TypeRef parameterType = parameter->scheme.type;
    section->type = arena.type(FunctionType{nullptr, false, parameterType, mentioned(unknown, result), result});
    auto *function = typed::as<typed::Lambda>(*section)->function;
    function->resultType = result;
    function->existentials = mentioned(unknown, result);
  }
  if (let.statements.empty())
    return section;
  let.body = section;
  return arena.expr(range, section->type, std::move(let));
}

// `(.a.b)` and `(.[i])`.
typed::Expr *Checker::checkNode(const syntax::ProjectionSectionExpr &node, const syntax::Expr &expr,
                                const Scope &scope) {
  unsigned outer = level++;
  Binding *parameter = arena.binding(Binding::Kind::Local, "x", expr.range, freshType(expr.range), level);
  typed::Expr *body = useBinding(parameter, expr.range);
  for (const auto &step : node.path) {
    if (const auto *field = std::get_if<syntax::Name>(&step))
      body = project(body, field->text, expr.range);
    else
      body = index(body, checkIndexParts(std::get<std::vector<syntax::IndexPart>>(step), scope), expr.range);
  }
  std::vector<const Binding *> unknown;
  TypeRef result = leaveScope(body->type, outer, unknown);
  level = outer;
  typed::Expr *section = lambda(expr.range, {parameter}, body);
  raise(section->type, outer);
  auto *function = typed::as<typed::Lambda>(*section)->function;
  function->resultType = result;
  function->existentials = mentioned(unknown, result);
  section->type = arena.type(FunctionType{nullptr, false, parameter->scheme.type, function->existentials, result});
  return section;
}

} // namespace ferry::futhark::types
