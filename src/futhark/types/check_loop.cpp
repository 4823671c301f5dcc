// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops. The parameter gets the initial value's type with every size replaced by a variable. When the body has been
// checked, a size that the body hands on unchanged is the initial one; the others change from iteration to iteration
// and become names of the loop, and unknown sizes of its result.
#include "futhark/types/checker.h"

#include <algorithm>

namespace ferry::futhark::types {

// `loop (x, y) for ...` starts from the variables x and y around it.
const syntax::Expr *Checker::implicitInitial(const syntax::Pattern &pattern) {
  syntax::Expr &made = madeUp.emplace_back();
  made.range = pattern.range;
  if (const auto *name = syntax::as<syntax::NamePattern>(pattern)) {
    made.node = syntax::NameExpr{{pattern.range, {}, name->name}};
  } else if (const auto *ascribed = syntax::as<syntax::AscribedPattern>(pattern)) {
    return implicitInitial(*ascribed->inner);
  } else if (const auto *tuple = syntax::as<syntax::TuplePattern>(pattern)) {
    syntax::TupleExpr node;
    for (const syntax::Pattern *element : tuple->elements)
      node.elements.push_back(const_cast<syntax::Expr *>(implicitInitial(*element))); // NOLINT: made here.
    made.node = std::move(node);
  } else if (const auto *record = syntax::as<syntax::RecordPattern>(pattern)) {
    syntax::RecordExpr node;
    for (const auto &field : record->fields) {
      const syntax::Expr *value = field.pattern ? implicitInitial(*field.pattern) : nullptr;
      node.fields.push_back({field.name, const_cast<syntax::Expr *>(value)}); // NOLINT: made here.
    }
    made.node = std::move(node);
  } else {
    fail(pattern.range, "this loop has no initial value", "write 'loop pattern = value for ...'");
  }
  return &made;
}

namespace {

// The sizes outside functions of two types of the same form, pairwise.
void pairSizes(TypeRef left, TypeRef right, std::vector<std::pair<Size, Size>> &pairs) {
  std::vector<Size> first, second;
  forEachSize(left, [&](const Size &size) { first.push_back(size); });
  forEachSize(right, [&](const Size &size) { second.push_back(size); });
  for (size_t i = 0; i < std::min(first.size(), second.size()); ++i)
    pairs.emplace_back(first[i], second[i]);
}

} // namespace

void Checker::settleLoopSizes(const syntax::Expr &expr, typed::Loop &loop, TypeRef parameterType, TypeRef initialType,
                              const std::vector<SizeVariable *> &variables,
                              const std::vector<const Binding *> &declared) {
  Substitution open; // The loop's own size names, as variables.
  for (const Binding *size : declared)
    open.sizes[size] = inferredSize(arena.sizeVariable(size->range, openedLevel));
  TypeRef initialParameter = substitute(arena, parameterType, open);
  std::vector<std::pair<Size, Size>> initial, next;
  unifyButSizes(loop.body->range, parameterType, loop.body->type, false, "the body of the loop");
  pairSizes(initialParameter, initialType, initial);
  pairSizes(parameterType, loop.body->type, next);

  // Assume that all open sizes stay what they are at first; take back what turns out wrong until nothing changes.
  std::vector<SizeVariable *> invariant;
  auto initialOf = [&](const SizeVariable *variable) -> std::optional<Size> {
    for (const auto &[parameter, value] : initial)
      if (Size size = resolve(parameter); size.kind == Size::Kind::Inferred && size.inferred == variable)
        return value;
    return std::nullopt;
  };
  for (SizeVariable *variable : variables)
    if (!variable->isBound && initialOf(variable))
      invariant.push_back(variable);
  auto underAssumption = [&](const Size &size) {
    Size resolved = resolve(size);
    if (resolved.kind == Size::Kind::Inferred &&
        std::find(invariant.begin(), invariant.end(), resolved.inferred) != invariant.end())
      resolved = resolve(*initialOf(resolved.inferred));
    // Loops around this one have yet to find out; they make the same assumption.
    while (resolved.kind == Size::Kind::Inferred) {
      auto outer = loopInitials.find(resolved.inferred);
      if (outer == loopInitials.end() ||
          std::find(variables.begin(), variables.end(), resolved.inferred) != variables.end())
        break;
      resolved = resolve(outer->second);
    }
    return resolved;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < next.size(); ++i) {
      Size parameter = resolve(next[i].first), value = resolve(next[i].second);
      auto found = parameter.kind == Size::Kind::Inferred
                       ? std::find(invariant.begin(), invariant.end(), parameter.inferred)
                       : invariant.end();
      if (found == invariant.end())
        continue;
      bool openValue = value.kind == Size::Kind::Inferred &&
                       std::find(variables.begin(), variables.end(), value.inferred) == variables.end();
      if (!openValue && !equal(underAssumption(value), underAssumption(parameter))) {
        invariant.erase(found);
        changed = true;
      }
    }
  }
  for (SizeVariable *variable : invariant)
    if (!variable->isBound)
      unifier().unifySizes(inferredSize(variable), *initialOf(variable));
  for (SizeVariable *variable : variables) {
    if (variable->isBound || resolve(inferredSize(variable)).kind != Size::Kind::Inferred)
      continue;
    Binding *size = freshUnknown(variable->range);
    info(size)->level = level + 1;
    variable->isBound = true;
    variable->bound = variableSize(size);
    loop.sizes.push_back(size);
  }
  // Where the parameter's size is a name of the loop, any size will do.
  auto withAnySizes = [&] {
    Substitution changing;
    for (const Binding *size : loop.sizes)
      changing.sizes[size] = inferredSize(arena.sizeVariable(size->range, openedLevel));
    return substitute(arena, parameterType, changing);
  };
  unify(expr.range, withAnySizes(), initialType, "the initial value of the loop");
  unify(loop.body->range, withAnySizes(), loop.body->type, "the body of the loop");
}

