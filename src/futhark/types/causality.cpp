// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk in order of evaluation, keeping the unknown sizes that have become known. Arguments are evaluated before
// the function; operands of an operator from left to right; among other arguments, values are taken to come before
// functions, so that `f (\x -> ..) xs` is fine when the lambda's type mentions a size that evaluating `xs` tells. A
// section is a function: all sizes in its type must be known before its operand is evaluated.
#include "futhark/types/causality.h"
#include "futhark/types/check_error.h"
#include "futhark/types/substitute.h"

#include <algorithm>

namespace ferry::futhark::types {

namespace {

class CausalityWalker {
public:
  CausalityWalker(const typed::Arena &arena, size_t firstBinding,
                  const std::unordered_set<const typed::Expr *> &sections);
  void function(const typed::Function &function);

private:
  void walk(const typed::Expr &expr);
  void walkAll(const std::vector<typed::Expr *> &exprs);
  void node(const typed::Var &, const typed::Expr &expr) { need(expr.type, expr.range); }
  void node(const typed::Hole &, const typed::Expr &expr) { need(expr.type, expr.range); }
  void node(const typed::Array &array, const typed::Expr &expr);
  void node(const typed::Lambda &lambda, const typed::Expr &expr);
  void node(const typed::Apply &apply, const typed::Expr &expr);
  void node(const typed::Let &let, const typed::Expr &expr);
  void node(const typed::Loop &loop, const typed::Expr &expr);
  void node(const typed::Match &match, const typed::Expr &expr);
  void node(const typed::Literal &, const typed::Expr &) {}
  void node(const typed::String &, const typed::Expr &) {}
  void node(const typed::Record &record, const typed::Expr &) { walkAll(record.fields); }
  void node(const typed::Range &range, const typed::Expr &) { walkAll({range.start, range.second, range.end}); }
  void node(const typed::Project &project, const typed::Expr &) { walk(*project.record); }
  void node(const typed::Index &index, const typed::Expr &);
  void node(const typed::Update &update, const typed::Expr &);
  void node(const typed::RecordUpdate &update, const typed::Expr &) { walkAll({update.record, update.value}); }
  void node(const typed::Construct &construct, const typed::Expr &) { walkAll(construct.payload); }
  void node(const typed::Binary &binary, const typed::Expr &) { walkAll({binary.left, binary.right}); }
  void node(const typed::Unary &unary, const typed::Expr &) { walk(*unary.operand); }
  void node(const typed::Coerce &coerce, const typed::Expr &) { walk(*coerce.inner); }
  void node(const typed::If &branch, const typed::Expr &);
  void node(const typed::Assert &assertion, const typed::Expr &) { walkAll({assertion.condition, assertion.body}); }

  void walkParts(const std::vector<typed::IndexPart> &parts);
  // Fails if the type has a size that is not known yet.
  void need(TypeRef type, const SourceRange &range);
  void needAll(TypeRef type, const SourceRange &range, std::vector<const Binding *> &boundInType);
  void needSize(const Size &size, const SourceRange &range, const std::vector<const Binding *> &boundInType);

