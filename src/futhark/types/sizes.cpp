// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes: what they mention, when they are equal, and their forms as expressions.
#include "futhark/types/substitute.h"

namespace ferry::futhark::types {

namespace {

// Deeper size expressions become unknown sizes.
constexpr unsigned maximumSizeDepth = 24;

// Calls `visit` for every node of a size expression.
void forEachNode(const typed::Expr &expr, const std::function<void(const typed::Expr &)> &visit) {
  visit(expr);
  std::vector<typed::Expr *> operands;
  if (aliased(expr) || !sizeOperands(expr, operands))
    return;
  for (const typed::Expr *operand : operands)
    forEachNode(*operand, visit);
}

bool qualifies(const typed::Expr &expr, unsigned depth) {
  std::vector<typed::Expr *> operands;
  if (depth == 0 || !sizeOperands(expr, operands))
    return false;
  for (const typed::Expr *operand : operands)
    if (!qualifies(*operand, depth - 1))
      return false;
  return true;
}

bool equalExprs(const typed::Expr &left, const typed::Expr &right) {
  if (&left == &right)
    return true;
  bool leftName = typed::is<typed::Var>(left), rightName = typed::is<typed::Var>(right);
  if (leftName || rightName) {
    // Either may stand for an inferred size.
    if (leftName && rightName && typed::as<typed::Var>(left)->binding == typed::as<typed::Var>(right)->binding)
      return true;
    Size leftSize = resolve(expressionSize(&left)), rightSize = resolve(expressionSize(&right));
    bool progress = leftSize.expression != &left || rightSize.expression != &right;
    if (!progress)
      return false;
    auto simple = [](const Size &size) {
      return size.kind == Size::Kind::Expression ? sizeOfExpr(*size.expression).value_or(size) : size;
    };
    return equal(simple(leftSize), simple(rightSize));
  }
  if (left.node.index() != right.node.index())
    return false;
  if (const auto *literal = typed::as<typed::Literal>(left)) {
    const auto &other = *typed::as<typed::Literal>(right);
    return literal->value.integer == other.value.integer && literal->value.real == other.value.real;
  }
  if (const auto *string = typed::as<typed::String>(left))
    return string->bytes == typed::as<typed::String>(right)->bytes;
  if (const auto *lambda = typed::as<typed::Lambda>(left)) { // Two operators.
    const auto *op = typed::as<typed::Binary>(*lambda->function->body);
    const auto *other = typed::as<typed::Binary>(*typed::as<typed::Lambda>(right)->function->body);
    return op && other && op->op == other->op;
  }
  if (const auto *binary = typed::as<typed::Binary>(left); binary && binary->op != typed::as<typed::Binary>(right)->op)
    return false;
  if (const auto *unary = typed::as<typed::Unary>(left); unary && unary->op != typed::as<typed::Unary>(right)->op)
    return false;
  if (const auto *project = typed::as<typed::Project>(left);
      project && project->field != typed::as<typed::Project>(right)->field)
    return false;
  std::vector<typed::Expr *> leftOperands, rightOperands;
  if (!sizeOperands(left, leftOperands) || !sizeOperands(right, rightOperands) ||
      leftOperands.size() != rightOperands.size())
    return false;
  for (size_t i = 0; i < leftOperands.size(); ++i)
    if (!equalExprs(*leftOperands[i], *rightOperands[i]))
      return false;
  return true;
}

} // namespace

void forEachName(const Size &size, const std::function<void(const Binding *)> &visit) {
  Size resolved = resolve(size);
  if (resolved.kind == Size::Kind::Variable)
    visit(resolved.variable);
  if (resolved.kind != Size::Kind::Expression)
    return;
  forEachNode(*resolved.expression, [&](const typed::Expr &expr) {
    if (SizeVariable *variable = aliased(expr))
      forEachName(inferredSize(variable), visit);
    else if (const auto *var = typed::as<typed::Var>(expr))
      visit(var->binding);
  });
}

void forEachInferred(const Size &size, const std::function<void(SizeVariable *)> &visit) {
  Size resolved = resolve(size);
  if (resolved.kind == Size::Kind::Inferred)
    visit(resolved.inferred);
  if (resolved.kind != Size::Kind::Expression)
    return;
  forEachNode(*resolved.expression, [&](const typed::Expr &expr) {
    if (SizeVariable *variable = aliased(expr))
      forEachInferred(inferredSize(variable), visit);
  });
}

void forEachSize(TypeRef type, const std::function<void(const Size &)> &visit) {
  type = resolve(type);
  if (const auto *array = as<ArrayType>(type)) {
    visit(resolve(array->size));
    forEachSize(array->element, visit);
  } else if (const auto *record = as<RecordType>(type)) {
    for (const Field &field : record->fields)
      forEachSize(field.type, visit);
  } else if (const auto *sum = as<SumType>(type)) {
    for (const Constructor &constructor : sum->constructors)
      for (TypeRef payload : constructor.payload)
        forEachSize(payload, visit);
  } else if (const auto *function = as<FunctionType>(type)) {
    forEachSize(function->parameter, visit);
    forEachSize(function->result, visit);
  } else if (const auto *abstract = as<AbstractRef>(type)) {
    for (const Size &size : abstract->sizeArguments)
      visit(resolve(size));
    for (TypeRef argument : abstract->typeArguments)
      forEachSize(argument, visit);
  } else if (const auto *unique = as<UniqueType>(type)) {
    forEachSize(unique->inner, visit);
  }
}

void forEachAbstract(TypeRef type, const std::function<void(const AbstractType *)> &visit) {
  type = resolve(type);
  if (const auto *array = as<ArrayType>(type)) {
    forEachAbstract(array->element, visit);
  } else if (const auto *record = as<RecordType>(type)) {
    for (const Field &field : record->fields)
      forEachAbstract(field.type, visit);
  } else if (const auto *sum = as<SumType>(type)) {
    for (const Constructor &constructor : sum->constructors)
      for (TypeRef payload : constructor.payload)
        forEachAbstract(payload, visit);
  } else if (const auto *function = as<FunctionType>(type)) {
    forEachAbstract(function->parameter, visit);
    forEachAbstract(function->result, visit);
  } else if (const auto *abstract = as<AbstractRef>(type)) {
    visit(abstract->type);
    for (TypeRef argument : abstract->typeArguments)
      forEachAbstract(argument, visit);
  } else if (const auto *unique = as<UniqueType>(type)) {
    forEachAbstract(unique->inner, visit);
  }
}

bool mentions(TypeRef type, const Binding *name) {
  bool found = false;
  forEachSize(type, [&](const Size &size) { forEachName(size, [&](const Binding *used) { found |= used == name; }); });
  return found;
}

void collectWitnessed(TypeRef type, std::unordered_set<const Binding *> &names) {
  type = withoutUnique(type);
  if (const auto *array = as<ArrayType>(type)) {
    Size size = resolve(array->size);
    if (size.kind == Size::Kind::Variable)
      names.insert(size.variable);
    collectWitnessed(array->element, names);
  } else if (const auto *record = as<RecordType>(type)) {
    for (const Field &field : record->fields)
      collectWitnessed(field.type, names);
  } else if (const auto *sum = as<SumType>(type)) {
    for (const Constructor &constructor : sum->constructors)
      for (TypeRef payload : constructor.payload)
        collectWitnessed(payload, names);
  } else if (const auto *abstract = as<AbstractRef>(type)) {
    for (const Size &size : abstract->sizeArguments)
      if (Size resolved = resolve(size); resolved.kind == Size::Kind::Variable)
        names.insert(resolved.variable);
    for (TypeRef argument : abstract->typeArguments)
      collectWitnessed(argument, names);
  }
}

bool equal(const Size &left, const Size &right) {
  Size a = resolve(left), b = resolve(right);
  if (a.kind != b.kind)
    return false;
  switch (a.kind) {
  case Size::Kind::Constant:
    return a.constant == b.constant;
  case Size::Kind::Variable:
    return a.variable == b.variable;
  case Size::Kind::Expression:
    return equalExprs(*a.expression, *b.expression);
  case Size::Kind::Inferred:
    return a.inferred == b.inferred;
  }
  return false;
}

unsigned nodesIn(const Size &size) {
  Size resolved = resolve(size);
  unsigned count = 1;
  if (resolved.kind == Size::Kind::Expression)
    forEachNode(*resolved.expression, [&](const typed::Expr &) { ++count; });
  return count;
}

std::optional<Size> sizeOfExpr(const typed::Expr &expr) {
  if (SizeVariable *variable = aliased(expr))
    return resolve(inferredSize(variable));
  if (const auto *assertion = typed::as<typed::Assert>(expr))
    return sizeOfExpr(*assertion->body);
  if (const auto *literal = typed::as<typed::Literal>(expr))
    return constantSize(static_cast<int64_t>(literal->value.integer));
  if (const auto *var = typed::as<typed::Var>(expr); var && var->typeArguments.empty() && var->sizeArguments.empty())
    return variableSize(var->binding);
  if (!qualifies(expr, maximumSizeDepth))
    return std::nullopt;
  return expressionSize(&expr);
}

typed::Expr *exprOfSize(typed::Arena &arena, const Size &size) {
  Size resolved = resolve(size);
  TypeRef type = arena.prim(Prim::I64);
  switch (resolved.kind) {
  case Size::Kind::Constant:
    return arena.expr({}, type, typed::Literal{{Prim::I64, static_cast<uint64_t>(resolved.constant), 0}});
  case Size::Kind::Variable:
    return arena.expr(resolved.variable->range, type, typed::Var{resolved.variable, {}, {}});
  case Size::Kind::Expression:
    return const_cast<typed::Expr *>(resolved.expression); // NOLINT: nodes of the arena.
  case Size::Kind::Inferred:
    break;
  }
  SizeVariable *variable = resolved.inferred;
  if (!variable->alias) {
    BindingInfo *alias = arena.binding(Binding::Kind::Size, "_", variable->range, type, boundInTypeLevel);
    alias->alias = variable;
    variable->alias = alias;
  }
  return arena.expr(variable->range, type, typed::Var{variable->alias, {}, {}});
}

} // namespace ferry::futhark::types
