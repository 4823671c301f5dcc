// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "placement/shape.h"

#include <algorithm>

namespace ferry::placement {

Shape::Shape(const Graph &graph) {
  for (const Region &region : graph.regions) {
    parents.push_back(region.parent);
    depths.push_back(region.parent == kNone ? 1 : depths[region.parent] + 1);
  }
  std::size_t points = graph.points.size();
  outStart.assign(points + 1, 0);
  inStart.assign(points + 1, 0);
  for (const Edge &edge : graph.edges) {
    ++outStart[edge.from + 1];
    ++inStart[edge.to + 1];
  }
  for (PointId point = 0; point < points; ++point) {
    outStart[point + 1] += outStart[point];
    inStart[point + 1] += inStart[point];
    if (graph.points[point].kind == PointKind::Entry)
      entry = point;
  }
  outEdges.resize(graph.edges.size());
  inEdges.resize(graph.edges.size());
  std::vector<std::uint32_t> outAt(outStart), inAt(inStart);
  entryEdges.resize(graph.regions.size());
  exitEdges.resize(graph.regions.size());
  for (EdgeId id = 0; id < graph.edges.size(); ++id) {
    const Edge &edge = graph.edges[id];
    outEdges[outAt[edge.from]++] = id;
    inEdges[inAt[edge.to]++] = id;
    RegionId from = graph.points[edge.from].region, to = graph.points[edge.to].region, both = commonRegion(from, to);
    common.push_back(both);
    edgeDepths.push_back(depth(both));
    for (RegionId region = from; region != both; region = parents[region])
      exitEdges[region].push_back(id);
    for (RegionId region = to; region != both; region = parents[region])
      entryEdges[region].push_back(id);
  }
  findSharing(graph);
}

RegionId Shape::commonRegion(RegionId a, RegionId b) const {
  while (a != b) {
    if (depth(a) < depth(b))
      std::swap(a, b);
    a = parents[a];
  }
  return a;
}

bool Shape::within(RegionId inner, RegionId outer) const {
  if (outer == kNone)
    return true;
  while (depth(inner) > depth(outer))
    inner = parents[inner];
  return inner == outer;
}

/// Walks each straight line from its start. A line of operations that could share one launch is cut before an operation
/// whose host operands, or what it can fetch, the line so far writes, so that sharing is a matter of neighbours alone:
/// all that is fetched for a launch is fetched before it.
void Shape::findSharing(const Graph &graph) {
  shares.assign(graph.points.size(), kNone);
  auto joins = [&](PointId point) -> PointId {
    const Point &second = graph.points[point];
    if (second.kind != PointKind::Operation || !second.fusible || second.both || in(point).size() != 1)
      return kNone;
    const Edge &edge = graph.edges[in(point)[0]];
    const Point &first = graph.points[edge.from];
    if (first.kind != PointKind::Operation || !first.fusible || first.region != second.region || !edge.renames.empty())
      return kNone;
    for (EdgeId next : out(point))
      if (!graph.edges[next].renames.empty())
        return kNone;
    return edge.from;
  };
  for (PointId start = 0; start < graph.points.size(); ++start) {
    if (graph.points[start].kind != PointKind::Operation || joins(start) != kNone)
      continue;
    std::vector<ArrayId> written;
    for (PointId point = start, previous = kNone;;) {
      const Point &operation = graph.points[point];
      bool clash = std::any_of(operation.reads.begin(), operation.reads.end(), [&](const Read &read) {
        return (read.operand == Operand::Host || read.operand == Operand::Launcher || read.fetch) &&
               std::find(written.begin(), written.end(), read.array) != written.end();
      });
      if (clash)
        written.clear();
      else
        shares[point] = previous;
      for (const Write &write : operation.writes)
        written.push_back(write.array);
      PointId next = out(point).empty() ? kNone : graph.edges[out(point)[0]].to;
      if (next == kNone || joins(next) != point)
        break;
      previous = point;
      point = next;
    }
  }
}

} // namespace ferry::placement