typed::Expr *Checker::checkLoopBound(const syntax::LoopExpr &node, const Scope &scope) {
  if (const auto *counted = std::get_if<syntax::LoopExpr::Counted>(&node.form)) {
    typed::Expr *bound = checkExpr(*counted->bound, scope);
    Unifier attempt = unifier();
    if (!attempt.requirePrims(bound->type, integerPrims))
      fail(bound->range, "the bound of a loop has type '" + toString(bound->type) + "'", attempt.reason());
    return bound;
  }
  const auto *over = std::get_if<syntax::LoopExpr::Over>(&node.form);
  return over ? checkExpr(*over->array, scope) : nullptr;
}

void Checker::checkLoopForm(const syntax::LoopExpr &node, typed::Expr *bound, Scope &inner, typed::Loop &loop) {
  PatternContext context{&inner, {}};
  if (const auto *counted = std::get_if<syntax::LoopExpr::Counted>(&node.form)) {
    loop.form = typed::Loop::Counted{bindName(counted->index.text, counted->index.range, bound->type, context), bound};
  } else if (const auto *over = std::get_if<syntax::LoopExpr::Over>(&node.form)) {
    TypeRef element = freshType(over->element->range);
    TypeRef array = arena.array(freshSize(over->array->range), element);
    requireLifting(over->array->range, element, Lifting::Unlifted, "an array cannot hold values");
    unify(over->array->range, array, bound->type, "what a 'for' runs over");
    typed::Pattern *pattern = checkPattern(*over->element, element, context);
    requireIrrefutable(*pattern);
    loop.form = typed::Loop::Over{pattern, bound};
  } else {
    loop.form = typed::Loop::While{checkCondition(*std::get<syntax::LoopExpr::While>(node.form).condition, inner)};
  }
}

typed::Expr *Checker::checkNode(const syntax::LoopExpr &node, const syntax::Expr &expr, const Scope &scope) {
  const syntax::Expr *initialSyntax = node.initial ? node.initial : implicitInitial(*node.pattern);
  typed::Loop loop{{}, nullptr, checkExpr(*initialSyntax, scope), typed::Loop::While{nullptr}, nullptr};
  unsigned outer = level;
  std::vector<SizeVariable *> variables;
  TypeRef initialType = loop.initial->type;
  TypeRef open = mapSizes(arena, initialType, [&](const Size &size) {
    variables.push_back(arena.sizeVariable(initialSyntax->range, outer));
    loopInitials.emplace(variables.back(), size);
    return inferredSize(variables.back());
  });
  typed::Expr *bound = checkLoopBound(node, scope);

  ++level;
  Scope inner{&scope, {}};
  std::vector<const Binding *> declared;
  for (const syntax::Name &name : node.sizes) {
    Binding *size = arena.binding(Binding::Kind::Size, name.text, name.range, arena.prim(Prim::I64), level);
    inner.names.values[name.text] = {size, {}, {}, {}};
    declared.push_back(size);
  }
  loop.sizes = declared;
  // Pattern variables of an annotation, `[]` included, are the loop's to settle, too.
  size_t firstVariable = arena.sizeVariables.size();
  PatternContext context{&inner, {}};
  TypeRef parameterType = open;
  if (declared.empty()) {
    loop.parameter = checkPattern(*node.pattern, open, context);
  } else {
    variables.clear();
    parameterType = freshType(node.pattern->range);
    loop.parameter = checkPattern(*node.pattern, parameterType, context);
    unifyButSizes(node.pattern->range, parameterType, initialType, false, "the initial value of the loop");
  }
  requireIrrefutable(*loop.parameter);
  for (size_t i = firstVariable; i < arena.sizeVariables.size(); ++i)
    variables.push_back(&arena.sizeVariables[i]);

  checkLoopForm(node, bound, inner, loop);
  ++level;
  loop.body = checkExpr(*node.body, inner);
  level = outer;
  settleLoopSizes(expr, loop, parameterType, initialType, variables, declared);
  requireLifting(node.pattern->range, parameterType, Lifting::SizeLifted, "a loop's parameter cannot be a value");
  std::vector<const Binding *> unknown;
  TypeRef type = leaveScope(parameterType, outer, unknown);
  typed::Expr *made = arena.expr(expr.range, type, std::move(loop));
  made->existentials = mentioned(unknown, type);
  return made;
}

} // namespace ferry::futhark::types
