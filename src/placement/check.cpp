// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "placement/failure.h"
#include "placement/lower.h"
#include "placement/shape.h"
#include "placement/solve.h"

#include <algorithm>

namespace ferry::placement {

namespace {

std::string quoted(const std::string &kind, const std::string &name, std::size_t index) {
  return name.empty() ? kind + " " + std::to_string(index) : kind + " '" + name + "'";
}

void requireNotNegative(Time time, const Name &what, const char *which) {
  if (time < 0)
    failMalformed(what() + ": negative " + which);
}

void requireNotNegative(const std::optional<Time> &price, const Name &what, const char *access, const Array &array) {
  if (price && *price < 0)
    failMalformed(what() + ": negative price of a " + access + " of " + describe(array));
}

void requireBox(const Array &array, const Box &box, const Name &what) {
  if (!array.extent)
    failMalformed(what() + ": uses a box of " + describe(array) + ", which has no extent");
  if (box.size() != array.extent->size())
    failMalformed(what() + ": box " + toString(box) + " has not the dimensions of " + describe(array));
  if (!contains(*array.extent, box))
    failMalformed(what() + ": box " + toString(box) + " is outside of " + describe(array));
}

void requireCost(const Point &point, const Name &what) {
  requireNotNegative(point.cost.host, what, "host cost");
  requireNotNegative(point.cost.device, what, "device cost");
  requireNotNegative(point.cost.inner, what, "inner cost");
  requireNotNegative(point.cost.launch.value_or(0), what, "launch cost");
}

void requirePoint(const Graph &graph, PointId id) {
  const Point &point = graph.points[id];
  auto what = [&] { return describe(graph, id); };
  if (point.region != kNone && point.region >= graph.regions.size())
    failMalformed(what() + ": region " + std::to_string(point.region) + " does not exist");
  if (point.frequency < Rational(0))
    failMalformed(what() + ": frequency " + point.frequency.toString() + " is negative");
  if (point.kind != PointKind::Operation &&
      (!point.writes.empty() || point.both || point.fusible || point.noKernel || point.pin))
    failMalformed(what() + ": only an operation writes, runs on both sides, shares a launch or is pinned");
  if (point.kind != PointKind::Operation && point.kind != PointKind::Control && !point.reads.empty())
    failMalformed(what() + ": only an operation or a control reads");
  if ((point.kind == PointKind::Entry || point.kind == PointKind::Exit) && point.region != kNone)
    failMalformed(what() + ": is inside a region");
  requireCost(point, what);
  for (const Read &read : point.reads)
    requireWellFormed(graph.arrays, read, what);
  std::vector<ArrayId> written;
  for (const Write &write : point.writes) {
    requireWellFormed(graph.arrays, write, what);
    if (std::find(written.begin(), written.end(), write.array) != written.end())
      failMalformed(what() + ": writes " + describe(graph.arrays[write.array]) + " twice");
    written.push_back(write.array);
  }
}

void requireEdges(const Graph &graph) {
  for (EdgeId id = 0; id < graph.edges.size(); ++id) {
    const Edge &edge = graph.edges[id];
    auto what = [&] { return "edge " + std::to_string(id); };
    if (edge.from >= graph.points.size() || edge.to >= graph.points.size())
      failMalformed(what() + ": a point that does not exist");
    if (edge.frequency < Rational(0))
      failMalformed(describeEdge(graph, id) + ": frequency " + edge.frequency.toString() + " is negative");
    requireRename(graph.arrays, edge.renames, [&] { return describeEdge(graph, id); });
  }
}

void requireFlow(const Graph &graph) {
  std::vector<Rational> in(graph.points.size(), 0), out(graph.points.size(), 0);
  std::vector<unsigned> edgesIn(graph.points.size()), edgesOut(graph.points.size());
  for (EdgeId id = 0; id < graph.edges.size(); ++id) {
    const Edge &edge = graph.edges[id];
    named(
        [&] {
          out[edge.from] += edge.frequency;
          in[edge.to] += edge.frequency;
        },
        [&] { return describeEdge(graph, id); });
    ++edgesOut[edge.from];
    ++edgesIn[edge.to];
  }
  std::size_t entries = 0;
  for (PointId id = 0; id < graph.points.size(); ++id) {
    const Point &point = graph.points[id];
    bool entry = point.kind == PointKind::Entry, exit = point.kind == PointKind::Exit;
    entries += entry;
    if (entry ? edgesIn[id] != 0 : in[id] != point.frequency)
      failMalformed(describe(graph, id) + ": frequency " + point.frequency.toString() + ", but " + in[id].toString() +
                    " comes in");
    if (exit ? edgesOut[id] != 0 : out[id] != point.frequency)
      failMalformed(describe(graph, id) + ": frequency " + point.frequency.toString() + ", but " + out[id].toString() +
                    " goes out");
    if (point.kind == PointKind::Operation && (edgesIn[id] != 1 || edgesOut[id] != 1))
      failMalformed(describe(graph, id) + ": not in a straight line");
  }
  if (entries != 1)
    failMalformed("graph: " + std::to_string(entries) + " entries instead of one");
}

void requireReachable(const Graph &graph, const Shape &shape) {
  std::vector<bool> seen(graph.points.size());
  std::vector<PointId> work = {shape.entry};
  seen[shape.entry] = true;
  while (!work.empty()) {
    PointId point = work.back();
    work.pop_back();
    for (EdgeId edge : shape.out(point))
      if (PointId next = graph.edges[edge].to; !seen[next]) {
        seen[next] = true;
        work.push_back(next);
      }
  }
  for (PointId id = 0; id < graph.points.size(); ++id)
    if (!seen[id])
      failMalformed(describe(graph, id) + ": cannot be reached from the entry");
}

void requireRegions(const Graph &graph) {
  for (RegionId id = 0; id < graph.regions.size(); ++id) {
    const Region &region = graph.regions[id];
    auto what = [&] { return describeRegion(graph, id); };
    if (region.parent != kNone && region.parent >= id)
      failMalformed(what() + ": its parent does not come before it");
    requireNotNegative(region.launch.value_or(0), what, "launch cost");
  }
}

void requireOneHead(const Graph &graph, const Shape &shape) {
  for (RegionId id = 0; id < graph.regions.size(); ++id) {
    std::vector<PointId> heads;
    for (EdgeId edge : shape.entries(id))
      heads.push_back(graph.edges[edge].to);
    std::sort(heads.begin(), heads.end());
    heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
    if (heads.size() != 1)
      failMalformed(describeRegion(graph, id) + ": entered at " + std::to_string(heads.size()) +
                    " points instead of one");
  }
}

} // namespace

std::string describe(const Array &array) { return "array '" + array.name + "'"; }

std::string describe(const Graph &graph, PointId id) {
  static constexpr const char *kKinds[] = {"entry", "exit", "join", "operation", "control"};
  const Point &point = graph.points[id];
  return quoted(kKinds[static_cast<std::size_t>(point.kind)], point.name, id);
}

std::string describeEdge(const Graph &graph, EdgeId id) {
  const Edge &edge = graph.edges[id];
  return "edge from " + describe(graph, edge.from) + " to " + describe(graph, edge.to);
}

std::string describeRegion(const Graph &graph, RegionId id) { return quoted("region", graph.regions[id].name, id); }

void requireWellFormed(const Array &array) {
  auto what = [&] { return describe(array); };
  if (array.bytes < 0)
    failMalformed(what() + ": negative size");
  requireNotNegative(array.h2d.value_or(0), what, "price of a copy to the device");
  requireNotNegative(array.d2h.value_or(0), what, "price of a copy to the host");
  if (!array.extent)
    return;
  for (const Range &range : *array.extent)
    if (range.begin != 0 || range.end < 0)
      failMalformed(what() + ": extent " + toString(*array.extent) + " does not start at 0");
  std::int64_t count = named([&] { return elements(*array.extent); }, what);
  if (count == 0 ? array.bytes != 0 : array.bytes % count != 0)
    failMalformed(what() + ": " + std::to_string(array.bytes) + " bytes are no multiple of " + std::to_string(count) +
                  " elements");
}

void requireWellFormed(const std::vector<Array> &arrays, const Read &read, const Name &what) {
  if (read.array >= arrays.size())
    failMalformed(what() + ": reads an array that does not exist");
  const Array &array = arrays[read.array];
  requireNotNegative(read.peek, what, "peek", array);
  requireNotNegative(read.fetch, what, "fetch", array);
  if (read.box)
    requireBox(array, *read.box, what);
}

void requireWellFormed(const std::vector<Array> &arrays, const Write &write, const Name &what) {
  if (write.array >= arrays.size())
    failMalformed(what() + ": writes an array that does not exist");
  const Array &array = arrays[write.array];
  requireNotNegative(write.poke, what, "poke", array);
  requireNotNegative(write.push, what, "push", array);
  if (write.whole && (write.poke || write.push))
    failMalformed(what() + ": a poke or push of " + describe(array) + ", which it overwrites whole");
  if (write.box)
    requireBox(array, *write.box, what);
  if (write.whole && write.box && !contains(*write.box, *array.extent))
    failMalformed(what() + ": writes " + describe(array) + " whole, but only " + toString(*write.box));
}

void requireRename(const std::vector<Array> &arrays, const std::vector<Rename> &renames, const Name &what) {
  std::vector<ArrayId> destinations;
  for (const Rename &rename : renames) {
    if (rename.destination >= arrays.size() || rename.source >= arrays.size())
      failMalformed(what() + ": renames an array that does not exist");
    const Array &to = arrays[rename.destination], &from = arrays[rename.source];
    if (std::find(destinations.begin(), destinations.end(), rename.destination) != destinations.end())
      failMalformed(what() + ": renames two arrays to " + describe(to));
    if (to.extent != from.extent)
      failMalformed(what() + ": renames " + describe(from) + " to " + describe(to) + " of another extent");
    destinations.push_back(rename.destination);
  }
}

void requireWellFormed(const Graph &graph) {
  for (const Array &array : graph.arrays) {
    requireWellFormed(array);
    if (array.aliasOf)
      failMalformed(describe(array) + ": an alias in a graph");
  }
  requireRegions(graph);
  for (PointId id = 0; id < graph.points.size(); ++id)
    requirePoint(graph, id);
  requireEdges(graph);
  requireFlow(graph);
  Shape shape(graph);
  requireReachable(graph, shape);
  requireOneHead(graph, shape);
}

Result<void> check(const Graph &graph) {
  return guarded<void>([&]() -> Result<void> {
    requireWellFormed(graph);
    return {};
  });
}

Result<void> check(const Problem &problem) {
  Result<Lowered> lowered = lower(problem);
  return lowered ? check(lowered->graph) : Result<void>(lowered.error());
}

} // namespace ferry::placement
