// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "futhark/types/arena.h"

#include <functional>
#include <set>
#include <vector>

namespace ferry::futhark::types {

/// In the order in which names were declared, so that messages tell the same one in every run.
struct DeclaredBefore {
  bool operator()(const Binding *left, const Binding *right) const {
    return left->id != right->id ? left->id < right->id : std::less<>()(left, right);
  }
};
using Roots = std::set<const Binding *, DeclaredBefore>;

/// The roots whose memory a value may share; for a record, of each field by itself.
struct Aliases {
  Roots names;
  std::vector<Aliases> fields; ///< Not empty exactly for records with fields; then `names` is empty.

  Roots all() const;
  bool empty() const { return all().empty(); }
};

/// Whether values of the type have memory to share: all but numbers and records of them.
bool hasMemory(TypeRef type);
/// Aliases of a value of the type whose every part with memory may share that of `names`.
Aliases spread(TypeRef type, const Roots &names);
/// The same, with parts that are functions left out.
Aliases spreadData(TypeRef type, const Roots &names);
/// Of a value that is one or the other.
Aliases join(const Aliases &left, const Aliases &right);
/// The roots of a new name: itself, or if it is a record one for each part with memory, named after it.
Aliases rootsOf(typed::Arena &arena, TypeRef type, const Binding *name);
/// With `names` taken out.
Aliases without(Aliases aliases, const Roots &names);
/// A name that two parts share, or null.
const Binding *sharedByParts(const Aliases &aliases);
/// The type with `Unique` around every part that shares no memory with `visible` and none with another part.
TypeRef markUnique(typed::Arena &arena, TypeRef type, const Aliases &aliases, const Roots &visible);

} // namespace ferry::futhark::types
