// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "placement/value_graph.h"

#include "placement/failure.h"

#include <algorithm>

namespace ferry::placement {

namespace {

/// More parts than this are replaced by the box around them: more is copied than need be, which is legal.
constexpr std::size_t kMostParts = 64;

Wide scaled(const Rational &frequency, Wide factor) {
  return multiplyChecked(frequency.numerator(), factor / frequency.denominator());
}

} // namespace

ScaledFrequencies::ScaledFrequencies(const Graph &graph) {
  for (EdgeId id = 0; id < graph.edges.size(); ++id)
    named([&] { factor = leastCommonMultiple(factor, graph.edges[id].frequency.denominator()); },
          [&] { return describeEdge(graph, id); });
  for (PointId id = 0; id < graph.points.size(); ++id)
    named([&] { factor = leastCommonMultiple(factor, graph.points[id].frequency.denominator()); },
          [&] { return describe(graph, id); });
  for (EdgeId id = 0; id < graph.edges.size(); ++id)
    edges.push_back(
        named([&] { return scaled(graph.edges[id].frequency, factor); }, [&] { return describeEdge(graph, id); }));
  for (PointId id = 0; id < graph.points.size(); ++id)
    points.push_back(
        named([&] { return scaled(graph.points[id].frequency, factor); }, [&] { return describe(graph, id); }));
}

/// Sorts the nodes by their regions in preorder, so that a region's are contiguous.
void ValueGraph::order(const Graph &graph) {
  std::size_t count = graph.regions.size();
  std::vector<std::uint32_t> size(count + 1, 1), rank(count + 1, 0);
  for (RegionId region = static_cast<RegionId>(count); region-- > 0;)
    size[graph.regions[region].parent == kNone ? count : graph.regions[region].parent] += size[region];
  std::vector<std::uint32_t> next(count + 1, 0); // rank of the next child
  next[count] = 1;
  for (RegionId region = 0; region < count; ++region) {
    RegionId parent =
        graph.regions[region].parent == kNone ? static_cast<RegionId>(count) : graph.regions[region].parent;
    rank[region] = next[parent];
    next[parent] += size[region];
    next[region] = rank[region] + 1;
  }
  std::vector<std::uint32_t> start(count + 2, 0);
  auto rankOf = [&](const Node &node) { return node.region == kNone ? 0 : rank[node.region]; };
  for (const Node &node : nodes)
    ++start[rankOf(node) + 1];
  for (std::size_t i = 0; i <= count; ++i)
    start[i + 1] += start[i];
  std::vector<std::uint32_t> at(start), place(nodes.size());
  std::vector<Node> sorted(nodes.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    place[i] = at[rankOf(nodes[i])]++;
    sorted[place[i]] = nodes[i];
  }
  nodes = std::move(sorted);
  for (Link &link : links) {
    link.from = place[link.from];
    link.to = place[link.to];
  }
  for (RegionId region = 0; region < count; ++region)
    ranges.emplace_back(start[rank[region]], start[rank[region] + size[region]]);
}

void ValueGraph::connect() {
  auto index = [&](auto end, std::vector<std::uint32_t> &start, std::vector<std::uint32_t> &list) {
    start.assign(nodes.size() + 1, 0);
    for (const Link &link : links)
      ++start[end(link) + 1];
    for (std::size_t i = 0; i < nodes.size(); ++i)
      start[i + 1] += start[i];
    list.resize(links.size());
    std::vector<std::uint32_t> at(start);
    for (std::uint32_t i = 0; i < links.size(); ++i)
      list[at[end(links[i])]++] = i;
  };
  index([](const Link &link) { return link.from; }, outStart, outLinks);
  index([](const Link &link) { return link.to; }, inStart, inLinks);
}

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

/// The same for arrays with an extent, element by element. Only narrows what findLife found.
void ValueGraph::findLifeOfParts(const Graph &graph, const Shape &shape) {
  std::vector<BoxSet> before(nodes.size()), behind(nodes.size());
  std::vector<std::uint32_t> work;
  std::vector<bool> queued(nodes.size());
  auto push = [&](std::uint32_t id) {
    if (!queued[id])
      work.push_back(id);
    queued[id] = true;
  };
  for (std::uint32_t id = static_cast<std::uint32_t>(nodes.size()); id-- > 0;)
    if (graph.arrays[nodes[id].array].extent && (liveIn[id] || liveOut[id]))
      push(id);
  if (work.empty())
    return;
  std::vector<bool> wholly(nodes.size()); // in a parallel loop that shares the array: other trips may read any of it
  auto shareNewly = [&](RegionId region) {
    auto [first, last] = nodesIn(region);
    std::vector<bool> shared(graph.arrays.size());
    for (std::uint32_t id = first; id < last; ++id)
      if (nodes[id].point == graph.edges[shape.entries(region)[0]].to && !before[id].empty())
        shared[nodes[id].array] = true;
    for (std::uint32_t id = first; id < last; ++id)
      if (shared[nodes[id].array] && !wholly[id]) {
        wholly[id] = true;
        push(id);
      }
  };
  auto settle = [&] {
    while (!work.empty()) {
      std::uint32_t id = work.back();
      work.pop_back();
      queued[id] = false;
      const Node &node = nodes[id];
      const Point &point = graph.points[node.point];
      const Box &extent = *graph.arrays[node.array].extent;
      for (std::uint32_t link : out(id))
        behind[id].add(before[links[link].to]);
      BoxSet now = behind[id];
      if (node.write != kNone) {
        const Write &write = point.writes[node.write];
        if (write.box || write.whole)
          now.remove(write.box.value_or(extent));
      }
      if (node.kept) {
        for (const Read &read : point.reads)
          if (read.array == node.array)
            now.add(read.box.value_or(extent));
        if (point.kind == PointKind::Exit && graph.arrays[node.array].result)
          now.add(extent);
      }
      if (wholly[id])
        now.add(extent);
      now.add(before[id]);
      if (now.parts().size() > kMostParts)
        now = BoxSet(now.hull());
      if (before[id].covers(now))
        continue;
      before[id] = std::move(now);
      for (std::uint32_t link : in(id))
        push(links[link].from);
    }
  };
  settle();
  for (bool again = true; again;) {
    for (RegionId region = 0; region < graph.regions.size(); ++region)
      if (graph.regions[region].parallel)
        shareNewly(region);
    again = !work.empty();
    settle();
  }
  for (std::uint32_t id = 0; id < nodes.size(); ++id) {
    Node &node = nodes[id];
    if (!graph.arrays[node.array].extent)
      continue;
    behind[id] = BoxSet();
    for (std::uint32_t link : out(id))
      behind[id].add(before[links[link].to]);
    liveIn[id] = !before[id].empty();
    liveOut[id] = !behind[id].empty();
    if (node.write != kNone && liveOut[id]) {
      const Write &write = graph.points[node.point].writes[node.write];
      BoxSet rest = behind[id], touched = behind[id];
      const Box &extent = *graph.arrays[node.array].extent;
      if (write.box || write.whole) {
        rest.remove(write.box.value_or(extent));
        touched.keep(BoxSet(write.box.value_or(extent)));
      }
      node.full = rest.empty();
      if (touched.empty())
        node.write = kNone;
    }
    if (liveIn[id] && before[id].hull() != *graph.arrays[node.array].extent) {
      node.box = static_cast<std::uint32_t>(boxes.size());
      boxes.push_back(before[id].hull());
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
      liveIn[id] = liveOut[id] = true;
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

void ValueGraph::assignSlots() {
  for (std::uint32_t id = 0; id < nodes.size(); ++id) {
    Node &node = nodes[id];
    if (!liveOut[id])
      node.write = kNone;
    if (liveIn[id])
      node.slotIn = slots++;
    if (liveOut[id])
      node.slotOut = node.write == kNone && liveIn[id] ? node.slotIn : slots++;
  }
}

} // namespace ferry::placement
