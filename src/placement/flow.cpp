// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Invariants between two steps, for the source's tree (the sink's is its mirror image):
//  - A node's distance is its parent's plus one; a root's is 1, and it has capacity left from the source.
//  - No residual arc leads from a node below the side's level to a free node, or to the other tree, or to a node of
//  this tree
//    whose distance is greater by more than one.
// An orphan keeps its distance if it finds a parent one nearer. Arcs before `current` cannot lead to one, since
// distances only grow. Otherwise it takes the smallest distance that a neighbour offers, and its children become
// orphans in turn; if no neighbour is within the levels searched it becomes free.
#include "placement/flow.h"

#include <algorithm>

namespace ferry::placement {

template <typename Capacity>
MaxFlow<Capacity>::MaxFlow(std::vector<Capacity> given, std::span<const Arc> arcs) : terminals(std::move(given)) {
  std::size_t nodes = terminals.size();
  start.assign(nodes + 1, 0);
  for (const Arc &arc : arcs) {
    ++start[arc.from + 1];
    ++start[arc.to + 1];
  }
  for (std::size_t i = 0; i < nodes; ++i)
    start[i + 1] += start[i];
  std::vector<std::uint32_t> at(start);
  left.resize(arcs.size() * 2);
  head.resize(arcs.size() * 2);
  twin.resize(arcs.size() * 2);
  for (const Arc &arc : arcs) {
    std::uint32_t forth = at[arc.from]++, back = at[arc.to]++;
    left[forth] = arc.capacity;
    left[back] = 0;
    head[forth] = arc.to;
    head[back] = arc.from;
    twin[forth] = back;
    twin[back] = forth;
  }
  tree.assign(nodes, Free);
  distance.assign(nodes, 0);
  parent.assign(nodes, kNoArc);
  current.assign(nodes, 0);
  firstChild.assign(nodes, kNoNode);
  nextSibling.assign(nodes, kNoNode);
  previousSibling.assign(nodes, kNoNode);
}

template <typename Capacity> void MaxFlow<Capacity>::attach(std::uint32_t node, std::uint32_t arc) {
  parent[node] = arc;
  std::uint32_t above = head[arc];
  previousSibling[node] = kNoNode;
  nextSibling[node] = firstChild[above];
  if (firstChild[above] != kNoNode)
    previousSibling[firstChild[above]] = node;
  firstChild[above] = node;
}

template <typename Capacity> void MaxFlow<Capacity>::detach(std::uint32_t node) {
  if (parent[node] < kTerminal) {
    (previousSibling[node] == kNoNode ? firstChild[head[parent[node]]] : nextSibling[previousSibling[node]]) =
        nextSibling[node];
    if (nextSibling[node] != kNoNode)
      previousSibling[nextSibling[node]] = previousSibling[node];
  }
  parent[node] = kNoArc;
}

template <typename Capacity> void MaxFlow<Capacity>::orphan(std::uint32_t node) {
  detach(node);
  std::uint32_t level = distance[node];
  if (orphans.size() <= level)
    orphans.resize(level + 1);
  orphans[level].push_back(node);
  lowestOrphan = std::min(lowestOrphan, level);
  ++pendingOrphans;
}

template <typename Capacity> void MaxFlow<Capacity>::orphanChildren(std::uint32_t node) {
  while (firstChild[node] != kNoNode)
    orphan(firstChild[node]);
}

template <typename Capacity> void MaxFlow<Capacity>::adopt(Side &side, std::uint32_t limit) {
  while (pendingOrphans != 0) {
    while (orphans[lowestOrphan].empty())
      ++lowestOrphan;
    std::uint32_t node = orphans[lowestOrphan].back();
    orphans[lowestOrphan].pop_back();
    --pendingOrphans;
    adoptOne(node, side, limit);
  }
}

template <typename Capacity> void MaxFlow<Capacity>::adoptOne(std::uint32_t node, Side &side, std::uint32_t limit) {
  std::uint32_t wanted = distance[node] - 1, end = start[node + 1];
  if (wanted > 0)
    for (std::uint32_t arc = current[node]; arc < end; ++arc)
      if (tree[head[arc]] == side.tree && distance[head[arc]] == wanted && usable(arc, side.tree)) {
        current[node] = arc;
        attach(node, arc);
        return;
      }
  orphanChildren(node);
  std::uint32_t best = limit, bestArc = kNoArc; // parents at a distance below the limit
  for (std::uint32_t arc = start[node]; arc < end; ++arc)
    if (tree[head[arc]] == side.tree && distance[head[arc]] < best && usable(arc, side.tree)) {
      best = distance[head[arc]];
      bestArc = arc;
      if (best <= distance[node])
        break;
    }
  if (bestArc == kNoArc) {
    tree[node] = Free;
    return;
  }
  distance[node] = best + 1;
  current[node] = bestArc;
  attach(node, bestArc);
  if (distance[node] == side.level)
    side.active.push_back(node);
  else if (distance[node] == side.level + 1)
    side.next.push_back(node);
}

template <typename Capacity> Capacity MaxFlow<Capacity>::bottleneck(std::uint32_t node, bool fromSource) const {
  Capacity least = 0;
  bool first = true;
  for (; parent[node] != kTerminal; node = head[parent[node]]) {
    Capacity here = fromSource ? left[twin[parent[node]]] : left[parent[node]];
    if (first || here < least)
      least = here;
    first = false;
  }
  Capacity end = fromSource ? terminals[node] : -terminals[node];
  return first ? end : std::min(least, end);
}

template <typename Capacity> void MaxFlow<Capacity>::push(std::uint32_t node, bool fromSource, Capacity amount) {
  while (parent[node] != kTerminal) {
    std::uint32_t arc = parent[node], above = head[arc];
    std::uint32_t used = fromSource ? twin[arc] : arc;
    left[used] -= amount;
    left[twin[used]] += amount;
    if (left[used] == 0)
      orphan(node);
    node = above;
  }
  terminals[node] += fromSource ? -amount : amount;
  if (terminals[node] == 0)
    orphan(node);
}

template <typename Capacity> bool MaxFlow<Capacity>::grow(Side &side, Side &other) {
  for (std::size_t i = 0; i < side.active.size(); ++i) {
    std::uint32_t node = side.active[i];
    if (tree[node] == side.tree && distance[node] == side.level)
      scan(node, side, other);
  }
  ++side.level;
  side.active.clear();
  std::swap(side.active, side.next);
  return !side.active.empty();
}

template <typename Capacity> void MaxFlow<Capacity>::scan(std::uint32_t node, Side &side, Side &other) {
  bool fromSource = side.tree == Source;
  for (std::uint32_t arc = start[node]; arc < start[node + 1]; ++arc) {
    std::uint32_t out = fromSource ? arc : twin[arc];
    std::uint32_t to = head[arc];
    while (left[out] > 0 && tree[to] != side.tree) {
      if (tree[to] == Free) {
        tree[to] = side.tree;
        distance[to] = side.level + 1;
        current[to] = start[to];
        attach(to, twin[arc]);
        side.next.push_back(to);
        break;
      }
      std::uint32_t above = fromSource ? node : to, below = fromSource ? to : node;
      Capacity amount = std::min({left[out], bottleneck(above, true), bottleneck(below, false)});
      left[out] -= amount;
      left[twin[out]] += amount;
      value += amount;
      Side &sourceSide = fromSource ? side : other, &sinkSide = fromSource ? other : side;
      push(above, true, amount);
      adopt(sourceSide, fromSource ? sourceSide.level + 1 : sourceSide.level);
      lowestOrphan = 0xffffffffu;
      push(below, false, amount);
      adopt(sinkSide, fromSource ? sinkSide.level : sinkSide.level + 1);
      lowestOrphan = 0xffffffffu;
      if (tree[node] != side.tree || distance[node] != side.level)
        return; // it will be scanned from its new level, if it has one
    }
  }
}

template <typename Capacity> std::vector<std::uint32_t> MaxFlow<Capacity>::spread(bool fromSource) const {
  std::vector<bool> seen(terminals.size());
  std::vector<std::uint32_t> order;
  for (std::uint32_t node = 0; node < terminals.size(); ++node)
    if (fromSource ? terminals[node] > 0 : terminals[node] < 0) {
      seen[node] = true;
      order.push_back(node);
    }
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::uint32_t arc = start[order[i]]; arc < start[order[i] + 1]; ++arc)
      if (left[fromSource ? arc : twin[arc]] > 0 && !seen[head[arc]]) {
        seen[head[arc]] = true;
        order.push_back(head[arc]);
      }
  return order;
}

template <typename Capacity> Capacity MaxFlow<Capacity>::run() {
  Side source{Source, 1, {}, {}}, sink{Sink, 1, {}, {}};
  for (std::uint32_t node = 0; node < terminals.size(); ++node) {
    if (terminals[node] == 0)
      continue;
    Side &side = terminals[node] > 0 ? source : sink;
    tree[node] = side.tree;
    distance[node] = 1;
    parent[node] = kTerminal;
    side.active.push_back(node);
  }
  lowestOrphan = 0xffffffffu;
  bool more = !source.active.empty() && !sink.active.empty();
  while (more)
    more = source.active.size() <= sink.active.size() ? grow(source, sink) : grow(sink, source);
  return value;
}

template class MaxFlow<std::int64_t>;
template class MaxFlow<Wide>;

} // namespace ferry::placement
