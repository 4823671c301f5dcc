// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/model.h"

#include <string>
#include <vector>

/// \file
/// Puts what is in a state into a new map on the device (schedule GPU_Device). Whatever crosses the boundary goes
/// through the map's entry and exit, empty memlets without connectors; nodes left without an edge before or behind them
/// are put in order behind the entry and before the exit. The entry and the exit are then the last two nodes of the
/// state.
namespace ferry::sdfg {

/// Nodes of one scope, with all that is in the scopes of entries among them.
void surround(State &state, const std::vector<NodeId> &nodes, const std::string &name, const Scope &scope,
              Dialect dialect);

/// A map at the top of the state, all that is in it included.
void surroundMap(State &state, NodeId entry, const std::string &name, const Scope &scope, Dialect dialect);

} // namespace ferry::sdfg
