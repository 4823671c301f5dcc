// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What names mean. Values and modules share a name space; types and module types have their own.
#pragma once

#include "futhark/syntax/ast.h"
#include "futhark/types/arena.h"

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

namespace ferry::futhark::types {

struct Module;
struct ModuleType;

struct ValueEntry {
  const Binding *binding = nullptr;         // A value,
  std::optional<typed::BinaryOp> operation; // or a built-in operator,
  std::shared_ptr<const Module> module;     // or a module.
};

// A type name: `params` in the order written; a size parameter's `size` or a type parameter's `type` is set.
struct TypeParameterEntry {
  const Binding *size = nullptr;
  const TypeParam *type = nullptr;
};
struct TypeEntry {
  std::vector<TypeParameterEntry> parameters;
  TypeRef definition = nullptr;
  std::vector<const Binding *> existentials; // Unknown sizes in `definition`, fresh at every use.
  Lifting lifting = Lifting::Unlifted;
  bool isParameter = false; // A type parameter in scope, not a declared type.
};

template <typename Entry> using Names = std::unordered_map<std::string, Entry>;

// The names a module offers.
struct Environment {
  Names<ValueEntry> values;
  Names<TypeEntry> types;
  Names<std::shared_ptr<const ModuleType>> moduleTypes;

  // Adds all names of another; they hide those already here.
  void add(const Environment &other);
};

// Names in scope; inner scopes hide outer ones. Scopes of expressions live on the checker's stack.
struct Scope {
  const Scope *parent = nullptr;
  Environment names;

  const ValueEntry *value(const std::string &name) const;
  const TypeEntry *type(const std::string &name) const;
  const std::shared_ptr<const ModuleType> *moduleType(const std::string &name) const;
};

// A module, or with parameters a parametric one.
struct Module {
  Environment names;

  // A parametric module: its body is checked anew for every application, in the scope of its definition.
  struct Parametric {
    const syntax::ModuleParameter *parameter = nullptr;
    std::vector<const syntax::ModuleParameter *> rest;
    const syntax::ModuleTypeExpr *resultType = nullptr;
    const syntax::ModuleExpr *body = nullptr;
    std::shared_ptr<const Scope> scope;
    std::string name;
    std::string file; // Imports in the body are relative to it.
  };
  std::optional<Parametric> parametric;
};

// The specification of a module. `abstracts` are the types it leaves open; they occur in the types of its values.
struct ModuleType {
  Environment names;
  std::vector<const AbstractType *> abstracts;
  // Names of types, "m.t" in submodules, that an abstract one stands for.
  std::vector<std::pair<std::string, const AbstractType *>> abstractNames;
  struct Arrow {
    std::shared_ptr<const ModuleType> parameter;
    const syntax::ModuleTypeExpr *result = nullptr;
    std::string parameterName;
    std::shared_ptr<const Scope> scope;
  };
  std::optional<Arrow> arrow;
};

} // namespace ferry::futhark::types
