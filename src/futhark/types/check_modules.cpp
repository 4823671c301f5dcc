// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules. A structure is checked like a file, and its definitions join those of the program. A parametric module is
// checked twice: once at its definition with an argument made up from its parameter's type, to find errors where they
// are, and once for every application with the actual argument, which makes the definitions that are kept.
#include "futhark/types/checker.h"

#include <filesystem>

namespace ferry::futhark::types {

namespace {

// Sets a variable until the end of a scope, also when an error passes.
template <typename Value> class Temporarily {
public:
  Temporarily(Value &variable, Value value) : variable(variable), old(std::exchange(variable, std::move(value))) {}
  ~Temporarily() { variable = std::move(old); }
  Temporarily(const Temporarily &) = delete;
  Temporarily &operator=(const Temporarily &) = delete;

private:
  Value &variable;
  Value old;
};

// Applications of parametric modules inside each other; more is taken for a program that would not end.
constexpr unsigned maximumApplications = 64;

} // namespace

void Checker::checkModuleDeclaration(const syntax::Declaration &declaration, Scope &scope, Environment &exports) {
  bool exported = !declaration.isLocal;
  auto addAll = [&](const Environment &names, bool toExports) {
    scope.names.add(names);
    if (toExports)
      exports.add(names);
  };
  if (const auto *open = syntax::as<syntax::OpenDeclaration>(declaration)) {
    Module module = checkModule(*open->module, scope);
    if (module.parametric)
      fail(declaration.range, "a parametric module cannot be opened", "apply it to a module first");
    addAll(module.names, exported);
  } else if (const auto *import = syntax::as<syntax::ImportDeclaration>(declaration)) {
    addAll(importFile(import->path, declaration.range).names, false);
  } else if (const auto *type = syntax::as<syntax::ModuleTypeDeclaration>(declaration)) {
    auto made = std::make_shared<const ModuleType>(checkModuleType(*type->type, scope));
    scope.names.moduleTypes[type->name.text] = made;
    if (exported)
      exports.moduleTypes[type->name.text] = made;
  } else if (const auto *module = syntax::as<syntax::ModuleDeclaration>(declaration)) {
    Temporarily name(moduleName, moduleName + module->name.text + ".");
    auto made = std::make_shared<Module>();
    if (module->parameters.empty()) {
      *made = checkModule(*module->body, scope);
      if (module->type)
        *made = ascribe(*made, checkModuleType(*module->type, scope), declaration.range);
    } else {
      std::vector<const syntax::ModuleParameter *> parameters;
      for (const syntax::ModuleParameter &parameter : module->parameters)
        parameters.push_back(&parameter);
      *made = checkParametric(parameters, module->type, *module->body, scope, declaration.range);
    }
    ValueEntry entry{nullptr, {}, made, {}};
    scope.names.values[module->name.text] = entry;
    if (exported)
      exports.values[module->name.text] = entry;
  }
}

Module Checker::checkModule(const syntax::ModuleExpr &module, const Scope &scope) {
  if (const auto *name = syntax::as<syntax::ModuleName>(module)) {
    const ValueEntry &entry = resolveModule(name->name, scope);
    if (name->name.name == "intrinsics" && entry.module == prelude.names.values.at("intrinsics").module)
      fail(module.range, "the module 'intrinsics' may not be used as a whole",
           "use what it defines by name, as in 'intrinsics.acc'");
    return *entry.module;
  }
  if (const auto *structure = syntax::as<syntax::ModuleStructure>(module)) {
    Scope inner{&scope, {}};
    Module result;
    Temporarily top(topLevel, false);
    Temporarily within(inModule, true);
    checkDeclarations(structure->declarations, inner, result.names);
    return result;
  }
  if (const auto *ascription = syntax::as<syntax::ModuleAscription>(module))
    return ascribe(checkModule(*ascription->inner, scope), checkModuleType(*ascription->type, scope), module.range);
  if (const auto *application = syntax::as<syntax::ModuleApplication>(module)) {
    Module function = checkModule(*application->function, scope);
    return applyModule(function, checkModule(*application->argument, scope), module.range);
  }
  if (const auto *lambda = syntax::as<syntax::ModuleLambda>(module)) {
    std::vector<const syntax::ModuleParameter *> parameters;
    for (const syntax::ModuleParameter &parameter : lambda->parameters)
      parameters.push_back(&parameter);
    return checkParametric(parameters, lambda->resultType, *lambda->body, scope, module.range);
  }
  return importFile(syntax::as<syntax::ModuleImport>(module)->path, module.range);
}

// A scope that outlives the one it is a copy of; the prelude, which does not change any more, is shared.
std::shared_ptr<const Scope> Checker::snapshot(const Scope &scope) const {
  auto copy = std::make_shared<Scope>();
  std::vector<const Scope *> chain;
  for (const Scope *at = &scope; at && at != &prelude; at = at->parent)
    chain.push_back(at);
  for (auto at = chain.rbegin(); at != chain.rend(); ++at)
    copy->names.add((*at)->names);
  copy->parent = &prelude;
  return copy;
}

Module Checker::checkParametric(const std::vector<const syntax::ModuleParameter *> &parameters,
                                const syntax::ModuleTypeExpr *resultType, const syntax::ModuleExpr &body,
                                const Scope &scope, const SourceRange &range) {
  Module::Parametric parametric;
  parametric.parameterName = parameters.front()->name.text;
  parametric.parameterType = parameters.front()->type;
  parametric.rest.assign(parameters.begin() + 1, parameters.end());
  parametric.resultType = resultType;
  parametric.body = &body;
  parametric.scope = snapshot(scope);
  parametric.name = moduleName;
  parametric.file = currentFile;
  // With any argument of the parameter's type.
  ModuleType parameterType = checkModuleType(*parametric.parameterType, *parametric.scope);
  Temporarily discarding(discard, true);
  Module argument = moduleOfType(parameterType);
  instantiateBody(parametric, argument, range);
  Module result;
  result.parametric = std::move(parametric);
  return result;
}

Module Checker::instantiateBody(const Module::Parametric &parametric, const Module &argument,
                                const SourceRange &range) {
  if (applicationDepth >= maximumApplications)
    fail(range, "parametric modules are applied inside each other too deeply");
  Temporarily depth(applicationDepth, applicationDepth + 1);
  Temporarily file(currentFile, parametric.file);
  Temporarily name(moduleName, parametric.name);
  Scope inner{parametric.scope.get(), {}};
  inner.names.values[parametric.parameterName] = {nullptr, {}, std::make_shared<Module>(argument), {}};
  if (!parametric.body) // Of a parametric parameter only the result's type is known.
    return moduleOfType(checkModuleType(*parametric.resultType, inner));
  if (!parametric.rest.empty())
    return checkParametric(parametric.rest, parametric.resultType, *parametric.body, inner, range);
  Module body = checkModule(*parametric.body, inner);
  return parametric.resultType ? ascribe(body, checkModuleType(*parametric.resultType, inner), range) : body;
}

Module Checker::applyModule(const Module &function, const Module &argument, const SourceRange &range) {
  if (!function.parametric)
    fail(range, "this module is applied, but it is not parametric");
  const Module::Parametric &parametric = *function.parametric;
  ModuleType parameterType = checkModuleType(*parametric.parameterType, *parametric.scope);
  Module restricted = ascribe(argument, parameterType, range, true);
  return instantiateBody(parametric, restricted, range);
}

Module Checker::importFile(const std::string &path, const SourceRange &range) {
  std::string directory = currentFile ? currentFile->path() : std::string();
  size_t slash = directory.find_last_of('/');
  directory = slash == std::string::npos ? std::string() : directory.substr(0, slash + 1);
  std::filesystem::path joined = (path.starts_with("/") ? path : directory + path) + ".fut";
  std::string full = joined.lexically_normal().string();
  if (auto found = imports.find(full); found != imports.end())
    return found->second;
  if (importing.count(full))
    fail(range, "'" + full + "' imports itself", "move what both files need to a third one");
  const SourceFile *file = sources.load(full);
  if (!file)
    fail(range, "cannot read the imported file '" + full + "'");
  importing.insert(full);
  auto tree = syntax::parse(*file, diagnostics);
  trees.push_back(std::move(tree));
  Module module;
  {
    Temporarily current(currentFile, file);
    Temporarily top(topLevel, false);
    Temporarily within(inModule, false);
    Temporarily name(moduleName, std::string());
    Temporarily keep(discard, false);
    Scope scope{&prelude, {}};
    checkDeclarations(trees.back()->declarations, scope, module.names);
  }
  importing.erase(full);
  imports[full] = module;
  return module;
}

} // namespace ferry::futhark::types
