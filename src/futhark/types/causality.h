// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "futhark/types/arena.h"

namespace ferry::futhark::types {

// Checks that every size is known by the time it is needed: when a function is used at a type with that size, or an
// empty array or hole is made. `firstBinding` is the first of the arena's bindings that the definition made. Works on
// finished definitions; throws CheckError.
void checkCausality(const typed::Arena &arena, size_t firstBinding, const typed::Function &function);

} // namespace ferry::futhark::types
