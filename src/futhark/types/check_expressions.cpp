// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/types/checker.h"

#include <algorithm>

namespace ferry::futhark::types {

typed::Expr *Checker::checkExpr(const syntax::Expr &expr, const Scope &scope) {
  typed::Expr *result = std::visit([&](const auto &node) { return checkNode(node, expr, scope); }, expr.node);
  result->attributes.insert(result->attributes.begin(), expr.attributes.begin(), expr.attributes.end());
  limitType(expr.range, result->type);
  return result;
}

typed::Expr *Checker::literal(const SourceRange &range, const syntax::NumberLiteral &number, PrimSet prims) {
  std::optional<Prim> suffix = primNamed(number.suffix);
  TypeRef type = suffix ? arena.prim(*suffix) : freshType(range);
  unifier().requirePrims(type, prims);
  typed::Expr *result = arena.expr(range, type, typed::Literal{});
  // Sizes are compared before the literal's type is settled, so its value is put in now, too.
  if (!number.isFloat)
    std::get<typed::Literal>(result->node).value.integer = provisionalValue(number);
  pendingLiterals.push_back({result, nullptr, number, false});
  return result;
}

typed::Expr *Checker::checkNode(const syntax::NumberLiteral &node, const syntax::Expr &expr, const Scope &) {
  return literal(expr.range, node, node.isFloat ? floatPrims : numericPrims);
}

typed::Expr *Checker::checkNode(const syntax::CharLiteral &node, const syntax::Expr &expr, const Scope &) {
  syntax::NumberLiteral number;
  number.digits = std::to_string(node.codePoint);
  return literal(expr.range, number, numericPrims);
}

typed::Expr *Checker::checkNode(const syntax::BoolLiteral &node, const syntax::Expr &expr, const Scope &) {
  return arena.expr(expr.range, arena.prim(Prim::Bool), typed::Literal{{Prim::Bool, node.value, 0}});
}

typed::Expr *Checker::checkNode(const syntax::StringLiteral &node, const syntax::Expr &expr, const Scope &) {
  TypeRef type = arena.array(constantSize(static_cast<int64_t>(node.bytes.size())), arena.prim(Prim::U8));
  return arena.expr(expr.range, type, typed::String{node.bytes});
}

typed::Expr *Checker::checkNode(const syntax::HoleExpr &, const syntax::Expr &expr, const Scope &) {
  return arena.expr(expr.range, freshType(expr.range), typed::Hole{});
}

typed::Expr *Checker::checkNode(const syntax::ParenExpr &node, const syntax::Expr &, const Scope &scope) {
  return checkExpr(*node.inner, scope);
}

typed::Expr *Checker::checkNode(const syntax::LocalOpenExpr &node, const syntax::Expr &, const Scope &scope) {
  Scope inner{&scope, resolveModuleNames(node.module, scope)};
  return checkExpr(*node.inner, inner);
}

typed::Expr *Checker::checkNode(const syntax::TupleExpr &node, const syntax::Expr &expr, const Scope &scope) {
  typed::Record record;
  std::vector<TypeRef> types;
  for (const syntax::Expr *element : node.elements) {
    record.evaluationOrder.push_back(static_cast<unsigned>(types.size()));
    record.fields.push_back(checkExpr(*element, scope));
    types.push_back(record.fields.back()->type);
  }
  return arena.expr(expr.range, arena.tuple(types), std::move(record));
}

typed::Expr *Checker::checkNode(const syntax::RecordExpr &node, const syntax::Expr &expr, const Scope &scope) {
  std::vector<std::pair<std::string, typed::Expr *>> fields;
  for (const auto &field : node.fields) {
    typed::Expr *value;
    if (field.value) {
      value = checkExpr(*field.value, scope);
    } else {
      syntax::QualifiedName name{field.name.range, {}, field.name.text};
      value = useEntry(resolveValue(name, scope).entry, field.name.range);
    }
    fields.emplace_back(field.name.text, value);
  }
  std::vector<unsigned> order(fields.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = static_cast<unsigned>(i);
  std::sort(order.begin(), order.end(),
            [&](unsigned left, unsigned right) { return fieldLess(fields[left].first, fields[right].first); });
  typed::Record record;
  record.evaluationOrder.resize(fields.size());
  RecordType type;
  for (size_t i = 0; i < order.size(); ++i) {
    auto &[name, value] = fields[order[i]];
    if (i && type.fields.back().name == name)
      fail(node.fields[order[i]].name.range, "field '" + name + "' is given twice in this record");
    type.fields.push_back({name, value->type});
    record.fields.push_back(value);
    record.evaluationOrder[order[i]] = static_cast<unsigned>(i);
  }
  return arena.expr(expr.range, arena.type(std::move(type)), std::move(record));
}

typed::Expr *Checker::checkNode(const syntax::ArrayExpr &node, const syntax::Expr &expr, const Scope &scope) {
  typed::Array array;
  TypeRef element = freshType(expr.range);
  for (const syntax::Expr *item : node.elements) {
    array.elements.push_back(checkExpr(*item, scope));
    unify(item->range, element, array.elements.back()->type, "this element of the array");
  }
  requireLifting(expr.range, element, Lifting::Unlifted, "an array cannot hold values");
  TypeRef type = arena.array(constantSize(static_cast<int64_t>(array.elements.size())), element);
  return arena.expr(expr.range, type, std::move(array));
}

typed::Expr *Checker::checkNode(const syntax::ProjectExpr &node, const syntax::Expr &expr, const Scope &scope) {
  return project(checkExpr(*node.record, scope), node.field.text, expr.range);
}

typed::Expr *Checker::checkNode(const syntax::ConstructExpr &node, const syntax::Expr &expr, const Scope &scope) {
  typed::Construct construct{0, {}};
  std::vector<TypeRef> types;
  for (const syntax::Expr *payload : node.payload) {
    construct.payload.push_back(checkExpr(*payload, scope));
    types.push_back(construct.payload.back()->type);
  }
  TypeRef type = freshType(expr.range);
  Unifier attempt = unifier();
  if (!attempt.requireConstructor(type, node.name.text, types))
    fail(expr.range, "constructor '#" + node.name.text + "' cannot be used here", attempt.reason());
  typed::Expr *result = arena.expr(expr.range, type, std::move(construct));
  pendingConstructors.push_back({result, nullptr, node.name.text});
  return result;
}

typed::Expr *Checker::checkNode(const syntax::AscribeExpr &node, const syntax::Expr &expr, const Scope &scope) {
  typed::Expr *inner = checkExpr(*node.inner, scope);
  TypeRef type = stripUnique(arena, elaborate(*node.type, {&scope}));
  unify(expr.range, type, inner->type, "this expression");
  return inner;
}

// Makes two types equal except for their sizes outside functions. With `openSizes`, sizes left open in the target
// become the other's.
void Checker::unifyButSizes(const SourceRange &range, TypeRef target, TypeRef actual, bool openSizes,
                            const std::string &what) {
  target = withoutUnique(target);
  actual = withoutUnique(actual);
  const auto *targetArray = as<ArrayType>(target);
  const auto *actualArray = as<ArrayType>(actual);
  if (targetArray && actualArray) {
    if (openSizes && resolve(targetArray->size).kind == Size::Kind::Inferred)
      unifier().unifySizes(targetArray->size, actualArray->size);
    unifyButSizes(range, targetArray->element, actualArray->element, openSizes, what);
    return;
  }
  const auto *targetRecord = as<RecordType>(target);
  const auto *actualRecord = as<RecordType>(actual);
  if (targetRecord && actualRecord && targetRecord->fields.size() == actualRecord->fields.size()) {
    for (size_t i = 0; i < targetRecord->fields.size(); ++i) {
      if (targetRecord->fields[i].name != actualRecord->fields[i].name)
        fail(range, what + " has type '" + toString(actual) + "', but '" + toString(target) + "' is needed");
      unifyButSizes(range, targetRecord->fields[i].type, actualRecord->fields[i].type, openSizes, what);
    }
    return;
  }
  const auto *targetSum = as<SumType>(target);
  const auto *actualSum = as<SumType>(actual);
  if (targetSum && actualSum && targetSum->constructors.size() == actualSum->constructors.size()) {
    for (size_t i = 0; i < targetSum->constructors.size(); ++i) {
      const Constructor &left = targetSum->constructors[i], &right = actualSum->constructors[i];
      if (left.name != right.name || left.payload.size() != right.payload.size())
        fail(range, what + " has type '" + toString(actual) + "', but '" + toString(target) + "' is needed");
      for (size_t j = 0; j < left.payload.size(); ++j)
        unifyButSizes(range, left.payload[j], right.payload[j], openSizes, what);
    }
    return;
  }
  const auto *targetAbstract = as<AbstractRef>(target);
  const auto *actualAbstract = as<AbstractRef>(actual);
  if (targetAbstract && actualAbstract && targetAbstract->type == actualAbstract->type) {
    for (size_t i = 0; i < targetAbstract->sizeArguments.size(); ++i)
      if (openSizes && resolve(targetAbstract->sizeArguments[i]).kind == Size::Kind::Inferred)
        unifier().unifySizes(targetAbstract->sizeArguments[i], actualAbstract->sizeArguments[i]);
    for (size_t i = 0; i < targetAbstract->typeArguments.size(); ++i)
      unifyButSizes(range, targetAbstract->typeArguments[i], actualAbstract->typeArguments[i], openSizes, what);
    return;
  }
  unify(range, target, actual, what);
}

typed::Expr *Checker::checkNode(const syntax::CoerceExpr &node, const syntax::Expr &expr, const Scope &scope) {
  typed::Expr *inner = checkExpr(*node.inner, scope);
  TypeRef type = stripUnique(arena, elaborate(*node.type, {&scope}));
  bool hasSizes = false;
  forEachSize(type, [&](const Size &size) { hasSizes |= size.kind != Size::Kind::Inferred; });
  if (const auto *open = as<InferredType>(withoutUnique(inner->type)); open && hasSizes && is<SumType>(type))
    fail(node.inner->range, "the sizes of this, which would be changed, are ambiguous",
         "annotate it with its type first, as in '(" + std::string(node.inner->range.text()) + " : t) :> u'");
  unifyButSizes(expr.range, type, inner->type, true, "this expression");
  return arena.expr(expr.range, type, typed::Coerce{inner});
}

typed::Expr *Checker::checkNode(const syntax::AssertExpr &node, const syntax::Expr &expr, const Scope &scope) {
  typed::Expr *condition = checkCondition(*node.condition, scope);
  typed::Expr *body = checkExpr(*node.body, scope);
  return arena.expr(expr.range, body->type, typed::Assert{condition, body});
}

} // namespace ferry::futhark::types
