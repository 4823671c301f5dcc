// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "futhark/types/arena.h"

#include <unordered_set>

namespace ferry::futhark::types {

/// Checks that every size is known by the time it is needed: when a function is used at a type with that size, or an
/// empty array or hole is made. `firstBinding` is the first of the arena's bindings that the definition made,
/// `sections` are its operator sections. Works on finished definitions; throws CheckError.
void checkCausality(const typed::Arena &arena, size_t firstBinding,
                    const std::unordered_set<const typed::Expr *> &sections, const typed::Function &function);

} // namespace ferry::futhark::types
