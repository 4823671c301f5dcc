// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/value_graph.h"

#include <vector>

namespace ferry::placement {

/// Internal: the points in a region at which its kernel, if it runs as one, needs the device copy of an array: those
/// from which a read is reached before a whole write, and those that a write reaches, where the host copy is gone as
/// well. A rename inside counts as a read and as a write. What it is made of has to outlive it.
class KernelNeeds {
public:
  static constexpr unsigned char kBefore = 1, kBehind = 2; ///< Bits: right before a node's point, and right behind it.

  KernelNeeds(const Graph &graph, const Shape &shape, const ValueGraph &values);

  /// Finds them for one region, in place of those of the one before. Before the first call there are none.
  void find(RegionId region);

  /// Of a node of that region: where its device copy is needed, and where, of those, the kernel has changed it.
  unsigned char needed(std::uint32_t node) const { return needs[node]; }
  unsigned char changed(std::uint32_t node) const { return changes[node]; }

private:
  bool inside(const ValueGraph::Link &link) const;
  bool hasSlot(std::uint32_t node, unsigned char side) const;
  void need(std::uint32_t node, unsigned char side);
  void change(std::uint32_t node, unsigned char side);
  bool readsDeviceCopy(const ValueGraph::Node &node) const;
  void begin(std::uint32_t node);
  void goForth();
  void goBack();

  const Graph &graph;
  const Shape &shape;
  const ValueGraph &values;
  RegionId region = kNone;
  std::uint32_t first = 0, last = 0;      ///< The region's nodes.
  std::vector<std::uint32_t> forth, back; ///< Nodes to go on from, and to go back from.
  std::vector<unsigned char> needs, changes;
};

} // namespace ferry::placement
