// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/control.h"

#include <map>
#include <set>
#include <string>

namespace ferry::sdfg {

/// DaCe's names of the types of an SDFG's symbols ("int64"). A symbol may be assigned on an edge without being
/// declared; DaCe then infers its type, and so does this: integers of whatever width are int64 where they meet.
struct SymbolTypes {
  std::map<std::string, std::string> known; ///< Declared, or inferred alike from all that is assigned.
  std::set<std::string> unknown;            ///< Assigned, not declared, and of no type that is certain.
};

SymbolTypes symbolTypesOf(const Sdfg &sdfg, const ControlFlow &flow);

} // namespace ferry::sdfg
