// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/graph.h"

#include <span>
#include <vector>

namespace ferry::placement {

/// Internal: what a graph's edges and regions say about its shape. The solver and the verifier share this and nothing
/// else.
class Shape {
public:
  /// The graph's indices have to be in range and its regions' parents before them.
  explicit Shape(const Graph &graph);

  PointId entry = kNone;

  std::span<const EdgeId> out(PointId point) const { return slice(outStart, outEdges, point); }
  std::span<const EdgeId> in(PointId point) const { return slice(inStart, inEdges, point); }
  /// Edges into and out of a region.
  std::span<const EdgeId> entries(RegionId region) const { return entryEdges[region]; }
  std::span<const EdgeId> exits(RegionId region) const { return exitEdges[region]; }

  /// The innermost region that holds both ends of an edge; kNone if none does.
  RegionId inside(EdgeId edge) const { return common[edge]; }
  /// Number of regions around; 0 for kNone.
  unsigned depth(RegionId region) const { return region == kNone ? 0 : depths[region]; }
  /// Number of regions that hold both ends of an edge.
  unsigned depthOf(EdgeId edge) const { return edgeDepths[edge]; }
  bool within(RegionId inner, RegionId outer) const;

  /// The operation before this one, if the two can share a launch: both fusible, in one straight line and region, and
  /// this one, which may not run on both sides, reads nothing for the host or its launcher, and can fetch nothing, that
  /// an operation which it could then share a launch with writes. No rename follows either, so that a copy can always
  /// be had behind them. Else kNone.
  PointId sharesWith(PointId point) const { return shares[point]; }

private:
  static std::span<const EdgeId> slice(const std::vector<std::uint32_t> &start, const std::vector<EdgeId> &edges,
                                       PointId point) {
    return {edges.data() + start[point], edges.data() + start[point + 1]};
  }
  RegionId commonRegion(RegionId a, RegionId b) const;
  void findSharing(const Graph &graph);

  std::vector<RegionId> parents;
  std::vector<unsigned> depths;
  std::vector<std::uint32_t> outStart, inStart;
  std::vector<EdgeId> outEdges, inEdges;
  std::vector<std::vector<EdgeId>> entryEdges, exitEdges;
  std::vector<RegionId> common;
  std::vector<unsigned> edgeDepths;
  std::vector<PointId> shares;
};

} // namespace ferry::placement
