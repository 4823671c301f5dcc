// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uniqueness: which names may share memory, which are consumed, and that nothing consumed is used again. Works on
// finished definitions.
#pragma once

#include "futhark/types/arena.h"

#include <unordered_set>

namespace ferry::futhark::types {

/// What a checker knows beside the typed nodes.
struct UniquenessFacts {
  std::unordered_set<const Binding *> uniqueNames;             ///< Bound by a pattern that is annotated with `*`.
  std::unordered_set<const Binding *> observedNames;           ///< By one that is annotated without.
  std::unordered_set<const typed::Function *> inferredResults; ///< Functions without a result type of their own.
  bool inApplication = false; ///< In the body of a parametric module, whose author cannot know what is a constant.
};

/// Checks a definition's function. Throws CheckError. Where the result type was inferred, components that share no
/// memory with anything the caller has become `Unique`; the function's type is changed accordingly.
void checkConsumption(typed::Arena &arena, const UniquenessFacts &facts, typed::Function &function, TypeRef &type);

} // namespace ferry::futhark::types
