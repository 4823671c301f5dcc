// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/graph.h"
#include "placement/problem.h"
#include "placement/result.h"

#include <cstdint>
#include <map>
#include <utility>

namespace ferry::placement {

/// Where a statement went in the graph.
struct Landmarks {
  PointId first = kNone;   ///< An operation itself; the guard, else the landing pad of a loop; the control of a branch.
  PointId last = kNone;    ///< An operation itself; where a loop or branch goes on; kNone if nothing follows.
  PointId head = kNone;    ///< Loops: the first point of each trip.
  PointId latch = kNone;   ///< Loops: the control.
  RegionId region = kNone; ///< Loops and branches.
};

struct Lowered {
  Graph graph;
  /// By tag and call (Point::call).
  std::map<std::pair<Tag, std::uint32_t>, Landmarks> statements;
};

/// The graph of a problem. Errors: anything that check(problem) refuses.
Result<Lowered> lower(const Problem &problem);

} // namespace ferry::placement
