// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/types/checker.h"

namespace ferry::futhark::types {

typed::Statement Checker::checkLetValue(const syntax::LetStatement::Value &node, const syntax::LetStatement &statement,
                                        Scope &scope) {
  typed::Statement result;
  result.range = statement.range;
  result.value = checkExpr(*node.value, scope);
  ++level;
  PatternContext context{&scope, {}};
  Substitution open;
  for (const syntax::Name &name : node.sizes) {
    const Binding *size = arena.binding(Binding::Kind::Size, name.text, name.range, arena.prim(Prim::I64), level);
    if (!context.names.insert(name.text).second)
      fail(name.range, "the name '" + name.text + "' is bound twice in one pattern");
    scope.names.values[name.text] = {size, {}, {}, {}};
    result.sizes.push_back(size);
    open.sizes[size] = inferredSize(arena.sizeVariable(name.range, openedLevel));
  }
  if (node.sizes.empty()) {
    result.pattern = checkPattern(*node.pattern, result.value->type, context);
  } else {
    result.pattern = checkPattern(*node.pattern, freshType(node.pattern->range), context);
    TypeRef expected = substitute(arena, result.pattern->type, open);
    unify(node.value->range, expected, result.value->type, "the value of this 'let'");
    std::unordered_set<const Binding *> witnessed;
    collectWitnessed(result.pattern->type, witnessed);
    for (const Binding *size : result.sizes)
      if (!witnessed.count(size))
        fail(size->range, "size '" + size->name + "' is not the size of any array in the pattern");
  }
  requireIrrefutable(*result.pattern);
  return result;
}

typed::Statement Checker::checkLetFunction(const syntax::LetStatement::Function &node,
                                           const syntax::LetStatement &statement, Scope &scope) {
  typed::Statement result;
  result.range = statement.range;
  FunctionSyntax syntax{statement.range,  node.name.text,  &node.typeParameters,
                        &node.parameters, node.resultType, node.body};
  CheckedFunction checked = checkFunction(syntax, scope, nullptr);
  for (const typed::Pattern *parameter : checked.function->parameters)
    requireIrrefutable(*parameter);
  if (!node.parameters.empty())
    generalize(*checked.function, checked.type, false);
  raise(checked.type, level);
  ++level;
  BindingInfo *name = arena.binding(Binding::Kind::Local, node.name.text, node.name.range, checked.type, level);
  name->scheme = {checked.function->typeParams, checked.function->sizeParams, checked.type};
  scope.names.values[node.name.text] = {name, {}, {}, {}};
  result.name = name;
  result.function = checked.function;
  return result;
}

typed::Statement Checker::checkLetUpdate(const syntax::LetStatement::Update &node,
                                         const syntax::LetStatement &statement, Scope &scope) {
  typed::Statement result;
  result.range = statement.range;
  syntax::QualifiedName name{node.name.range, {}, node.name.text};
  typed::Expr *target = useEntry(resolveValue(name, scope).entry, node.name.range);
  result.value = updatePath(target, node.path, *node.value, statement.range, scope);
  ++level;
  typed::Pattern &pattern = arena.patterns.emplace_back();
  pattern.range = node.name.range;
  pattern.type = result.value->type;
  PatternContext context{&scope, {}};
  pattern.node = typed::BindPattern{bindName(node.name.text, node.name.range, pattern.type, context)};
  result.pattern = &pattern;
  return result;
}

typed::Expr *Checker::checkNode(const syntax::LetExpr &node, const syntax::Expr &expr, const Scope &scope) {
  unsigned outer = level;
  Scope inner{&scope, {}}; // Grows with every statement, which is checked before its own names are added.
  typed::Let let;
  std::vector<std::pair<const Binding *, Size>> known;
  for (const syntax::LetStatement &statement : node.statements) {
    if (const auto *value = std::get_if<syntax::LetStatement::Value>(&statement.node))
      let.statements.push_back(checkLetValue(*value, statement, inner));
    else if (const auto *function = std::get_if<syntax::LetStatement::Function>(&statement.node))
      let.statements.push_back(checkLetFunction(*function, statement, inner));
    else
      let.statements.push_back(
          checkLetUpdate(std::get<syntax::LetStatement::Update>(statement.node), statement, inner));
    // A name for an i64 may leave its scope as the expression it stands for.
    const typed::Statement &made = let.statements.back();
    const auto *bind = made.pattern ? typed::as<typed::BindPattern>(*made.pattern) : nullptr;
    if (bind && resolve(made.value->type) == arena.prim(Prim::I64))
      if (std::optional<Size> size = sizeOfExpr(*made.value))
        known.emplace_back(bind->binding, *size);
  }
  let.body = checkExpr(*node.body, inner);
  std::vector<const Binding *> unknown;
  TypeRef type = leaveScope(let.body->type, outer, unknown, known);
  level = outer;
  typed::Expr *result = arena.expr(expr.range, type, std::move(let));
  result->existentials = mentioned(unknown, type);
  return result;
}

} // namespace ferry::futhark::types
