// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/graph.h"
#include "placement/shape.h"

#include <span>
#include <vector>

namespace ferry::placement {

/// Internal: frequencies as integers, all multiplied by the same factor.
struct ScaledFrequencies {
  explicit ScaledFrequencies(const Graph &graph);
  Wide factor = 1;
  std::vector<Wide> points, edges;
};

/// Internal: for each array the part of the control-flow graph that matters to its placement, and how values flow in
/// it.
///
/// A node is an array at a point. Nodes exist where the array is used or renamed, and where paths that lead to
/// different such points meet or part; a region that does not touch an array is one node of it, or none. Leaving the
/// others out is exact: frequencies are conserved, so a copy at a point where nothing happens costs no less than one at
/// a point kept.
class ValueGraph {
public:
  struct Node {
    PointId point = kNone;
    ArrayId array = kNone;
    RegionId region = kNone;     ///< Innermost around the node.
    std::uint32_t write = kNone; ///< Index in the point's writes; kNone if there is none that anything may read.
    bool reads = false;
    bool full = false;   ///< The write replaces everything that may still be read.
    bool kept = false;   ///< Used, renamed, or the head of a parallel region: not left out.
    bool shared = false; ///< Alive from trip to trip of a parallel region around.
    /// Where the array is alive before and behind the point: numbers of its pairs of variables; kNone where it is dead.
    /// Both are the same where nothing is written.
    std::uint32_t slotIn = kNone, slotOut = kNone;
    std::uint32_t box = kNone; ///< Index in `boxes` of the elements alive before the point; kNone: all.
  };

  struct Link {
    std::uint32_t from = 0, to = 0;
    /// A copy goes on one of the edges of a straight line, which are equally often passed and in the same regions.
    EdgeId early = kNone, late = kNone;
    bool renames = false;
  };

  ValueGraph(const Graph &graph, const Shape &shape, const ScaledFrequencies &frequencies);

  std::vector<Node> nodes; ///< Regions in preorder: a region's nodes, inner ones included, are contiguous.
  std::vector<Link> links;
  std::vector<Box> boxes;
  std::uint32_t slots = 0;

  std::span<const std::uint32_t> out(std::uint32_t node) const {
    return {outLinks.data() + outStart[node], outLinks.data() + outStart[node + 1]};
  }
  std::span<const std::uint32_t> in(std::uint32_t node) const {
    return {inLinks.data() + inStart[node], inLinks.data() + inStart[node + 1]};
  }
  /// The nodes in a region, inner regions included, as a range of indices.
  std::pair<std::uint32_t, std::uint32_t> nodesIn(RegionId region) const { return ranges[region]; }

private:
  class Builder;
  void order(const Graph &graph);
  void connect();
  void findLife(const Graph &graph);
  void findLifeOfParts(const Graph &graph, const Shape &shape);
  void shareInParallelLoops(const Graph &graph, const Shape &shape);
  void assignSlots();

  std::vector<std::uint32_t> outStart, outLinks, inStart, inLinks;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;
  std::vector<bool> liveIn, liveOut;
};

} // namespace ferry::placement