  const std::unordered_set<const typed::Expr *> &sections;
  std::unordered_set<const Binding *> pending; // Sizes that are not known yet.
};

// All sizes made in the definition are pending but those that are parameters and those made for types of functions.
CausalityWalker::CausalityWalker(const typed::Arena &arena, size_t firstBinding,
                                 const std::unordered_set<const typed::Expr *> &sections)
    : sections(sections) {
  for (size_t i = firstBinding; i < arena.bindings.size(); ++i) {
    const BindingInfo &binding = arena.bindings[i];
    if (binding.kind == Binding::Kind::Size && !binding.alias && binding.level != boundInTypeLevel)
      pending.insert(&binding);
  }
}

void CausalityWalker::needSize(const Size &size, const SourceRange &range,
                               const std::vector<const Binding *> &boundInType) {
  forEachName(size, [&](const Binding *name) {
    bool bound = std::find(boundInType.begin(), boundInType.end(), name) != boundInType.end();
    if (!bound && pending.count(name))
      throw CheckError{CheckError::Kind::Error, range,
                       "the size '" + name->name + "' is needed here, but becomes known only later",
                       "evaluate what has this size first, in a 'let' before"};
  });
}

void CausalityWalker::needAll(TypeRef type, const SourceRange &range, std::vector<const Binding *> &boundInType) {
  type = withoutUnique(type);
  if (const auto *array = as<ArrayType>(type)) {
    needSize(array->size, range, boundInType);
    needAll(array->element, range, boundInType);
  } else if (const auto *record = as<RecordType>(type)) {
    for (const Field &field : record->fields)
      needAll(field.type, range, boundInType);
  } else if (const auto *sum = as<SumType>(type)) {
    for (const Constructor &constructor : sum->constructors)
      for (TypeRef payload : constructor.payload)
        needAll(payload, range, boundInType);
  } else if (const auto *function = as<FunctionType>(type)) {
    needAll(function->parameter, range, boundInType);
    boundInType.insert(boundInType.end(), function->existentials.begin(), function->existentials.end());
    needAll(function->result, range, boundInType);
  }
}

void CausalityWalker::need(TypeRef type, const SourceRange &range) {
  std::vector<const Binding *> boundInType;
  needAll(type, range, boundInType);
}

void CausalityWalker::walk(const typed::Expr &expr) {
  if (sections.count(&expr))
    need(expr.type, expr.range);
  std::visit([&](const auto &alternative) { node(alternative, expr); }, expr.node);
  for (const Binding *size : expr.existentials)
    pending.erase(size);
}

void CausalityWalker::walkAll(const std::vector<typed::Expr *> &exprs) {
  for (const typed::Expr *expr : exprs)
    if (expr)
      walk(*expr);
}

void CausalityWalker::walkParts(const std::vector<typed::IndexPart> &parts) {
  for (const typed::IndexPart &part : parts)
    walkAll({part.index, part.begin, part.end, part.stride});
}

void CausalityWalker::node(const typed::Array &array, const typed::Expr &expr) {
  walkAll(array.elements);
  if (array.elements.empty())
    need(expr.type, expr.range);
}

void CausalityWalker::node(const typed::Index &index, const typed::Expr &) {
  walk(*index.array);
  walkParts(index.parts);
}

void CausalityWalker::node(const typed::Update &update, const typed::Expr &) {
  walk(*update.value);
  walkParts(update.parts);
  walk(*update.array);
}

void CausalityWalker::node(const typed::If &branch, const typed::Expr &) {
  walkAll({branch.condition, branch.thenBranch, branch.elseBranch});
}

void CausalityWalker::node(const typed::Apply &apply, const typed::Expr &expr) {
  if (apply.infix)
    walkAll(apply.arguments);
  for (bool functions : {false, true})
    for (const typed::Expr *argument : apply.arguments)
      if (!apply.infix && is<FunctionType>(withoutUnique(argument->type)) == functions)
        walk(*argument);
  // What the result tells may be part of the function's type, as in `xs |> filter p`.
  for (const Binding *size : expr.existentials)
    pending.erase(size);
  walk(*apply.function);
}

void CausalityWalker::function(const typed::Function &function) {
  for (const Binding *size : function.sizeParams)
    pending.erase(size);
  for (const typed::Pattern *parameter : function.parameters)
    need(parameter->type, parameter->range);
  walk(*function.body);
}

void CausalityWalker::node(const typed::Lambda &lambda, const typed::Expr &) { function(*lambda.function); }

void CausalityWalker::node(const typed::Let &let, const typed::Expr &) {
  for (const typed::Statement &statement : let.statements) {
    if (statement.function)
      function(*statement.function);
    else
      walk(*statement.value);
    for (const Binding *size : statement.sizes)
      pending.erase(size);
  }
  walk(*let.body);
}

void CausalityWalker::node(const typed::Loop &loop, const typed::Expr &) {
  walk(*loop.initial);
  if (const auto *counted = std::get_if<typed::Loop::Counted>(&loop.form))
    walk(*counted->bound);
  else if (const auto *over = std::get_if<typed::Loop::Over>(&loop.form))
    walk(*over->array);
  for (const Binding *size : loop.sizes)
    pending.erase(size);
  if (const auto *condition = std::get_if<typed::Loop::While>(&loop.form))
    walk(*condition->condition);
  walk(*loop.body);
}

void CausalityWalker::node(const typed::Match &match, const typed::Expr &) {
  walk(*match.scrutinee);
  for (const typed::Match::Case &branch : match.cases)
    walk(*branch.body);
}

} // namespace

void checkCausality(const typed::Arena &arena, size_t firstBinding,
                    const std::unordered_set<const typed::Expr *> &sections, const typed::Function &function) {
  CausalityWalker(arena, firstBinding, sections).function(function);
}

} // namespace ferry::futhark::types
