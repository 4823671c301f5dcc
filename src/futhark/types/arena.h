// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the nodes of a typed program live, with what inference keeps beside them.
#pragma once

#include "futhark/types/typed.h"

#include <array>
#include <deque>
#include <utility>

namespace ferry::futhark::types {

/// Names bound inside a type (parameters and existential sizes of a function type) are in scope wherever the type is.
inline constexpr unsigned boundInTypeLevel = 0;
/// An unknown size that a function argument's result brought along and that nothing has let in yet.
inline constexpr unsigned openedLevel = 1U << 30;
/// A name that a function type gives its parameter, while results of functions are compared.
inline constexpr unsigned namedInTypeLevel = openedLevel - 1;

/// A binding and the depth of the scope it belongs to: a variable of inference may only stand for types and sizes whose
/// names are bound no deeper than the variable.
struct BindingInfo : Binding {
  unsigned level = 0;
  SizeVariable *alias = nullptr; ///< Not a name: stands for an inferred size inside a size expression.
};

struct TypeParamInfo : TypeParam {
  unsigned level = 0;
};

inline BindingInfo *info(const Binding *binding) {
  return static_cast<BindingInfo *>(const_cast<Binding *>(binding)); // NOLINT: all bindings come from an Arena.
}
inline unsigned levelOf(const Binding *binding) { return info(binding)->level; }
inline unsigned levelOf(const TypeParam *param) { return static_cast<const TypeParamInfo *>(param)->level; }

/// A set of primitive types, one bit each.
using PrimSet = uint16_t;
constexpr PrimSet primBit(Prim prim) { return static_cast<PrimSet>(1U << static_cast<unsigned>(prim)); }
inline constexpr PrimSet integerPrims = 0x0FF, floatPrims = 0x700, boolPrim = 0x800;
inline constexpr PrimSet numericPrims = integerPrims | floatPrims;

/// A type to be found out, and what is known of it.
struct TypeVariable {
  uint32_t id = 0;
  TypeRef bound = nullptr;
  unsigned level = 0;
  Lifting lifting = Lifting::FullyLifted; ///< What it may stand for.
  PrimSet prims = 0;                      ///< If not 0: one of these.
  bool equality = false;                  ///< Compared with == or !=.
  std::vector<Field> fields;              ///< A record with these fields, and perhaps more.
  std::vector<Constructor> constructors;  ///< A sum with these constructors, and perhaps more.
  SourceRange range;
};

/// A size to be found out.
struct SizeVariable {
  uint32_t id = 0;
  bool isBound = false;
  Size bound;
  unsigned level = 0;
  Binding *alias = nullptr;
  SourceRange range;
};

} // namespace ferry::futhark::types

namespace ferry::futhark::typed {

struct Arena {
  std::deque<Expr> expressions;
  std::deque<Pattern> patterns;
  std::deque<Function> functions;
  std::deque<Definition> definitions;
  std::deque<types::Type> types;
  std::deque<types::BindingInfo> bindings;
  std::deque<types::TypeParamInfo> typeParams;
  std::deque<types::AbstractType> abstractTypes;
  std::deque<types::TypeVariable> typeVariables;
  std::deque<types::SizeVariable> sizeVariables;
  std::array<TypeRef, 12> prims{};
  size_t firstTypeVariable = 0; ///< Of the current definition: its variables are numbered from 1.

  template <typename Node> TypeRef type(Node node) {
    types.push_back({std::move(node)});
    return &types.back();
  }
  TypeRef prim(Prim prim);
  TypeRef array(Size size, TypeRef element) { return type(types::ArrayType{size, element}); }
  TypeRef tuple(const std::vector<TypeRef> &elements);
  TypeRef unit() { return tuple({}); }
  template <typename Node> Expr *expr(const SourceRange &range, TypeRef type, Node node) {
    Expr &result = expressions.emplace_back();
    result.range = range;
    result.type = type;
    result.node = std::move(node);
    return &result;
  }
  types::BindingInfo *binding(types::Binding::Kind kind, std::string name, const SourceRange &range, TypeRef type,
                              unsigned level);
  types::TypeParamInfo *typeParam(std::string name, types::Lifting lifting, const SourceRange &range, unsigned level);
  types::TypeVariable *typeVariable(const SourceRange &range, unsigned level);
  types::SizeVariable *sizeVariable(const SourceRange &range, unsigned level);
};

} // namespace ferry::futhark::typed

namespace ferry::futhark::types {

inline Size constantSize(int64_t value) { return {Size::Kind::Constant, value, nullptr, nullptr, nullptr}; }
inline Size variableSize(const Binding *binding) { return {Size::Kind::Variable, 0, binding, nullptr, nullptr}; }
inline Size expressionSize(const typed::Expr *expr) { return {Size::Kind::Expression, 0, nullptr, expr, nullptr}; }
inline Size inferredSize(SizeVariable *variable) { return {Size::Kind::Inferred, 0, nullptr, nullptr, variable}; }

/// The type or size that inference knows by now: not a bound variable at the root.
TypeRef resolve(TypeRef type);
Size resolve(const Size &size);
/// The inferred size a `Var` node stands for, or null.
SizeVariable *aliased(const typed::Expr &expr);

/// The operands of a node that may be part of a size expression, in a fixed order; empty for leaves. False if the node
/// may not be part of one: it binds names or consumes. Of functions, operators and names of functions may.
bool sizeOperands(const typed::Expr &expr, std::vector<typed::Expr *> &operands);

/// The order of record fields: numbers by value, then names.
bool fieldLess(std::string_view left, std::string_view right);

} // namespace ferry::futhark::types
