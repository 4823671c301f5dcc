// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/number.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ferry::placement {

/// Internal: maximum flow from a source to a sink by incremental breadth-first search (Goldberg, Hed, Kaplan, Tarjan
/// and Werneck, ESA 2011): a tree of shortest residual paths grows from each end, level by level; where they meet the
/// flow is augmented, and only the subtrees that lose their path are searched anew.
///
/// The sum of all capacities that do not stand for infinity must be below the one that does, and all of them together
/// with it must fit Capacity.
template <typename Capacity> class MaxFlow {
public:
  struct Arc {
    std::uint32_t from, to;
    Capacity capacity;
  };

  /// `terminals[v]`: capacity from the source to v if positive, from v to the sink if negative.
  MaxFlow(std::vector<Capacity> terminals, std::span<const Arc> arcs);

  /// The flow's value. To be called once.
  Capacity run();

  /// After run: whether capacity is left from the source to v (>0) or from v to the sink (<0).
  Capacity terminal(std::uint32_t node) const { return terminals[node]; }
  /// After run: the nodes that residual arcs lead to from the source, and those from which they lead to the sink.
  std::vector<std::uint32_t> reachedFromSource() const { return spread(true); }
  std::vector<std::uint32_t> reachingSink() const { return spread(false); }
  /// Calls visit(from, to) for each residual arc between nodes.
  template <typename Visit> void residual(const Visit &visit) const {
    for (std::uint32_t node = 0; node < terminals.size(); ++node)
      for (std::uint32_t arc = start[node]; arc < start[node + 1]; ++arc)
        if (left[arc] > 0)
          visit(node, head[arc]);
  }

private:
  enum Tree : std::uint8_t { Free, Source, Sink };
  struct Side {
    Tree tree;
    std::uint32_t level = 1; ///< Nodes below it are scanned, those on it are not.
    std::vector<std::uint32_t> active, next;
  };
  static constexpr std::uint32_t kNoArc = 0xffffffffu, kTerminal = 0xfffffffeu, kNoNode = 0xffffffffu;

  std::vector<std::uint32_t> spread(bool fromSource) const;
  bool grow(Side &side, Side &other);
  void scan(std::uint32_t node, Side &side, Side &other);
  void push(std::uint32_t node, bool fromSource, Capacity amount);
  Capacity bottleneck(std::uint32_t node, bool fromSource) const;
  void orphan(std::uint32_t node);
  void adopt(Side &side, std::uint32_t limit);
  void adoptOne(std::uint32_t node, Side &side, std::uint32_t limit);
  void attach(std::uint32_t node, std::uint32_t arc);
  void detach(std::uint32_t node);
  void orphanChildren(std::uint32_t node);
  /// Residual capacity of a tree arc seen from the child: towards it from the source, or from it towards the sink.
  bool usable(std::uint32_t arc, Tree tree) const { return tree == Source ? left[twin[arc]] > 0 : left[arc] > 0; }

  std::vector<Capacity> terminals, left;
  std::vector<std::uint32_t> start, head, twin;
  std::vector<Tree> tree;
  std::vector<std::uint32_t> distance, parent, current; ///< parent: the arc from a node to its parent.
  std::vector<std::uint32_t> firstChild, nextSibling, previousSibling;
  std::vector<std::vector<std::uint32_t>> orphans; ///< By distance.
  std::uint32_t lowestOrphan = 0, pendingOrphans = 0;
  Capacity value = 0;
};

extern template class MaxFlow<std::int64_t>;
extern template class MaxFlow<Wide>;

} // namespace ferry::placement
