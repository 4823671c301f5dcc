// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/surround.h"

#include "sdfg/dataflow.h"

namespace ferry::sdfg {

using EdgeId = Dataflow::EdgeId;

/// Leads an edge through a map's entry or exit, by a port of its own if it carries something.
static void leadThrough(State &state, EdgeId id, NodeId gate, std::size_t &ports) {
  bool in = state.nodes[gate].isEntry();
  DataEdge edge = state.edges[id];
  std::optional<std::string> outer, inner;
  if (edge.memlet.isEmpty()) {
    edge.fromConnector.reset();
    edge.toConnector.reset();
    edge.memlet = Memlet::empty();
  } else {
    std::string number = std::to_string(ports++);
    state.nodes[gate].addConnector(true, "IN_" + number);
    state.nodes[gate].addConnector(false, "OUT_" + number);
    outer = (in ? "IN_" : "OUT_") + number;
    inner = (in ? "OUT_" : "IN_") + number;
  }
  (in ? state.edges[id].to : state.edges[id].from) = gate;
  (in ? state.edges[id].toConnector : state.edges[id].fromConnector) = outer;
  if (in)
    state.connect(gate, inner, edge.to, edge.toConnector, edge.memlet);
  else
    state.connect(edge.from, edge.fromConnector, gate, inner, edge.memlet);
}

void surround(State &state, const std::vector<NodeId> &nodes, const std::string &name, const Scope &scope,
              Dialect dialect) {
  auto [entry, exit] = state.add(Node::map(name, scope, "GPU_Device", dialect));
  std::vector<bool> isMember(state.nodes.size()), hasIn(state.nodes.size()), hasOut(state.nodes.size());
  for (NodeId id : nodes)
    isMember[id] = true;
  std::size_t ins = 0, outs = 0;
  for (EdgeId id = 0, count = static_cast<EdgeId>(state.edges.size()); id < count; ++id) {
    NodeId from = state.edges[id].from, to = state.edges[id].to;
    hasOut[from] = hasIn[to] = true;
    if (isMember[to] && !isMember[from])
      leadThrough(state, id, entry, ins);
    else if (isMember[from] && !isMember[to])
      leadThrough(state, id, exit, outs);
  }
  for (NodeId id : nodes) {
    if (!hasIn[id])
      state.connect(entry, std::nullopt, id, std::nullopt, Memlet::empty());
    if (!hasOut[id])
      state.connect(id, std::nullopt, exit, std::nullopt, Memlet::empty());
  }
}

void surroundMap(State &state, NodeId entry, const std::string &name, const Scope &scope, Dialect dialect) {
  std::vector<NodeId> nodes = {entry};
  auto dataflow = Dataflow::of(state);
  for (NodeId id = 0; dataflow && id < state.nodes.size(); ++id)
    if (dataflow->isWithin(id, entry))
      nodes.push_back(id);
  surround(state, nodes, name, scope, dialect);
}

} // namespace ferry::sdfg
