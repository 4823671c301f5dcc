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

/// A value as a module type shows it: with a type of its own, perhaps less general, in place of the binding's. The
/// arguments are those of the binding's parameters, in terms of this scheme's.
struct View {
  Scheme scheme;
  std::vector<TypeRef> typeArguments;
  std::vector<Size> sizeArguments;
};

struct ValueEntry {
  const Binding *binding = nullptr;         ///< A value,
  std::optional<typed::BinaryOp> operation; ///< or a built-in operator,
  std::shared_ptr<const Module> module;     ///< or a module.
  std::shared_ptr<const View> view;         ///< Of a value; null for its binding's own type.
};

/// A type name: `params` in the order written; a size parameter's `size` or a type parameter's `type` is set.
struct TypeParameterEntry {
  const Binding *size = nullptr;
  const TypeParam *type = nullptr;
};
struct TypeEntry {
  std::vector<TypeParameterEntry> parameters;
  TypeRef definition = nullptr;
  std::vector<const Binding *> existentials; ///< Unknown sizes in `definition`, fresh at every use.
  Lifting lifting = Lifting::Unlifted;
  bool isParameter = false; ///< A type parameter in scope, not a declared type.
};

template <typename Entry> using Names = std::unordered_map<std::string, Entry>;

/// The names a module offers.
struct Environment {
  Names<ValueEntry> values;
  Names<TypeEntry> types;
  Names<std::shared_ptr<const ModuleType>> moduleTypes;

  /// Adds all names of another; they hide those already here.
  void add(const Environment &other);
};

/// Names in scope; inner scopes hide outer ones. Scopes of expressions live on the checker's stack.
struct Scope {
  const Scope *parent = nullptr;
  Environment names;

  const ValueEntry *value(const std::string &name) const;
  const TypeEntry *type(const std::string &name) const;
  const std::shared_ptr<const ModuleType> *moduleType(const std::string &name) const;
};

/// A module, or with parameters a parametric one.
struct Module {
  Environment names;

  /// A parametric module: its body is checked anew for every application, in the scope of its definition. Without a
  /// body it is a parameter, of which only the result's type is known.
  struct Parametric {
    std::string parameterName;
    const syntax::ModuleTypeExpr *parameterType = nullptr;
    std::vector<const syntax::ModuleParameter *> rest;
    const syntax::ModuleTypeExpr *resultType = nullptr;
    const syntax::ModuleExpr *body = nullptr;
    std::shared_ptr<const Scope> scope;
    std::string name;                 ///< A prefix of names of its definitions.
    const SourceFile *file = nullptr; ///< Imports in the body are relative to it.
  };
  std::optional<Parametric> parametric;
};

/// The specification of a module. `abstracts` are the types it leaves open; they occur in the types of its values and
/// belong to this object alone.
struct ModuleType {
  Environment names;
  std::vector<const AbstractType *> abstracts;
  std::optional<Module::Parametric> arrow; ///< Of a parametric module; without a body.
};

} // namespace ferry::futhark::types
