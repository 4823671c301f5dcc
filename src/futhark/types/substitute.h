// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replacing names in types and sizes.
#pragma once

#include "futhark/types/arena.h"

#include <functional>
#include <unordered_map>
#include <unordered_set>

namespace ferry::futhark::types {

/// What stands for a name. Names that are not mentioned stay.
struct Substitution {
  std::unordered_map<const Binding *, Size> sizes;
  std::unordered_map<const TypeParam *, TypeRef> types;
  std::unordered_map<const AbstractType *, const AbstractType *> abstracts;
  std::unordered_map<const AbstractType *, TypeRef> representations; ///< Their parameters are substituted.
  /// Sizes that representations hide, and what makes a new name for one: every use of a representation has its own.
  std::vector<const Binding *> hidden;
  std::function<const Binding *(const Binding *)> rename;
  std::vector<std::pair<Size, Size>> parts; ///< What stands for whole expressions in sizes.
  bool empty() const {
    return sizes.empty() && types.empty() && abstracts.empty() && representations.empty() && parts.empty();
  }
};

TypeRef substitute(typed::Arena &arena, TypeRef type, const Substitution &substitution);
Size substitute(typed::Arena &arena, const Size &size, const Substitution &substitution);

/// Rewrites every size in a type, resolved first, from left to right; function types included.
using SizeMap = std::function<Size(const Size &)>;
TypeRef mapSizes(typed::Arena &arena, TypeRef type, const SizeMap &map);

/// The type without any `Unique` outside parameters and results of functions in it.
TypeRef stripUnique(typed::Arena &arena, TypeRef type);
bool containsUnique(TypeRef type);
bool containsFunction(TypeRef type);

/// Every name in a size: variables and names in expressions. Inferred sizes are not looked into.
void forEachName(const Size &size, const std::function<void(const Binding *)> &visit);
void forEachInferred(const Size &size, const std::function<void(SizeVariable *)> &visit);
/// Every size in a type, resolved.
void forEachSize(TypeRef type, const std::function<void(const Size &)> &visit);
void forEachAbstract(TypeRef type, const std::function<void(const AbstractType *)> &visit);
bool mentions(TypeRef type, const Binding *name);
/// Sizes that are dimensions of arrays in the type, outside functions, as plain names.
void collectWitnessed(TypeRef type, std::unordered_set<const Binding *> &names);

/// Whether two sizes are the same as far as is known.
bool equal(const Size &left, const Size &right);

/// The number of nodes of a size's expression.
unsigned nodesIn(const Size &size);

/// A size expression as a size: constants and plain names are themselves. The node must qualify by `sizeOperands`, all
/// the way down, and have type i64; otherwise nothing.
std::optional<Size> sizeOfExpr(const typed::Expr &expr);
/// A size as an expression of type i64.
typed::Expr *exprOfSize(typed::Arena &arena, const Size &size);

} // namespace ferry::futhark::types
