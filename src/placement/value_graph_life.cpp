// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where arrays are alive: as a whole first, then, for those with an extent, which of their elements.
#include "placement/value_graph.h"

namespace ferry::placement {

/// Backward: an array is alive where a read or a result may still want it.
void ValueGraph::findLife(const Graph &graph) {
  liveIn.assign(nodes.size(), false);
  liveOut.assign(nodes.size(), false);
  std::vector<std::uint32_t> work;
  auto enliven = [&](std::uint32_t id) {
    if (liveIn[id])
      return;
    liveIn[id] = true;
    for (std::uint32_t link : in(id))
      work.push_back(links[link].from);
  };
  for (std::uint32_t id = 0; id < nodes.size(); ++id) {
    Node &node = nodes[id];
    const Point &point = graph.points[node.point];
    if (!node.kept)
      continue;
    for (const Read &read : point.reads)
      node.reads |= read.array == node.array;
    for (std::uint32_t i = 0; i < point.writes.size(); ++i)
      if (point.writes[i].array == node.array)
        node.write = i;
    node.full = node.write != kNone && point.writes[node.write].whole;
    if (node.reads || (point.kind == PointKind::Exit && graph.arrays[node.array].result))
      enliven(id);
  }
  while (!work.empty()) {
    std::uint32_t id = work.back();
    work.pop_back();
    liveOut[id] = true;
    if (!nodes[id].full)
      enliven(id);
  }
}

namespace {

/// More parts than this are replaced by the box around them: more is copied than need be, which is legal.
constexpr std::size_t kMostParts = 64;

/// Backward, element by element: what may still be read before and behind each node of an array with an extent.
class LifeOfParts {
public:
  LifeOfParts(const ValueGraph &values, const Graph &graph, const Shape &shape)
      : values(values), graph(graph), shape(shape), before(values.nodes.size()), queued(values.nodes.size()),
        wholly(values.nodes.size()) {}

  void run(const std::vector<std::uint32_t> &alive) {
    for (std::uint32_t id : alive)
      push(id);
    settle();
    for (bool again = true; again;) {
      for (RegionId region = 0; region < graph.regions.size(); ++region)
        if (graph.regions[region].parallel)
          share(region);
      again = !work.empty();
      settle();
    }
  }
  const BoxSet &in(std::uint32_t id) const { return before[id]; }
  BoxSet out(std::uint32_t id) const {
    BoxSet behind;
    for (std::uint32_t link : values.out(id))
      behind.add(before[values.links[link].to]);
    return behind;
  }
  /// The elements that a node's write replaces; none if that is not known.
  std::optional<Box> written(const ValueGraph::Node &node) const {
    if (node.write == kNone)
      return std::nullopt;
    const Write &write = graph.points[node.point].writes[node.write];
    return write.box || !write.whole ? write.box : graph.arrays[node.array].extent;
  }

private:
  void push(std::uint32_t id) {
    if (!queued[id])
      work.push_back(id);
    queued[id] = true;
  }

  /// Of an array that a parallel loop's trips share, other trips may read any element.
  void share(RegionId region) {
    auto [first, last] = values.nodesIn(region);
    PointId head = graph.edges[shape.entries(region)[0]].to;
    std::vector<bool> shared(graph.arrays.size());
    for (std::uint32_t id = first; id < last; ++id)
      if (values.nodes[id].point == head && !before[id].empty())
        shared[values.nodes[id].array] = true;
    for (std::uint32_t id = first; id < last; ++id)
      if (shared[values.nodes[id].array] && !wholly[id]) {
        wholly[id] = true;
        push(id);
      }
  }

  void settle() {
    while (!work.empty()) {
      std::uint32_t id = work.back();
      work.pop_back();
      queued[id] = false;
      BoxSet now = wanted(id);
      now.add(before[id]);
      if (now.parts().size() > kMostParts)
        now = BoxSet(now.hull());
      if (before[id].covers(now))
        continue;
      before[id] = std::move(now);
      for (std::uint32_t link : values.in(id))
        push(values.links[link].from);
    }
  }

  BoxSet wanted(std::uint32_t id) const {
    const ValueGraph::Node &node = values.nodes[id];
    const Point &point = graph.points[node.point];
    const Box &extent = *graph.arrays[node.array].extent;
    BoxSet now = out(id);
    if (std::optional<Box> box = written(node))
      now.remove(*box);
    if (node.kept) {
      for (const Read &read : point.reads)
        if (read.array == node.array)
          now.add(read.box.value_or(extent));
      if (point.kind == PointKind::Exit && graph.arrays[node.array].result)
        now.add(extent);
    }
    if (wholly[id])
      now.add(extent);
    return now;
  }

  const ValueGraph &values;
  const Graph &graph;
  const Shape &shape;
  std::vector<BoxSet> before;
  std::vector<std::uint32_t> work;
  std::vector<bool> queued, wholly;
};

} // namespace

/// Only narrows what findLife found.
void ValueGraph::findLifeOfParts(const Graph &graph, const Shape &shape) {
  std::vector<std::uint32_t> alive;
  for (std::uint32_t id = static_cast<std::uint32_t>(nodes.size()); id-- > 0;)
    if (graph.arrays[nodes[id].array].extent && (liveIn[id] || liveOut[id]))
      alive.push_back(id);
  if (alive.empty())
    return;
  LifeOfParts life(*this, graph, shape);
  life.run(alive);
  for (std::uint32_t id = 0; id < nodes.size(); ++id) {
    Node &node = nodes[id];
    if (!graph.arrays[node.array].extent)
      continue;
    BoxSet behind = life.out(id);
    liveIn[id] = !life.in(id).empty();
    liveOut[id] = !behind.empty();
    if (node.write != kNone && liveOut[id]) {
      BoxSet rest = behind, touched = behind;
      if (std::optional<Box> box = life.written(node)) {
        rest.remove(*box);
        touched.keep(BoxSet(*box));
      }
      node.full = rest.empty();
      if (touched.empty())
        node.write = kNone;
    }
    if (liveIn[id] && life.in(id).hull() != *graph.arrays[node.array].extent) {
      node.box = static_cast<std::uint32_t>(boxes.size());
      boxes.push_back(life.in(id).hull());
    }
  }
}

/// In a parallel loop an array that lives from trip to trip is alive all over the body, since any point of it may come
/// before another trip's read, and no write replaces what the others see.
void ValueGraph::shareInParallelLoops(const Graph &graph, const Shape &shape) {
  for (RegionId region = 0; region < graph.regions.size(); ++region) {
    if (!graph.regions[region].parallel)
      continue;
    PointId head = graph.edges[shape.entries(region)[0]].to;
    auto [first, last] = nodesIn(region);
    std::vector<bool> shared(graph.arrays.size());
    for (std::uint32_t id = first; id < last; ++id)
      if (nodes[id].point == head && liveIn[id])
        shared[nodes[id].array] = true;
    for (std::uint32_t id = first; id < last; ++id) {
      Node &node = nodes[id];
      if (!shared[node.array])
        continue;
      liveIn[id] = liveOut[id] = node.shared = true;
      node.full = false;
      if (!node.kept)
        continue;
      const Point &point = graph.points[node.point];
      for (std::uint32_t i = 0; i < point.writes.size(); ++i)
        if (point.writes[i].array == node.array)
          node.write = i;
    }
  }
}

} // namespace ferry::placement
