// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/dataflow.h"
#include "sdfg/names.h"
#include "sdfg/place/host_maps.h"

#include <set>
#include <string>
#include <vector>

namespace ferry::sdfg {

/// Writes schedules and storages of what runs on the device. The containers that it uses outside are in device memory
/// already, under the names that its memlets have.
class Kernels {
public:
  Kernels(Names &names, Dialect dialect) : names(names), dialect(dialect) {}

  /// A map, library node or nested SDFG that is one kernel. The map's containers are registers.
  void make(Sdfg &sdfg, State &state, const Dataflow &dataflow, NodeId id);
  /// What a host map runs becomes kernels, each outermost map, tasklet and library node one. `hostMaps` are the
  /// state's own.
  void launch(Sdfg &sdfg, State &state, const Dataflow &dataflow, NodeId entry, const std::set<NodeId> &hostMaps,
              const MapSet &onHost);
  /// Puts tasklets of one scope into a map of one iteration, whose entry and exit are then the last two nodes.
  void wrap(State &state, const std::vector<NodeId> &tasklets, const std::string &label);

private:
  void schedule(Sdfg &sdfg, State &state, const Dataflow &dataflow, NodeId id, bool isTop);
  void store(Sdfg &sdfg, State &state, NodeId nested);
  void launchNested(Sdfg &nested, const MapSet &onHost);

  Names &names;
  Dialect dialect;
};

/// The maps of a state that stay on the host: those in `onHost`, and those that hold one.
std::set<NodeId> hostMapsIn(const State &state, const Dataflow &dataflow, const MapSet &onHost);

} // namespace ferry::sdfg
