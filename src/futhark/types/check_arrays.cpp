// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indexing, slices, ranges, updates.
#include "futhark/types/checker.h"

#include <algorithm>

namespace ferry::futhark::types {

namespace {

// The value of an integer literal, also a negated one.
std::optional<int64_t> literalValue(const typed::Expr *expr) {
  if (!expr)
    return std::nullopt;
  if (const auto *literal = typed::as<typed::Literal>(*expr))
    return static_cast<int64_t>(literal->value.integer);
  if (const auto *unary = typed::as<typed::Unary>(*expr); unary && unary->op == typed::UnaryOp::Negate)
    if (const auto *literal = typed::as<typed::Literal>(*unary->operand))
      return -static_cast<int64_t>(literal->value.integer);
  return std::nullopt;
}

} // namespace

std::vector<typed::IndexPart> Checker::checkIndexParts(const std::vector<syntax::IndexPart> &parts,
                                                       const Scope &scope) {
  std::vector<typed::IndexPart> result;
  auto slicePart = [&](const syntax::Expr *expr) -> typed::Expr * {
    if (!expr)
      return nullptr;
    typed::Expr *checked = checkExpr(*expr, scope);
    unify(expr->range, arena.prim(Prim::I64), checked->type, "this part of a slice");
    return checked;
  };
  for (const syntax::IndexPart &part : parts) {
    typed::IndexPart made;
    made.range = part.range;
    made.isSlice = part.isSlice;
    if (part.isSlice) {
      made.begin = slicePart(part.index);
      made.end = slicePart(part.end);
      made.stride = slicePart(part.stride);
    } else {
      made.index = checkExpr(*part.index, scope);
      Unifier attempt = unifier();
      if (!attempt.requirePrims(made.index->type, integerPrims))
        fail(part.range, "this index has type '" + toString(made.index->type) + "'", attempt.reason());
      // An index that nothing else determines is an i64.
      const auto *inferred = as<InferredType>(resolve(made.index->type));
      if (inferred && typed::is<typed::Literal>(*made.index))
        attempt.unify(arena.prim(Prim::I64), made.index->type);
    }
    result.push_back(made);
  }
  return result;
}

// `end - begin` as a size, or nothing if that cannot be one.
std::optional<Size> Checker::difference(const std::optional<Size> &end, const std::optional<Size> &begin,
                                        const SourceRange &range) {
  if (!end || !begin)
    return std::nullopt;
  Size last = resolve(*end), first = resolve(*begin);
  if (first.kind == Size::Kind::Constant && last.kind == Size::Kind::Constant && last.constant >= first.constant)
    return constantSize(last.constant - first.constant);
  typed::Expr *made =
      arena.expr(range, arena.prim(Prim::I64),
                 typed::Binary{typed::BinaryOp::Sub, exprOfSize(arena, last), exprOfSize(arena, first)});
  return sizeOfExpr(*made);
}

// The size of a slice where it can be expressed: `j - i`, where a missing `i` is 0 and a missing `j` the length; for
// the stride -1 `i - j`.
Size Checker::sliceSize(const typed::IndexPart &part, const Size &dimension, std::vector<const Binding *> &unknown) {
  std::optional<int64_t> stride = part.stride ? literalValue(part.stride) : 1;
  if (!part.begin && !part.end && stride && (*stride == 1 || *stride == -1))
    return dimension;
  std::optional<int64_t> begin = part.begin ? literalValue(part.begin) : 0;
  std::optional<Size> end = part.end ? sizeOfExpr(*part.end) : dimension;
  if (stride == 1 && end) {
    std::optional<Size> first = part.begin ? sizeOfExpr(*part.begin) : constantSize(0);
    if (begin == 0)
      return *end;
    if (std::optional<Size> size = difference(end, first, part.range))
      return *size;
  }
  if (stride == -1 && part.begin && part.end)
    if (std::optional<Size> size = difference(sizeOfExpr(*part.begin), sizeOfExpr(*part.end), part.range))
      return *size;
  unknown.push_back(freshUnknown(part.range, "m"));
  return variableSize(unknown.back());
}

typed::Expr *Checker::index(typed::Expr *array, const std::vector<typed::IndexPart> &parts, const SourceRange &range) {
  std::vector<const Binding *> unknown;
  std::vector<std::optional<Size>> kept;
  TypeRef type = array->type;
  for (size_t i = 0; i < parts.size(); ++i) {
    type = withoutUnique(type);
    if (is<InferredType>(type)) {
      TypeRef element = freshType(range);
      requireLifting(range, element, Lifting::Unlifted, "an array cannot hold values");
      unify(array->range, type, arena.array(freshSize(range), element), "what is indexed");
      type = resolve(type);
    }
    const auto *node = as<ArrayType>(type);
    if (!node && i == 0)
      fail(array->range, "this is not an array; it has type '" + toString(array->type) + "'");
    if (!node)
      fail(parts[i].range, std::to_string(parts.size()) + " indices for an array of " + std::to_string(i) +
                               (i == 1 ? " dimension" : " dimensions"));
    kept.push_back(parts[i].isSlice ? std::optional(sliceSize(parts[i], resolve(node->size), unknown)) : std::nullopt);
    type = node->element;
  }
  for (auto size = kept.rbegin(); size != kept.rend(); ++size)
    if (*size)
      type = arena.array(**size, type);
  typed::Expr *result = arena.expr(range, type, typed::Index{array, parts});
  result->existentials = mentioned(unknown, type);
  return result;
}

typed::Expr *Checker::checkNode(const syntax::IndexExpr &node, const syntax::Expr &expr, const Scope &scope) {
  typed::Expr *array = checkExpr(*node.array, scope);
  return index(array, checkIndexParts(node.parts, scope), expr.range);
}

typed::Expr *Checker::checkNode(const syntax::RangeExpr &node, const syntax::Expr &expr, const Scope &scope) {
  typed::Range result{checkExpr(*node.start, scope), nullptr, typed::RangeEnd::Inclusive, nullptr};
  Unifier attempt = unifier();
  if (!attempt.requirePrims(result.start->type, integerPrims))
    fail(result.start->range, "the beginning of a range has type '" + toString(result.start->type) + "'",
         attempt.reason());
  auto part = [&](const syntax::Expr &syntax) {
    typed::Expr *checked = checkExpr(syntax, scope);
    unify(syntax.range, result.start->type, checked->type, "this part of a range");
    return checked;
  };
  if (node.second)
    result.second = part(*node.second);
  result.end = part(*node.end);
  result.endKind = static_cast<typed::RangeEnd>(node.endKind);
  std::vector<const Binding *> unknown;
  std::optional<int64_t> start = literalValue(result.start);
  bool stepIsOne = !result.second || (start && literalValue(result.second) == *start + 1);
  bool countsToEnd = stepIsOne && ((start == 0 && result.endKind == typed::RangeEnd::UpTo) ||
                                   (start == 1 && result.endKind == typed::RangeEnd::Inclusive));
  std::optional<Size> size;
  std::optional<int64_t> constantEnd = literalValue(result.end);
  bool isI64 = resolve(result.end->type) == arena.prim(Prim::I64);
  if (countsToEnd && (isI64 || constantEnd)) {
    if (!constantEnd || *constantEnd >= 0)
      size = sizeOfExpr(*result.end);
  } else if (isI64 && !result.second && result.endKind == typed::RangeEnd::UpTo) {
    size = difference(sizeOfExpr(*result.end), sizeOfExpr(*result.start), expr.range);
  }
  if (!size) {
    unknown.push_back(freshUnknown(expr.range));
    size = variableSize(unknown.back());
  }
  TypeRef type = arena.array(*size, result.start->type);
  typed::Expr *made = arena.expr(expr.range, type, result);
  made->existentials = unknown;
  return made;
}

// The type of what may replace a part of an array: a slice takes arrays of any size, which is compared with its own
// when the program runs.
TypeRef Checker::replaceable(TypeRef part, std::span<const typed::IndexPart> parts, const SourceRange &range) {
  if (parts.empty())
    return part;
  if (!parts.front().isSlice)
    return replaceable(part, parts.subspan(1), range);
  const auto *array = as<ArrayType>(withoutUnique(part));
  return arena.array(freshSize(range), replaceable(array->element, parts.subspan(1), range));
}

typed::Expr *Checker::copied(typed::Expr *value) {
  return apply(useEntry(prelude.names.values.at("copy"), value->range), {value}, value->range);
}

// `target with path[first..] = value`. A step into an element or field that is not the last reads it, updates it and
// puts it back; the target is a name by then. What is read of an array is copied, as the array itself is updated.
typed::Expr *Checker::update(typed::Expr *target, const std::vector<Step> &path, size_t first, typed::Expr *value,
                             const SourceRange &range) {
  bool last = first + 1 == path.size();
  if (const auto *parts = std::get_if<std::vector<typed::IndexPart>>(&path[first])) {
    typed::Expr *element = index(target, *parts, range);
    if (!last)
      value = update(copied(element), path, first + 1, value, range);
    unify(value->range, replaceable(element->type, *parts, range), value->type, "the new value");
    return arena.expr(range, target->type, typed::Update{target, *parts, value});
  }
  const std::string &field = std::get<std::string>(path[first]);
  typed::Expr *old = project(target, field, range);
  if (!last)
    value = update(old, path, first + 1, value, range);
  TypeRef type = target->type;
  if (const auto *record = as<RecordType>(withoutUnique(type))) {
    unifyButSizes(value->range, old->type, value->type, false, "the new value");
    RecordType changed = *record;
    for (Field &part : changed.fields)
      if (part.name == field)
        part.type = value->type;
    type = arena.type(std::move(changed));
  } else { // Only known to have this field.
    unify(value->range, old->type, value->type, "the new value");
  }
  typed::Expr *result = arena.expr(range, type, typed::RecordUpdate{target, {0}, value});
  pendingFields.push_back({result, field});
  return result;
}

typed::Expr *Checker::updatePath(typed::Expr *target, const std::vector<syntax::LetStatement::Step> &path,
                                 const syntax::Expr &valueSyntax, const SourceRange &range, const Scope &scope) {
  std::vector<Step> steps;
  for (const auto &step : path) {
    if (const auto *field = std::get_if<syntax::Name>(&step)) {
      steps.emplace_back(field->text);
      continue;
    }
    std::vector<typed::IndexPart> parts = checkIndexParts(std::get<std::vector<syntax::IndexPart>>(step), scope);
    auto *before = steps.empty() ? nullptr : std::get_if<std::vector<typed::IndexPart>>(&steps.back());
    bool isElement = before && std::none_of(before->begin(), before->end(),
                                            [](const typed::IndexPart &part) { return part.isSlice; });
    if (isElement) // `[i][j]` is `[i, j]`.
      before->insert(before->end(), parts.begin(), parts.end());
    else
      steps.emplace_back(std::move(parts));
  }
  typed::Expr *value = checkExpr(valueSyntax, scope);
  if (steps.size() == 1 || typed::is<typed::Var>(*target))
    return update(target, steps, 0, value, range);
  // A target that is read more than once gets a name.
  unsigned outer = level++;
  typed::Let let;
  typed::Expr *held = hold("target", target, let);
  let.body = update(held, steps, 0, value, range);
  level = outer;
  return arena.expr(range, target->type, std::move(let));
}

typed::Expr *Checker::checkNode(const syntax::UpdateExpr &node, const syntax::Expr &expr, const Scope &scope) {
  return updatePath(checkExpr(*node.target, scope), node.path, *node.value, expr.range, scope);
}

} // namespace ferry::futhark::types
