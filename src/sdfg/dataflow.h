// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/model.h"

#include <span>
#include <vector>

namespace ferry::sdfg {

/// What the edges of a state say: who follows whom and which scope a node is in. It refers to the state as it was when
/// this was made.
class Dataflow {
public:
  using EdgeId = std::uint32_t; ///< Index in State::edges.

  /// The error names a node on a cycle, one that is in two scopes at once, or one in too many scopes.
  static placement::Result<Dataflow> of(const State &state);

  std::span<const EdgeId> out(NodeId node) const { return slice(outStart, outEdges, node); }
  std::span<const EdgeId> in(NodeId node) const { return slice(inStart, inEdges, node); }
  /// Each node after all that it depends on; of several, the smaller id first.
  const std::vector<NodeId> &order() const { return sorted; }
  /// The entry of the innermost scope around a node, kNone at the top. As in DaCe, an entry is outside of its scope and
  /// an exit inside of it.
  NodeId scope(NodeId node) const { return scopes[node]; }
  /// Whether a node is in the scope of an entry, at any depth.
  bool isWithin(NodeId node, NodeId entry) const {
    NodeId around = scopes[node];
    while (around != kNone && around != entry)
      around = scopes[around];
    return around == entry;
  }
  /// The nodes whose innermost scope this is, in order of their ids; kNone: those at the top.
  std::span<const NodeId> children(NodeId entry) const {
    return slice(childStart, childNodes, entry == kNone ? static_cast<NodeId>(scopes.size()) : entry);
  }
  /// The only node in a scope besides its exit; kNone if there are several, or none.
  NodeId onlyChild(NodeId entry) const;

  /// Follows a memlet through the scopes that it crosses (connector IN_x goes on as OUT_x), outwards to the edge
  /// outside of them all, or inwards to the edges that it splits into.
  EdgeId outermost(EdgeId edge) const;
  std::vector<EdgeId> innermost(EdgeId edge) const;

private:
  static std::span<const std::uint32_t> slice(const std::vector<std::uint32_t> &start,
                                              const std::vector<std::uint32_t> &items, NodeId node) {
    return {items.data() + start[node], items.data() + start[node + 1]};
  }
  /// The edges of a scope's node that enter by IN_x, and those that leave by OUT_x.
  struct Port {
    std::vector<EdgeId> in, out;
  };
  void findPorts();
  void findChildren();
  /// The edges on the other side of a scope's node that carry on what `edge` carries; outwards or inwards.
  std::span<const EdgeId> next(EdgeId edge, bool outwards) const;

  const State *state = nullptr;
  std::vector<std::uint32_t> outStart, inStart;
  std::vector<EdgeId> outEdges, inEdges;
  std::vector<NodeId> sorted, scopes;
  std::vector<std::uint32_t> childStart; ///< By scope; last, the top's.
  std::vector<NodeId> childNodes;
  std::vector<Port> ports;
  std::vector<std::uint32_t> portFrom, portTo; ///< By edge: the port of a scope's node at this end; kNone.
};

/// Calls `visit(state, dataflow)` for every state of a graph, as forEachBlock; not for one that is malformed.
template <typename Graph, typename Visit> void forEachDataflow(Graph &graph, const Visit &visit) {
  forEachBlock(graph, [&](auto &block) {
    if (auto *state = block.state())
      if (auto dataflow = Dataflow::of(*state))
        visit(*state, *dataflow);
  });
}

} // namespace ferry::sdfg
