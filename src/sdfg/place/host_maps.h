// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/dataflow.h"
#include "sdfg/place/sizes.h"
#include "sdfg/place/work.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

/// \file
/// Maps that the host runs and that launch the maps in them.
namespace ferry::sdfg {

using MapSet = std::set<const Node *>; ///< Of map entries.

/// The maps that `names` name: a label, or a node's identifier (`guid`); "True" and "all-launching" name those that
/// launch work rather than do it, "False", "None", "none" and "[]" none. The error is a name that no map has.
placement::Result<MapSet> hostMaps(const Program &program, const std::vector<std::string> &names);

/// A map's label without its range.
std::string nameOf(const Node &entry);
/// Whether a scope holds a map, at any depth and in nested graphs too, for which `is` holds.
bool holdsMap(const State &state, const Dataflow &dataflow, NodeId entry, const std::function<bool(const Node &)> &is);
/// Whether a map stays on the host: it is in `onHost`, or holds one that is.
bool isHostMap(const State &state, const Dataflow &dataflow, NodeId entry, const MapSet &onHost);
/// Whether the scope's own code is the host's, and some of it is a kernel already.
bool launchesKernels(const State &state, const Dataflow &dataflow, NodeId entry);

/// Why a host map cannot launch what is in it, each outermost map, tasklet and library node as a kernel of its own;
/// empty if it can. Maps in `onHost` are host maps themselves.
std::string whyNotLaunched(const Sdfg &sdfg, const State &state, const Dataflow &dataflow, NodeId entry,
                           const MapSet &onHost);

/// One piece of work of a host map.
struct Launched {
  const Sdfg *sdfg = nullptr;
  const State *state = nullptr;
  const Node *node = nullptr;    ///< Null: a copy.
  Dataflow::EdgeId edge = kNone; ///< Of a copy.
  NodeWork work;
  double times = 0; ///< For one run of the map.
};
/// What a host map runs: the outermost maps that `isHostMap` does not say to be host maps, tasklets, library nodes and
/// copies. Its parameters are supposed to be in the middle of their ranges.
std::vector<Launched> launchesOf(const Sdfg &sdfg, const State &state, const Dataflow &dataflow, NodeId entry,
                                 const Sizes &sizes,
                                 const std::function<bool(const State &, const Dataflow &, NodeId)> &isHostMap);

} // namespace ferry::sdfg
