// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "placement/lines.h"

namespace ferry::placement {

Lines::Lines(const Graph &graph, const Shape &shape) : points(static_cast<std::uint32_t>(graph.points.size())) {
  std::size_t items = graph.points.size() + graph.regions.size();
  spots.resize(items);
  next.assign(items, kNone);
  isWithin.assign(graph.edges.size(), false);
  follow(graph, shape);
  members.resize(graph.regions.size() + 1);
  auto firstPoint = [&](Item item) { return isRegion(item) ? graph.edges[shape.entries(regionOf(item))[0]].to : item; };
  for (Item start = 0; start < items; ++start) {
    if (spots[start].in != kNone)
      continue;
    Line line;
    line.region = isRegion(start) ? graph.regions[regionOf(start)].parent : graph.points[start].region;
    line.first = start;
    std::uint32_t length = 0;
    for (Item item = start; item != kNone; item = next[item]) {
      spots[item].line = static_cast<std::uint32_t>(lines.size());
      spots[item].position = length++;
      line.last = item;
    }
    line.firstPoint = firstPoint(line.first);
    line.lastPoint = firstPoint(line.last);
    members[line.region == kNone ? 0 : line.region + 1].push_back(static_cast<std::uint32_t>(lines.size()));
    lines.push_back(line);
  }
  for (Line &line : lines)
    if (line.region != kNone)
      line.around = spots[item(line.region)].line;
  arrange();
}

/// Finds for each item the one that follows it in its line.
void Lines::follow(const Graph &graph, const Shape &shape) {
  auto itemIn = [&](PointId point, RegionId region) {
    Item found = point;
    for (RegionId inner = graph.points[point].region; inner != region; inner = graph.regions[inner].parent)
      found = item(inner);
    return found;
  };
  auto ways = [&](Item item, bool out) {
    if (isRegion(item))
      return out ? shape.exits(regionOf(item)) : shape.entries(regionOf(item));
    return out ? shape.out(item) : shape.in(item);
  };
  for (EdgeId id = 0; id < graph.edges.size(); ++id) {
    const Edge &edge = graph.edges[id];
    if (!edge.renames.empty())
      continue;
    Item from = itemIn(edge.from, shape.inside(id)), to = itemIn(edge.to, shape.inside(id));
    if (from == to || ways(from, true).size() != 1 || ways(to, false).size() != 1)
      continue;
    if (isRegion(from)) { // where the program ends inside it, it is left less often than entered
      Rational entered = 0;
      for (EdgeId entry : ways(from, false))
        entered += graph.edges[entry].frequency;
      if (entered != edge.frequency)
        continue;
    }
    next[from] = to;
    spots[from].out = spots[to].in = id;
    isWithin[id] = true;
  }
}

/// Orders the points depth first, without recursion: regions may be nested deeply.
void Lines::arrange() {
  rank.assign(points, 0);
  struct Open {
    RegionId region;
    std::size_t line; ///< Index in members.
    Item item;        ///< To come next in it; kNone at a line's end.
    bool started;
  };
  std::vector<Open> stack = {{kNone, 0, kNone, false}};
  while (!stack.empty()) {
    Open &top = stack.back();
    const auto &mine = in(top.region);
    if (top.line == mine.size()) {
      stack.pop_back();
      continue;
    }
    Line &all = lines[mine[top.line]];
    if (!top.started) {
      top.started = true;
      top.item = all.first;
    }
    if (top.item == kNone) {
      all.end = static_cast<std::uint32_t>(order.size());
      ++top.line;
      top.started = false;
      continue;
    }
    Item item = top.item;
    top.item = next[item];
    if (isRegion(item)) {
      stack.push_back({regionOf(item), 0, kNone, false});
    } else {
      rank[item] = static_cast<std::uint32_t>(order.size());
      order.push_back(item);
    }
  }
}

} // namespace ferry::placement
