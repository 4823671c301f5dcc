// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/place/kernels.h"
#include "sdfg/place/twins.h"

namespace ferry::sdfg {

/// Writes a plan into the operations of a state: names of the device's copies, schedules, maps of one iteration around
/// what else runs on the device. Nothing is copied yet, and the state stays one.
class StateRewriter {
public:
  StateRewriter(Level &level, State &state, Level::StateParts &parts, const placement::Plan &plan,
                const placement::Residency &residency, const Extracted &extracted, Twins &twins, Dialect dialect);
  void run();

private:
  using EdgeId = Dataflow::EdgeId;
  struct Sides {
    bool host = false, device = false;
  };

  bool onDevice(std::size_t operation) const;
  /// Whether the operation uses the device's copy of a container.
  bool usesTwin(std::size_t operation, const std::string &container) const;
  void findOwners();
  void findSides();
  NodeId access(NodeId node, bool device);
  void renameEdges();
  void renameInside(std::size_t operation);
  void schedule(const Operation &operation, bool device);
  void callFromHost(std::size_t operation);
  void own(std::size_t operation);

  Level &level;
  State &state;
  Level::StateParts &parts;
  const placement::Plan &plan;
  const placement::Residency &residency;
  const placement::Graph &graph;
  Twins &twins;
  Dialect dialect;
  const MapSet &onHost;
  std::set<NodeId> hostMaps;                ///< Of this state.
  std::vector<std::string> original;        ///< By node: the container of an access node, before any renaming.
  std::vector<std::size_t> owner;           ///< By node: its operation; none for access nodes at the top.
  std::vector<std::vector<NodeId>> nodesOf; ///< By operation.
  std::vector<std::vector<EdgeId>> edgesOf; ///< By operation, those with an end in it.
  std::map<EdgeId, std::size_t> copyOwner;  ///< By edge between access nodes: the operation that it is.
  std::vector<Sides> wanted;                ///< By access node at the top.
  std::map<NodeId, NodeId> clones;          ///< The device's node beside the host's.
};

} // namespace ferry::sdfg
