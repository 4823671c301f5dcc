// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "placement/value_graph.h"

#include "placement/failure.h"

namespace ferry::placement {

namespace {

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
