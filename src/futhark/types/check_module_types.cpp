// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Module types. A module type is held as the names of a module whose values have no definitions and whose open types
// are abstract. Every use of one gets abstract types of its own.
#include "futhark/types/checker.h"

#include <algorithm>

namespace ferry::futhark::types {

// The names with bindings of their own, which `copies` is told to put in place of the old ones in sizes.
Environment Checker::copyNames(const Environment &names, Substitution &copies) {
  Environment result = names;
  for (auto &[name, entry] : result.values) {
    if (entry.binding) {
      BindingInfo *copy = arena.binding(entry.binding->kind, entry.binding->name, entry.binding->range, nullptr,
                                        levelOf(entry.binding));
      copy->scheme = entry.binding->scheme;
      copies.sizes[entry.binding] = variableSize(copy);
      entry.binding = copy;
    } else if (entry.module && !entry.module->parametric) {
      entry.module = std::make_shared<Module>(Module{copyNames(entry.module->names, copies), {}});
    }
  }
  return result;
}

// In names that copyNames() made.
void Checker::substituteNames(Environment &names, const Substitution &substitution,
                              const std::vector<const Binding *> &hidden) {
  for (auto &[name, entry] : names.values) {
    if (entry.binding) {
      Scheme &scheme = info(entry.binding)->scheme;
      scheme = represented(scheme, substitution, hidden);
    } else if (entry.module && !entry.module->parametric) {
      Module copy = *entry.module;
      substituteNames(copy.names, substitution, hidden);
      entry.module = std::make_shared<Module>(std::move(copy));
    }
  }
  for (auto &[name, entry] : names.types)
    if (entry.definition)
      showType(entry, substitution, hidden);
}

ModuleType Checker::instantiate(const ModuleType &type) {
  ModuleType result;
  Substitution substitution;
  for (const AbstractType *abstract : type.abstracts) {
    AbstractType &copy = arena.abstractTypes.emplace_back(*abstract);
    copy.id = static_cast<uint32_t>(arena.abstractTypes.size());
    substitution.abstracts[abstract] = &copy;
    result.abstracts.push_back(&copy);
  }
  result.names = copyNames(type.names, substitution);
  substituteNames(result.names, substitution, {});
  result.arrow = type.arrow;
  return result;
}

Module Checker::moduleOfType(const ModuleType &type) {
  Module result;
  result.names = type.names;
  result.parametric = type.arrow;
  return result;
}

ModuleType Checker::checkModuleType(const syntax::ModuleTypeExpr &type, const Scope &scope) {
  if (const auto *name = syntax::as<syntax::ModuleTypeName>(type))
    return instantiate(*resolveModuleType(name->name, scope));
  if (const auto *with = syntax::as<syntax::ModuleTypeWith>(type))
    return refine(checkModuleType(*with->inner, scope), *with, type.range, scope);
  if (const auto *arrow = syntax::as<syntax::ModuleTypeArrow>(type))
    return checkModuleArrow(*arrow, scope);
  ModuleType result;
  Scope inner{&scope, {}};
  for (const syntax::Spec *spec : syntax::as<syntax::ModuleTypeSpecs>(type)->specs)
    checkSpec(*spec, inner, result);
  return result;
}

ModuleType Checker::checkModuleArrow(const syntax::ModuleTypeArrow &arrow, const Scope &scope) {
  Module::Parametric parametric;
  parametric.parameterName = arrow.parameterName ? arrow.parameterName->text : std::string();
  parametric.parameterType = arrow.parameter;
  parametric.resultType = arrow.result;
  parametric.scope = snapshot(scope);
  parametric.file = currentFile;
  // Errors in the result are found here, with any argument.
  Module argument = moduleOfType(checkModuleType(*arrow.parameter, scope));
  Scope inner{&scope, {}};
  if (arrow.parameterName)
    inner.names.values[arrow.parameterName->text] = {nullptr, {}, std::make_shared<Module>(argument), {}};
  checkModuleType(*arrow.result, inner);
  ModuleType result;
  result.arrow = std::move(parametric);
  return result;
}

TypeEntry Checker::declareAbstract(const syntax::TypeSpec &spec, ModuleType &result) {
  AbstractType &abstract = arena.abstractTypes.emplace_back();
  abstract.id = static_cast<uint32_t>(arena.abstractTypes.size());
  abstract.name = qualified(spec.name.text);
  abstract.lifting = static_cast<Lifting>(spec.lifting);
  Scope scope;
  ++level;
  TypeParameters parameters = declareTypeParameters(spec.typeParameters, scope);
  --level;
  abstract.typeParams = parameters.types;
  abstract.sizeParams = parameters.sizes;
  result.abstracts.push_back(&abstract);
  AbstractRef self{&abstract, {}, {}};
  for (const TypeParam *param : parameters.types)
    self.typeArguments.push_back(arena.type(ParamType{param}));
  for (const Binding *size : parameters.sizes) {
    info(size)->level = boundInTypeLevel;
    self.sizeArguments.push_back(variableSize(size));
  }
  TypeEntry entry;
  entry.parameters = parameters.all;
  entry.lifting = abstract.lifting;
  entry.definition = arena.type(std::move(self));
  return entry;
}

void Checker::checkSpec(const syntax::Spec &spec, Scope &scope, ModuleType &result) {
  auto addValue = [&](const std::string &name, ValueEntry entry) {
    if (result.names.values.count(name))
      fail(spec.range, "'" + name + "' is specified twice in this module type");
    scope.names.values[name] = result.names.values[name] = std::move(entry);
  };
  auto addType = [&](const std::string &name, TypeEntry entry) {
    if (result.names.types.count(name))
      fail(spec.range, "type '" + name + "' is specified twice in this module type");
    scope.names.types[name] = result.names.types[name] = std::move(entry);
  };
  if (const auto *value = syntax::as<syntax::ValueSpec>(spec)) {
    ++level;
    Scope inner{&scope, {}};
    TypeParameters parameters = declareTypeParameters(value->typeParameters, inner);
    std::vector<const Binding *> existentials;
    TypeRef type = elaborate(*value->type, {&inner, TypeContext::Open::Existential, &existentials, false, true});
    --level;
    for (const Binding *size : parameters.sizes)
      if (!mentions(type, size))
        fail(size->range, "size parameter '" + size->name + "' is not used in the type");
    BindingInfo *binding = arena.binding(Binding::Kind::Definition, qualified(value->name.text), value->name.range,
                                         type, boundInTypeLevel);
    binding->scheme = {parameters.types, parameters.sizes, type};
    addValue(value->name.text, {binding, {}, {}, {}});
  } else if (const auto *type = syntax::as<syntax::TypeSpec>(spec)) {
    if (type->definition)
      addType(type->name.text, declareType({type->name, type->lifting, type->typeParameters, type->definition}, scope));
    else
      addType(type->name.text, declareAbstract(*type, result));
  } else if (const auto *module = syntax::as<syntax::ModuleSpec>(spec)) {
    ModuleType inner = checkModuleType(*module->type, scope);
    result.abstracts.insert(result.abstracts.end(), inner.abstracts.begin(), inner.abstracts.end());
    addValue(module->name.text, {nullptr, {}, std::make_shared<Module>(moduleOfType(inner)), {}});
  } else if (const auto *include = syntax::as<syntax::IncludeSpec>(spec)) {
    ModuleType inner = checkModuleType(*include->type, scope);
    result.abstracts.insert(result.abstracts.end(), inner.abstracts.begin(), inner.abstracts.end());
    for (const auto &[name, entry] : inner.names.values)
      scope.names.values[name] = result.names.values[name] = entry;
    for (const auto &[name, entry] : inner.names.types) {
      if (result.names.types.count(name))
        diagnostics.warning(spec.range, "this hides type '" + name + "', which was specified before");
      scope.names.types[name] = result.names.types[name] = entry;
    }
  }
}

// `type with t 'a = definition`.
ModuleType Checker::refine(const ModuleType &type, const syntax::ModuleTypeWith &with, const SourceRange &range,
                           const Scope &scope) {
  const Environment *names = &type.names;
  for (const std::string &qualifier : with.type.qualifiers) {
    auto found = names->values.find(qualifier);
    if (found == names->values.end() || !found->second.module)
      fail(with.type.range, "the module type has no module '" + qualifier + "'");
    names = &found->second.module->names;
  }
  auto found = names->types.find(with.type.name);
  if (found == names->types.end())
    fail(with.type.range, "the module type has no type '" + with.type.name + "'");
  const TypeEntry &entry = found->second;
  const auto *abstract = as<AbstractRef>(entry.definition);
  auto isOpen = [&](const AbstractType *candidate) {
    return std::find(type.abstracts.begin(), type.abstracts.end(), candidate) != type.abstracts.end();
  };
  if (!abstract || !isOpen(abstract->type))
    fail(with.type.range,
         "type '" + with.type.name + "' is not open in the module type: it is '" + toString(entry.definition) + "'");
  // What a module has for the type is compared with what the module type allows when it is matched.
  TypeEntry definition = declareType(
      {{with.type.range, with.type.name}, syntax::Lifting::FullyLifted, with.typeParameters, with.definition}, scope);
  Substitution parameters = matchParameters(definition, *abstract->type, with.type.name, range);
  Substitution substitution;
  substitution.representations[abstract->type] = substitute(arena, definition.definition, parameters);
  ModuleType result;
  result.names = copyNames(type.names, substitution);
  substituteNames(result.names, substitution, definition.existentials);
  for (const AbstractType *other : type.abstracts)
    if (other != abstract->type)
      result.abstracts.push_back(other);
  return result;
}

// Renames the parameters of a type to those of the abstract type it stands for.
Substitution Checker::matchParameters(const TypeEntry &have, const AbstractType &want, const std::string &name,
                                      const SourceRange &range) {
  Substitution result;
  size_t types = 0, sizes = 0;
  for (const TypeParameterEntry &parameter : have.parameters) {
    if (parameter.type && types < want.typeParams.size()) {
      if (parameter.type->lifting < want.typeParams[types]->lifting)
        fail(range, "parameter '" + parameter.type->name + "' of type '" + name + "' takes fewer types than it must",
             "the module type allows functions or unknown sizes for it; declare it with '^' or '~' as there");
      result.types[parameter.type] = arena.type(ParamType{want.typeParams[types]});
    }
    if (parameter.size && sizes < want.sizeParams.size())
      result.sizes[parameter.size] = variableSize(want.sizeParams[sizes]);
    ++(parameter.type ? types : sizes);
  }
  if (types != want.typeParams.size() || sizes != want.sizeParams.size())
    fail(range, "type '" + name + "' has other parameters than the module type says");
  return result;
}

} // namespace ferry::futhark::types
