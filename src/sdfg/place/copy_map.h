// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/model.h"
#include "sdfg/names.h"

#include <functional>
#include <optional>
#include <string>

/// \file
/// A copy between two containers as a map over its elements, where a kernel has to do it itself.
namespace ferry::sdfg {

struct CopyMap {
  Scope scope;
  Subset read, written;     ///< Elements of source and target, all of them.
  Subset element, position; ///< The one of each for the map's parameters.
};

/// Absent if it is not known which element goes where: it is a dynamic copy or one that combines, within one container,
/// or between dimensions that do not correspond one by one.
/// `parameter` gives a name for each call.
std::optional<CopyMap> copyMapOf(const Sdfg &sdfg, const State &state, const DataEdge &edge,
                                 const std::function<std::string()> &parameter);

/// Puts the map in the edge's place.
void makeCopyMap(State &state, std::size_t edge, const CopyMap &map, Names &names, Dialect dialect);

} // namespace ferry::sdfg
