// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unification: makes two types equal by giving inferred types and sizes their values, and narrows what type variables
// may stand for. It is directed at function types: an actual function may consume less, promise more and return sizes
// known better than what is expected. Variables bound before a failure stay bound.
#pragma once

#include "futhark/types/substitute.h"

namespace ferry::futhark::types {

class Unifier {
public:
  /// `level`: the depth of the current scope, where unknown sizes come to exist.
  Unifier(typed::Arena &arena, unsigned level) : arena(arena), level(level) {}

  /// Whether the types can be made equal; if not, `reason` says why.
  bool unify(TypeRef expected, TypeRef actual);
  bool unifySizes(const Size &expected, const Size &actual);
  /// The type of a value that is either of the two: sizes that differ become `unknown()`. A null result is a failure.
  TypeRef join(TypeRef left, TypeRef right, const std::function<const Binding *()> &unknown);

  /// Narrow what a type may be. On failure `reason` is set.
  bool requirePrims(TypeRef type, PrimSet prims);
  bool requireEquality(TypeRef type);
  bool requireLifting(TypeRef type, Lifting lifting);
  /// The type of a field or payload; adds it to what is known of a variable. Null on failure.
  TypeRef requireField(TypeRef type, const std::string &field, const SourceRange &range);
  bool requireConstructor(TypeRef type, const std::string &name, const std::vector<TypeRef> &payload);

  const std::string &reason() const { return why; }
  /// Sizes that results of function arguments brought along; they belong to the application that unified.
  std::vector<const Binding *> takeOpened() { return std::exchange(opened, {}); }

private:
  bool fail(std::string message);
  bool unifyResolved(TypeRef expected, TypeRef actual);
  bool unifyRecords(const RecordType &expected, const RecordType &actual);
  bool unifySums(const SumType &expected, const SumType &actual);
  bool unifyFunctions(const FunctionType &expected, const FunctionType &actual);
  bool unifyResults(TypeRef expected, TypeRef actual);
  bool unifyAbstracts(const AbstractRef &expected, const AbstractRef &actual);
  bool unifySizeExprs(const typed::Expr &expected, const typed::Expr &actual);
  bool bind(TypeVariable &variable, TypeRef type);
  bool bindSize(SizeVariable &variable, const Size &size);
  bool satisfy(TypeVariable &variable, TypeRef type);
  bool merge(TypeVariable &into, TypeVariable &from);
  bool admit(TypeVariable &variable, TypeRef type);
  bool admitSize(TypeVariable &variable, const Size &size);
  bool admitName(const Binding *name, unsigned limit, Lifting lifting);

  typed::Arena &arena;
  unsigned level;
  unsigned depth = 0;
  std::string why;
  std::vector<const Binding *> opened;
};

} // namespace ferry::futhark::types
