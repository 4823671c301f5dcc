// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/prelude/prelude.h"
#include "futhark/types/causality.h"
#include "futhark/types/checker.h"
#include "futhark/types/operators.h"

#include <algorithm>

namespace ferry::futhark::types {

std::string Checker::qualified(const std::string &name) const { return moduleName + name; }

// The name of a declaration that failed stays known, so that its uses are not errors of their own.
void Checker::poison(const syntax::Declaration &declaration, Scope &scope, Environment &exports) {
  auto add = [&](auto names, const std::string &name) {
    (scope.names.*names)[name] = {};
    if (!declaration.isLocal)
      (exports.*names)[name] = {};
  };
  if (const auto *value = syntax::as<syntax::ValueDeclaration>(declaration))
    add(&Environment::values, value->name.text);
  else if (const auto *module = syntax::as<syntax::ModuleDeclaration>(declaration))
    add(&Environment::values, module->name.text);
  else if (const auto *type = syntax::as<syntax::TypeDeclaration>(declaration))
    add(&Environment::types, type->name.text);
  else if (const auto *moduleType = syntax::as<syntax::ModuleTypeDeclaration>(declaration))
    add(&Environment::moduleTypes, moduleType->name.text);
}

namespace {

// What a declaration defines: its name space and its name. Empty for declarations that only bring in names.
std::pair<std::string, const syntax::Name *> definedName(const syntax::Declaration &declaration) {
  if (const auto *value = syntax::as<syntax::ValueDeclaration>(declaration))
    return {"value", &value->name};
  if (const auto *module = syntax::as<syntax::ModuleDeclaration>(declaration))
    return {"value", &module->name};
  if (const auto *type = syntax::as<syntax::TypeDeclaration>(declaration))
    return {"type", &type->name};
  if (const auto *moduleType = syntax::as<syntax::ModuleTypeDeclaration>(declaration))
    return {"module type", &moduleType->name};
  return {};
}

} // namespace

void Checker::checkDeclarations(const std::vector<syntax::Declaration *> &declarations, Scope &scope,
                                Environment &exports) {
  std::map<std::pair<std::string, std::string>, SourceRange> defined;
  for (const syntax::Declaration *declaration : declarations) {
    try {
      if (auto [space, name] = definedName(*declaration); name) {
        auto [first, isNew] = defined.insert({{space, name->text}, name->range});
        if (!isNew)
          fail(name->range, "'" + name->text + "' is defined twice",
               "the first definition is at " + first->second.location());
      }
      checkDeclaration(*declaration, scope, exports);
    } catch (const CheckError &error) {
      report(error);
      giveUp();
      poison(*declaration, scope, exports);
    }
  }
}

// Forgets what was pending of a definition with an error.
void Checker::giveUp() {
  level = 0;
  pendingLiterals.clear();
  pendingFields.clear();
  pendingConstructors.clear();
  pendingMatches.clear();
  pendingIrrefutable.clear();
}

void Checker::checkDeclaration(const syntax::Declaration &declaration, Scope &scope, Environment &exports) {
  if (const auto *value = syntax::as<syntax::ValueDeclaration>(declaration)) {
    checkValue(*value, declaration, scope, exports);
  } else if (const auto *intrinsic = syntax::as<syntax::IntrinsicDeclaration>(declaration)) {
    checkIntrinsic(*intrinsic, scope, exports);
  } else if (const auto *type = syntax::as<syntax::TypeDeclaration>(declaration)) {
    TypeEntry entry = declareType(*type, scope);
    scope.names.types[type->name.text] = entry;
    if (!declaration.isLocal)
      exports.types[type->name.text] = entry;
  } else {
    checkModuleDeclaration(declaration, scope, exports);
  }
}

void Checker::checkIntrinsic(const syntax::IntrinsicDeclaration &node, Scope &scope, Environment &exports) {
  ++level;
  Scope inner{&scope, {}};
  TypeParameters parameters = declareTypeParameters(node.spec.typeParameters, inner);
  std::vector<const Binding *> existentials;
  TypeRef type = elaborate(*node.spec.type, {&inner, TypeContext::Open::Existential, &existentials, false, true});
  --level;
  const std::string &name = node.spec.name.text;
  Binding *binding = arena.binding(Binding::Kind::Intrinsic, qualified(name), node.spec.name.range, type, 0);
  binding->scheme = {parameters.types, parameters.sizes, type};
  scope.names.values[name] = exports.values[name] = {binding, {}, {}, {}};
}

// A function's name means itself in its body. Before Futhark 0.27 it meant an outer definition: what is wrong as a
// recursive function may still be right so.
void Checker::checkValue(const syntax::ValueDeclaration &node, const syntax::Declaration &declaration, Scope &scope,
                         Environment &exports) {
  bool isFunction = !node.parameters.empty();
  try {
    define(node, declaration, scope, exports, isFunction);
  } catch (const CheckError &error) {
    bool meansOuter = isFunction && selfUsed && scope.value(node.name.text);
    if (!meansOuter)
      throw;
    giveUp();
    try {
      define(node, declaration, scope, exports, false);
    } catch (const CheckError &) {
      throw error; // NOLINT: the first one.
    }
  }
}

void Checker::define(const syntax::ValueDeclaration &node, const syntax::Declaration &declaration, Scope &scope,
                     Environment &exports, bool knowsItself) {
  Mark since = mark();
  arena.firstTypeVariable = since.typeVariables;
  const std::string &name = node.name.text;
  BindingInfo *binding =
      arena.binding(Binding::Kind::Definition, qualified(name), node.name.range, nullptr, boundInTypeLevel);
  bool isFunction = !node.parameters.empty();
  Scope inner{&scope, {}};
  if (knowsItself)
    inner.names.values[name] = {binding, {}, {}, {}};
  currentSelf = binding;
  selfUsed = false;
  selfUses.clear();
  sections.clear();
  FunctionSyntax syntax{declaration.range, name, &node.typeParameters, &node.parameters, node.resultType, node.body};
  CheckedFunction checked = checkFunction(syntax, inner, knowsItself ? binding : nullptr);
  typed::Function &function = *checked.function;
  for (const typed::Pattern *parameter : function.parameters)
    requireIrrefutable(*parameter);
  defaultVariables(since);
  generalize(function, checked.type, true);
  TypeRef type = isFunction ? checked.type : stripUnique(arena, checked.type);
  binding->scheme = {function.typeParams, function.sizeParams, type};
  finish(since);
  if (selfUsed)
    checkRecursion(*binding, function, since);
  currentSelf = nullptr;
  checkCausality(arena, since.bindings, sections, function);
  facts.inApplication = applicationDepth > 0;
  checkConsumption(arena, facts, function, binding->scheme.type);

  typed::Definition &definition = arena.definitions.emplace_back();
  definition.binding = binding;
  definition.attributes = declaration.attributes;
  definition.function = function;
  definition.recursive = selfUsed;
  binding->definition = &definition;
  bool isEntry = node.isEntry || name == "main";
  if (node.isEntry && inModule)
    fail(node.name.range, "an entry point may not be declared inside a module",
         "declare it with 'def', and an entry point at the top level that calls it");
  if (!discard)
    program.definitions.push_back(&definition);
  if (isEntry && topLevel) {
    const typed::Definition *saturated = saturate(definition);
    const typed::Definition &entry = saturated ? *saturated : definition;
    checkEntry(entry, node);
    collectEntry(entry, node);
  }
  ValueEntry entry{binding, {}, {}, {}};
  scope.names.values[name] = entry;
  if (!declaration.isLocal)
    exports.values[name] = entry;
}

// A recursive function returns no function, and hands its functions on as they are: otherwise the functions that a
// program applies would not be known before it runs.
void Checker::checkRecursion(const Binding &self, const typed::Function &function, const Mark &since) const {
  if (containsFunction(function.resultType))
    fail(self.range, "the recursive function '" + self.name + "' returns a function",
         "take what the returned function takes as further parameters");
  bool higherOrder = std::any_of(function.parameters.begin(), function.parameters.end(),
                                 [](const typed::Pattern *parameter) { return containsFunction(parameter->type); });
  if (!higherOrder)
    return;
  auto isSelf = [&](const typed::Expr &expr) {
    const auto *var = typed::as<typed::Var>(expr);
    return var && var->binding == &self;
  };
  std::unordered_set<const typed::Expr *> applied;
  for (size_t i = since.expressions; i < arena.expressions.size(); ++i) {
    const auto *apply = typed::as<typed::Apply>(arena.expressions[i]);
    if (!apply || !isSelf(*apply->function))
      continue;
    applied.insert(apply->function);
    if (apply->arguments.size() < function.parameters.size())
      fail(arena.expressions[i].range, "a recursive call of '" + self.name +
                                           "', which takes functions, must have all " +
                                           std::to_string(function.parameters.size()) + " arguments");
    for (size_t j = 0; j < function.parameters.size(); ++j) {
      const typed::Pattern &parameter = *function.parameters[j];
      if (!containsFunction(parameter.type))
        continue;
      const auto *name = typed::as<typed::BindPattern>(parameter);
      const auto *var = j < apply->arguments.size() ? typed::as<typed::Var>(*apply->arguments[j]) : nullptr;
      if (!name || !var || var->binding != name->binding)
        fail(arena.expressions[i].range,
             "a recursive call must hand on the function parameters of '" + self.name + "' as they are");
    }
  }
  for (size_t i = since.expressions; i < arena.expressions.size(); ++i)
    if (isSelf(arena.expressions[i]) && !applied.count(&arena.expressions[i]))
      fail(arena.expressions[i].range,
           "a recursive call must hand on the function parameters of '" + self.name + "' as they are");
}

void Checker::checkProgram(const SourceFile &file) {
  Scope &outer = preludeScope();
  auto tree = syntax::parse(file, diagnostics);
  if (diagnostics.hasErrors())
    return;
  currentFile = &file;
  Scope scope{&outer, {}};
  Environment exports;
  checkDeclarations(tree->declarations, scope, exports);
  trees.push_back(std::move(tree));
}

Scope &Checker::preludeScope() {
  if (preludeChecked)
    return prelude;
  preludeChecked = true;
  for (const auto &[symbol, op] : builtInOperators)
    prelude.names.values[std::string(symbol)] = {nullptr, op, {}, {}};
  Environment exports;
  bool wasTopLevel = std::exchange(topLevel, false);
  for (const prelude::File &part : prelude::files()) {
    const SourceFile *file = sources.add(part.name, part.text);
    auto tree = syntax::parse(*file, diagnostics, {true});
    checkDeclarations(tree->declarations, prelude, exports);
    trees.push_back(std::move(tree));
  }
  topLevel = wasTopLevel;
  return prelude;
}

} // namespace ferry::futhark::types

namespace ferry::futhark {

std::unique_ptr<typed::Program> check(const SourceFile &file, Sources &sources, Diagnostics &diagnostics) {
  auto program = std::make_unique<typed::Program>();
  types::Checker(sources, diagnostics, *program).checkProgram(file);
  return diagnostics.hasErrors() ? nullptr : std::move(program);
}

} // namespace ferry::futhark
