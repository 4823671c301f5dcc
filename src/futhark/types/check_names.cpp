// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/types/checker.h"

#include "futhark/syntax/spelling.h"

#include <algorithm>

namespace ferry::futhark::types {

namespace {

std::string text(const syntax::QualifiedName &name) {
  std::string result;
  for (const std::string &qualifier : name.qualifiers)
    result += qualifier + ".";
  return result + name.name;
}

} // namespace

std::string Checker::suggest(const std::string &name, const Scope &scope) const {
  std::string best;
  unsigned bestDistance = name.size() > 3 ? 3 : 2;
  if (name.size() > 40)
    return {};
  for (const Scope *at = &scope; at; at = at->parent)
    for (const auto &[candidate, entry] : at->names.values) {
      if (candidate.size() > 40)
        continue;
      unsigned distance = editDistance(name, candidate);
      if (distance < bestDistance || (distance == bestDistance && !best.empty() && candidate < best)) {
        bestDistance = distance;
        best = candidate;
      }
    }
  return best.empty() ? std::string() : "did you mean '" + best + "'?";
}

// The names of the module that the first `count` qualifiers lead to; null for none.
const Environment *Checker::enterQualifiers(const syntax::QualifiedName &name, size_t count, const Scope &scope) const {
  const Environment *names = nullptr;
  std::string path;
  for (size_t i = 0; i < count; ++i) {
    const std::string &qualifier = name.qualifiers[i];
    path += (i ? "." : "") + qualifier;
    const ValueEntry *entry = nullptr;
    if (!names)
      entry = scope.value(qualifier);
    else if (auto found = names->values.find(qualifier); found != names->values.end())
      entry = &found->second;
    if (!entry)
      fail(name.range, "unknown module '" + path + "'", names ? std::string() : suggest(qualifier, scope));
    if (!entry->module) {
      if (!entry->binding && !entry->operation)
        throw CheckError{CheckError::Kind::Silent, {}, {}, {}};
      fail(name.range, "'" + path + "' is a value, not a module");
    }
    if (entry->module->parametric)
      fail(name.range, "module '" + path + "' is a parametric module", "apply it to a module first");
    names = &entry->module->names;
  }
  return names;
}

Checker::Resolved Checker::resolveValue(const syntax::QualifiedName &name, const Scope &scope) const {
  // The longest prefix of modules, then a value, then fields.
  std::vector<std::string> path = name.qualifiers;
  path.push_back(name.name);
  if (path.front().starts_with('_'))
    fail(name.range, "'" + path.front() + "' is used, but a name that begins with an underscore stands for nothing",
         "rename it without the underscore");
  const Environment *names = nullptr;
  std::string walked;
  for (size_t i = 0; i < path.size(); ++i) {
    const ValueEntry *entry = nullptr;
    if (!names)
      entry = scope.value(path[i]);
    else if (auto found = names->values.find(path[i]); found != names->values.end())
      entry = &found->second;
    walked += (i ? "." : "") + path[i];
    if (!entry && walked.starts_with("intrinsics."))
      failUnsupported(name.range, "`" + walked + "`");
    if (!entry)
      fail(name.range, "unknown name '" + walked + "'", names ? std::string() : suggest(path[i], scope));
    if (!entry->module) {
      if (!entry->binding && !entry->operation)
        throw CheckError{CheckError::Kind::Silent, {}, {}, {}};
      return {*entry, std::vector<std::string>(path.begin() + static_cast<ptrdiff_t>(i) + 1, path.end())};
    }
    if (i + 1 < path.size() && entry->module->parametric)
      fail(name.range, "module '" + walked + "' is a parametric module", "apply it to a module first");
    names = &entry->module->names;
  }
  fail(name.range, "'" + walked + "' is a module, not a value");
}

const ValueEntry &Checker::resolveModule(const syntax::QualifiedName &name, const Scope &scope) const {
  const Environment *names = enterQualifiers(name, name.qualifiers.size(), scope);
  const ValueEntry *entry = nullptr;
  if (!names)
    entry = scope.value(name.name);
  else if (auto found = names->values.find(name.name); found != names->values.end())
    entry = &found->second;
  if (!entry)
    fail(name.range, "unknown module '" + text(name) + "'", names ? std::string() : suggest(name.name, scope));
  if (!entry->module) {
    if (!entry->binding && !entry->operation)
      throw CheckError{CheckError::Kind::Silent, {}, {}, {}};
    fail(name.range, "'" + text(name) + "' is a value, not a module");
  }
  return *entry;
}

const Environment &Checker::resolveModuleNames(const syntax::QualifiedName &name, const Scope &scope) const {
  const ValueEntry &entry = resolveModule(name, scope);
  if (entry.module->parametric)
    fail(name.range, "module '" + text(name) + "' is a parametric module", "apply it to a module first");
  return entry.module->names;
}

const TypeEntry &Checker::resolveType(const syntax::QualifiedName &name, const Scope &scope) const {
  const Environment *names = enterQualifiers(name, name.qualifiers.size(), scope);
  const TypeEntry *entry = nullptr;
  if (!names)
    entry = scope.type(name.name);
  else if (auto found = names->types.find(name.name); found != names->types.end())
    entry = &found->second;
  if (!entry)
    fail(name.range, "unknown type '" + text(name) + "'");
  if (!entry->definition)
    throw CheckError{CheckError::Kind::Silent, {}, {}, {}};
  return *entry;
}

std::shared_ptr<const ModuleType> Checker::resolveModuleType(const syntax::QualifiedName &name,
                                                             const Scope &scope) const {
  const Environment *names = enterQualifiers(name, name.qualifiers.size(), scope);
  const std::shared_ptr<const ModuleType> *entry = nullptr;
  if (!names)
    entry = scope.moduleType(name.name);
  else if (auto found = names->moduleTypes.find(name.name); found != names->moduleTypes.end())
    entry = &found->second;
  if (!entry)
    fail(name.range, "unknown module type '" + text(name) + "'");
  if (!*entry)
    throw CheckError{CheckError::Kind::Silent, {}, {}, {}};
  return *entry;
}

typed::Expr *Checker::hold(const char *name, typed::Expr *value, typed::Let &let) {
  Binding *held = arena.binding(Binding::Kind::Local, name, value->range, value->type, level);
  typed::Pattern &pattern = arena.patterns.emplace_back();
  pattern.range = value->range;
  pattern.type = value->type;
  pattern.node = typed::BindPattern{held};
  typed::Statement statement;
  statement.range = value->range;
  statement.pattern = &pattern;
  statement.value = value;
  let.statements.push_back(std::move(statement));
  return useBinding(held, value->range);
}

typed::Expr *Checker::useBinding(const Binding *binding, const SourceRange &range) {
  typed::Var var{binding, {}, {}};
  Substitution substitution;
  for (const TypeParam *param : binding->scheme.typeParams) {
    TypeVariable *variable = arena.typeVariable(range, level);
    variable->lifting = param->lifting;
    var.typeArguments.push_back(arena.type(InferredType{variable}));
    substitution.types[param] = var.typeArguments.back();
  }
  for (const Binding *size : binding->scheme.sizeParams) {
    var.sizeArguments.push_back(freshSize(range));
    substitution.sizes[size] = var.sizeArguments.back();
  }
  if (binding == currentSelf) {
    selfUsed = true;
    selfUses.push_back({range, var.sizeArguments});
  }
  TypeRef type = binding->scheme.type;
  if (!substitution.empty())
    type = substitute(arena, type, substitution);
  return arena.expr(range, stripUnique(arena, type), std::move(var));
}

// A value through a module type: an instance of its scheme there, of which the binding's arguments are made.
typed::Expr *Checker::useView(const ValueEntry &entry, const SourceRange &range) {
  Substitution substitution;
  for (const TypeParam *param : entry.view->scheme.typeParams) {
    TypeVariable *variable = arena.typeVariable(range, level);
    variable->lifting = param->lifting;
    substitution.types[param] = arena.type(InferredType{variable});
  }
  for (const Binding *size : entry.view->scheme.sizeParams)
    substitution.sizes[size] = freshSize(range);
  typed::Var var{entry.binding, {}, {}};
  for (TypeRef argument : entry.view->typeArguments)
    var.typeArguments.push_back(substitute(arena, argument, substitution));
  for (const Size &argument : entry.view->sizeArguments)
    var.sizeArguments.push_back(substitute(arena, argument, substitution));
  TypeRef type = substitute(arena, entry.view->scheme.type, substitution);
  return arena.expr(range, stripUnique(arena, type), std::move(var));
}

typed::Expr *Checker::useEntry(const ValueEntry &entry, const SourceRange &range) {
  if (entry.operation)
    return operatorFunction(*entry.operation, range);
  typed::Expr *use = entry.view ? useView(entry, range) : useBinding(entry.binding, range);
  std::optional<typed::BinaryOp> op = moduleOperation(*entry.binding);
  return op ? operatorFunction(*op, use->type, range) : use;
}

// A built-in operation at a type that is known, as a function.
typed::Expr *Checker::operatorFunction(typed::BinaryOp op, TypeRef type, const SourceRange &range) {
  const auto *outer = as<FunctionType>(withoutUnique(type));
  const auto *inner = as<FunctionType>(withoutUnique(outer->result));
  const Binding *left = arena.binding(Binding::Kind::Local, "x", range, outer->parameter, level);
  const Binding *right = arena.binding(Binding::Kind::Local, "y", range, inner->parameter, level);
  typed::Expr *body =
      arena.expr(range, inner->result, typed::Binary{op, useBinding(left, range), useBinding(right, range)});
  return lambda(range, {left, right}, body);
}

typed::Expr *Checker::project(typed::Expr *record, const std::string &field, const SourceRange &range) {
  Unifier attempt = unifier();
  TypeRef type = attempt.requireField(record->type, field, range);
  if (!type)
    fail(range, "no field '" + field + "' here", attempt.reason());
  // The index is filled in once the record's type is known; until then sizes with different fields are told apart by
  // it.
  TypeRef known = withoutUnique(record->type);
  const auto *inferred = as<InferredType>(known);
  const std::vector<Field> &fields = inferred ? inferred->variable->fields : as<RecordType>(known)->fields;
  auto found = std::find_if(fields.begin(), fields.end(), [&](const Field &each) { return each.name == field; });
  typed::Expr *result = arena.expr(range, type, typed::Project{record, static_cast<unsigned>(found - fields.begin())});
  pendingFields.push_back({result, field});
  return result;
}

typed::Expr *Checker::checkNode(const syntax::NameExpr &node, const syntax::Expr &expr, const Scope &scope) {
  Resolved resolved = resolveValue(node.name, scope);
  typed::Expr *result = useEntry(resolved.entry, expr.range);
  for (const std::string &field : resolved.fields)
    result = project(result, field, expr.range);
  return result;
}

} // namespace ferry::futhark::types
