// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/types/checker.h"

namespace ferry::futhark::types {

void Checker::checkModuleDeclaration(const syntax::Declaration &declaration, Scope &scope, Environment &exports) {
  auto addAll = [&](const Environment &names, bool exported) {
    scope.names.add(names);
    if (exported)
      exports.add(names);
  };
  if (const auto *open = syntax::as<syntax::OpenDeclaration>(declaration)) {
    addAll(checkModule(*open->module, scope).names, !declaration.isLocal);
  } else if (const auto *module = syntax::as<syntax::ModuleDeclaration>(declaration)) {
    if (!module->parameters.empty())
      failUnsupported(declaration.range, "parametric modules");
    if (module->type)
      failUnsupported(declaration.range, "module types");
    std::string outerName = std::exchange(moduleName, moduleName + module->name.text + ".");
    auto made = std::make_shared<Module>(checkModule(*module->body, scope));
    moduleName = outerName;
    ValueEntry entry{nullptr, {}, made};
    scope.names.values[module->name.text] = entry;
    if (!declaration.isLocal)
      exports.values[module->name.text] = entry;
  } else {
    failUnsupported(declaration.range, "module types and imports");
  }
}

Module Checker::checkModule(const syntax::ModuleExpr &module, const Scope &scope) {
  if (const auto *name = syntax::as<syntax::ModuleName>(module))
    return *resolveModule(name->name, scope).module;
  if (const auto *structure = syntax::as<syntax::ModuleStructure>(module)) {
    Scope inner{&scope, {}};
    Module result;
    bool wasTopLevel = std::exchange(topLevel, false);
    checkDeclarations(structure->declarations, inner, result.names);
    topLevel = wasTopLevel;
    return result;
  }
  failUnsupported(module.range, "parametric modules, ascription and imports");
}

} // namespace ferry::futhark::types
