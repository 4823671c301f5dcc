// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a module has what a module type asks for, and what it looks like through it. First the module's types are
// found for the abstract ones; then every value's type is compared under that.
#include "futhark/types/checker.h"

namespace ferry::futhark::types {

// Values that may be sizes: the module type's names for them stand for the module's.
void Checker::matchSizes(const Environment &have, const Environment &want, Ascription &ascription) {
  for (const auto &[name, entry] : want.values) {
    auto found = have.values.find(name);
    if (found == have.values.end())
      continue;
    const ValueEntry &mine = found->second;
    if (entry.module && mine.module)
      matchSizes(mine.module->names, entry.module->names, ascription);
    if (!entry.binding || !mine.binding || is<FunctionType>(withoutUnique(entry.binding->scheme.type)))
      continue;
    for (Substitution *names : {&ascription.actual, &ascription.shown})
      names->sizes[entry.binding] = variableSize(mine.binding);
  }
}

void Checker::matchType(const TypeEntry &have, const TypeEntry &want, const std::string &name, Ascription &ascription) {
  if (!have.definition || !want.definition)
    throw CheckError{CheckError::Kind::Silent, {}, {}, {}};
  const auto *abstract = as<AbstractRef>(want.definition);
  if (abstract && ascription.open.count(abstract->type) && !ascription.actual.representations.count(abstract->type)) {
    if (have.lifting > want.lifting)
      fail(ascription.range,
           "type '" + name + "' may be a function or have unknown sizes, which the module type does not allow",
           "declare it in the module type with '~' or '^'");
    Substitution parameters = matchParameters(have, *abstract->type, name, ascription.range);
    std::unordered_set<const Binding *> witnessed;
    collectWitnessed(have.definition, witnessed);
    for (const TypeParameterEntry &parameter : have.parameters)
      if (parameter.size && !witnessed.count(parameter.size))
        fail(parameter.size->range,
             "size parameter '" + parameter.size->name + "' of type '" + name +
                 "', which the module type hides, is not by itself the size of an array in the type",
             "no value would tell what it is; add an array of that size, for example [" + parameter.size->name + "]()");
    TypeRef definition = substitute(arena, have.definition, parameters);
    ascription.actual.representations[abstract->type] = definition;
    ascription.unknown.insert(ascription.unknown.end(), have.existentials.begin(), have.existentials.end());
    if (ascription.transparent) {
      ascription.shown.representations[abstract->type] = definition;
      return;
    }
    AbstractType &sealed = arena.abstractTypes.emplace_back(*abstract->type);
    sealed.id = static_cast<uint32_t>(arena.abstractTypes.size());
    sealed.name = qualified(name);
    sealed.representation = definition;
    ascription.shown.abstracts[abstract->type] = &sealed;
    return;
  }
  // A type that the module type defines: both must be the same.
  if (have.parameters.size() != want.parameters.size())
    fail(ascription.range, "type '" + name + "' has other parameters than the module type says");
  Substitution parameters;
  for (size_t i = 0; i < have.parameters.size(); ++i) {
    const TypeParameterEntry &mine = have.parameters[i], &theirs = want.parameters[i];
    if ((mine.size == nullptr) != (theirs.size == nullptr))
      fail(ascription.range, "type '" + name + "' has other parameters than the module type says");
    if (mine.size)
      parameters.sizes[mine.size] = variableSize(theirs.size);
    else
      parameters.types[mine.type] = arena.type(ParamType{theirs.type});
  }
  for (const Binding *size : have.existentials)
    parameters.sizes[size] = freshSize(size->range);
  TypeRef mine = substitute(arena, have.definition, parameters);
  Substitution actual = ascription.actual;
  actual.hidden = ascription.unknown;
  actual.rename = [&](const Binding *size) { return freshUnknown(size->range, size->name); };
  TypeRef theirs = substitute(arena, want.definition, actual);
  Unifier attempt = unifier();
  if (!attempt.unify(theirs, mine))
    fail(ascription.range,
         "type '" + name + "' is '" + toString(mine) + "', but the module type says '" + toString(theirs) + "'",
         attempt.reason());
}

void Checker::matchTypes(const Environment &have, const Environment &want, const std::string &prefix,
                         Ascription &ascription) {
  // Abstract types first: definitions in the module type may mention them.
  for (bool abstractPass : {true, false})
    for (const auto &[name, entry] : want.types) {
      const auto *abstract = entry.definition ? as<AbstractRef>(entry.definition) : nullptr;
      if ((abstract && ascription.open.count(abstract->type)) != abstractPass)
        continue;
      auto found = have.types.find(name);
      if (found == have.types.end())
        fail(ascription.range, "the module has no type '" + prefix + name + "', which its module type asks for");
      matchType(found->second, entry, prefix + name, ascription);
    }
  for (const auto &[name, entry] : want.values) {
    if (!entry.module || entry.module->parametric)
      continue;
    auto found = have.values.find(name);
    if (found == have.values.end() || !found->second.module || found->second.module->parametric)
      fail(ascription.range, "the module has no module '" + prefix + name + "', which its module type asks for");
    matchTypes(found->second.module->names, entry.module->names, prefix + name + ".", ascription);
  }
}

// Binds names that only a function's result mentions there, as unknown sizes.
TypeRef Checker::bindInResult(TypeRef type, const std::vector<const Binding *> &names) {
  const auto *function = as<FunctionType>(withoutUnique(type));
  if (!function)
    return type;
  FunctionType copy = *function;
  if (is<FunctionType>(withoutUnique(copy.result))) {
    copy.result = bindInResult(copy.result, names);
    return arena.type(std::move(copy));
  }
  std::vector<const Binding *> here;
  copy.result = bindDeeper(copy.result, names, here);
  for (const Binding *size : here)
    info(size)->level = boundInTypeLevel;
  copy.existentials.insert(copy.existentials.end(), here.begin(), here.end());
  return arena.type(std::move(copy));
}

// A type name's definition with abstract types replaced; the sizes that these hide are unknown sizes of it.
void Checker::showType(TypeEntry &entry, Substitution substitution, const std::vector<const Binding *> &hidden) {
  substitution.hidden = hidden;
  substitution.rename = [&](const Binding *size) {
    Binding *own = freshUnknown(size->range, size->name);
    info(own)->level = boundInTypeLevel;
    entry.existentials.push_back(own);
    return own;
  };
  entry.definition = substitute(arena, entry.definition, substitution);
}

// A scheme in which abstract types are replaced by representations that hide sizes: those in parameters become size
// parameters, those in the result its unknown sizes.
Scheme Checker::represented(const Scheme &scheme, Substitution substitution,
                            const std::vector<const Binding *> &hidden) {
  Scheme result = scheme;
  std::vector<const Binding *> made;
  ++level;
  substitution.hidden = hidden;
  substitution.rename = [&](const Binding *size) {
    made.push_back(freshUnknown(size->range, size->name));
    return made.back();
  };
  result.type = bindInResult(substitute(arena, scheme.type, substitution), made);
  --level;
  for (const Binding *size : made)
    if (levelOf(size) != boundInTypeLevel)
      result.sizeParams.push_back(size);
  return result;
}

ValueEntry Checker::matchValue(const ValueEntry &have, const Binding &want, const std::string &name,
                               const Ascription &ascription) {
  Scheme expected = represented(want.scheme, ascription.actual, ascription.unknown);
  ++level;
  bool isFunction = is<FunctionType>(withoutUnique(expected.type));
  Substitution told; // Hidden sizes of a constant are what the module's constant has.
  for (size_t i = want.scheme.sizeParams.size(); !isFunction && i < expected.sizeParams.size(); ++i)
    told.sizes[expected.sizeParams[i]] = freshSize(want.range);
  TypeRef type = substitute(arena, expected.type, told);
  typed::Expr *use = have.view ? useView(have, want.range) : useBinding(have.binding, want.range);
  Unifier attempt = unifier();
  bool matches = attempt.unify(type, use->type);
  for (const auto &[size, value] : told.sizes)
    matches = matches && resolve(value).kind == Size::Kind::Variable;
  if (!matches)
    fail(ascription.range,
         "the module's '" + name + "' has type '" + toString(use->type) + "', but its module type asks for '" +
             toString(expected.type) + "'",
         attempt.reason());
  --level;
  const auto &var = *typed::as<typed::Var>(*use);
  auto view = std::make_shared<View>();
  view->scheme = want.scheme;
  if (ascription.transparent && isFunction)
    view->scheme = expected;
  else
    view->scheme.type = substitute(arena, want.scheme.type, ascription.shown);
  for (TypeRef argument : var.typeArguments)
    view->typeArguments.push_back(argument);
  for (const Size &argument : var.sizeArguments) {
    Size size = resolve(argument);
    // A size that the module type's scheme does not determine is one that no value has.
    view->sizeArguments.push_back(size.kind == Size::Kind::Inferred ? constantSize(0) : size);
  }
  return {have.binding, {}, {}, view};
}

Environment Checker::matchValues(const Environment &have, const Environment &want, const std::string &prefix,
                                 const Ascription &ascription) {
  Environment result;
  for (const auto &[name, entry] : want.values) {
    auto found = have.values.find(name);
    std::string what = entry.module ? "module" : "value";
    if (found == have.values.end())
      fail(ascription.range, "the module has no " + what + " '" + prefix + name + "', which its module type asks for");
    const ValueEntry &mine = found->second;
    if (entry.binding && mine.binding) {
      result.values[name] = matchValue(mine, *entry.binding, prefix + name, ascription);
    } else if (entry.module && mine.module) {
      if (entry.module->parametric.has_value() != mine.module->parametric.has_value())
        fail(ascription.range, "module '" + prefix + name + "' is " +
                                   (mine.module->parametric ? "parametric" : "not parametric") +
                                   ", but its module type says otherwise");
      if (entry.module->parametric) {
        result.values[name] = mine;
        continue;
      }
      Module inner;
      inner.names = matchValues(mine.module->names, entry.module->names, prefix + name + ".", ascription);
      result.values[name] = {nullptr, {}, std::make_shared<Module>(std::move(inner)), {}};
    } else if (!mine.binding && !mine.module) {
      result.values[name] = {};
    } else {
      fail(ascription.range, "'" + prefix + name + "' is not a " + what + ", which the module type asks for");
    }
  }
  for (const auto &[name, entry] : want.types) {
    TypeEntry shown = entry;
    showType(shown, ascription.shown, ascription.unknown);
    result.types[name] = std::move(shown);
  }
  return result;
}

Module Checker::ascribe(const Module &module, const ModuleType &type, const SourceRange &range, bool transparent) {
  if (type.arrow.has_value() != module.parametric.has_value())
    fail(range, module.parametric ? "the module is parametric, but its module type says otherwise"
                                  : "the module is not parametric, but its module type says so");
  if (type.arrow) {
    // The module must work for every argument of the type.
    Module argument = moduleOfType(checkModuleType(*type.arrow->parameterType, *type.arrow->scope));
    bool wasDiscarding = std::exchange(discard, true);
    Module result = applyModule(module, argument, range);
    discard = wasDiscarding;
    Scope inner{type.arrow->scope.get(), {}};
    inner.names.values[type.arrow->parameterName] = {nullptr, {}, std::make_shared<Module>(argument), {}};
    ascribe(result, checkModuleType(*type.arrow->resultType, inner), range);
    return module;
  }
  Ascription ascription{range, {type.abstracts.begin(), type.abstracts.end()}, {}, {}, transparent, {}};
  matchSizes(module.names, type.names, ascription);
  matchTypes(module.names, type.names, {}, ascription);
  Module result;
  result.names = matchValues(module.names, type.names, {}, ascription);
  return result;
}

} // namespace ferry::futhark::types
