// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/graph.h"

#include <vector>

/// \file
/// A plan for a graph: where everything runs and what is copied when. Where an array is valid follows from it
/// (residency.h).
namespace ferry::placement {

/// A copy of one array on one edge.
struct Copy {
  EdgeId edge = kNone;
  ArrayId array = kNone;  ///< The name it has behind the edge, whose price it pays.
  ArrayId source = kNone; ///< Its name before the edge; the same unless the edge renames.
  Direction direction = Direction::HostToDevice;
  /// The elements copied: those that may still be read. Only for arrays with an extent.
  std::optional<Box> box;
  Rational frequency; ///< How often in all runs.
  Time price = 0;     ///< Of one copy.
  Position position;  ///< Of the edge.
  friend bool operator==(const Copy &a, const Copy &b) {
    return a.edge == b.edge && a.array == b.array && a.source == b.source && a.direction == b.direction &&
           a.box == b.box;
  }
};

/// Traffic of one operation or control that replaces a copy of the array.
enum class Traffic : std::uint8_t {
  Peek,  ///< The host reads slices of the device copy.
  Poke,  ///< The host, updating its copy, updates the device copy too.
  Push,  ///< The device, updating its copy, updates the host copy too.
  Fetch, ///< What the device reads is copied for it from the host copy.
};

const char *toString(Traffic traffic);

struct Access {
  PointId point = kNone;
  ArrayId array = kNone;
  Traffic traffic = Traffic::Peek;
  friend bool operator==(const Access &, const Access &) = default;
};

struct Plan {
  std::vector<Sides> sides;     ///< Of each point that is an operation; elsewhere unused.
  std::vector<bool> kernels;    ///< Regions that run inside one kernel, their own or that of a region around them.
  std::vector<bool> shares;     ///< Points that share the launch of the operation before them.
  std::vector<Copy> copies;     ///< Ordered by edge, then array, then direction.
  std::vector<Access> accesses; ///< Ordered by point, then array, then traffic.
  Rational cost;                ///< Of all runs, in picoseconds.
  Rational bound;               ///< No plan costs less: the value of the maximum flow. Equal to `cost`.

  /// Whether the region or one around it is a kernel; false for kNone.
  bool inKernel(RegionId region) const { return region != kNone && kernels[region]; }
};

/// The outermost region around a point that the plan makes a kernel; kNone if there is none.
inline RegionId kernelOf(const Graph &graph, const Plan &plan, PointId point) {
  RegionId kernel = kNone;
  for (RegionId region = graph.points[point].region; region != kNone; region = graph.regions[region].parent)
    if (plan.kernels[region])
      kernel = region;
  return kernel;
}

} // namespace ferry::placement
