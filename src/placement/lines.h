// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/graph.h"
#include "placement/shape.h"

#include <vector>

namespace ferry::placement {

/// Internal: the straight lines of a graph. An item of a region is a point that lies directly in it, or a region
/// directly inside it as a whole. Items follow each other in one line where a single edge leads from the one to the
/// other, it renames nothing, and both are passed equally often. So all edges between the items of a line have one
/// frequency and one innermost region, and a copy costs the same on each of them.
class Lines {
public:
  using Item = std::uint32_t; ///< A point's id, or the number of points plus a region's.

  struct Line {
    RegionId region = kNone;
    std::uint32_t around = kNone; ///< The line that the region is an item of.
    Item first = kNone, last = kNone;
    PointId firstPoint = kNone, lastPoint = kNone; ///< Of a region its first point.
    std::uint32_t end = 0; ///< Behind its last point in `order`, those of inner regions included.
  };
  struct Spot {
    std::uint32_t line = kNone, position = 0;
    EdgeId in = kNone, out = kNone; ///< The edges to it from the item before, and from it to the next.
  };

  Lines(const Graph &graph, const Shape &shape);

  std::vector<Line> lines;
  /// All points, so that those of a line, the regions in it included, are next to each other and in the line's order.
  std::vector<PointId> order;
  std::vector<std::uint32_t> rank; ///< Of a point in `order`.

  Item item(RegionId region) const { return points + region; }
  bool isRegion(Item item) const { return item >= points; }
  RegionId regionOf(Item item) const { return item - points; }
  const Spot &of(Item item) const { return spots[item]; }
  /// Whether an edge leads from an item of a line to the next one.
  bool within(EdgeId edge) const { return isWithin[edge]; }
  /// The lines directly in a region; kNone: outside of all.
  const std::vector<std::uint32_t> &in(RegionId region) const { return members[region == kNone ? 0 : region + 1]; }

private:
  void follow(const Graph &graph, const Shape &shape);
  void arrange();

  std::uint32_t points;
  std::vector<Spot> spots;                         ///< By item.
  std::vector<Item> next;                          ///< In the line, by item.
  std::vector<bool> isWithin;                      ///< By edge.
  std::vector<std::vector<std::uint32_t>> members; ///< By region + 1.
};

} // namespace ferry::placement
