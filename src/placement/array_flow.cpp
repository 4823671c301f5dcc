// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a node that nothing happens at can go. With one way in, its copies are better off on the ways out: frequencies
// are conserved, so all of the ways out together are passed no more often than the way in, and where the value is not
// wanted on one of them it need not be copied there. With one way out the same holds for the ways in. It stays where
// that would put a copy deeper, or where nothing is won: a copy where ways meet is then one instead of several.
#include "placement/array_flow.h"

#include <algorithm>

namespace ferry::placement {

void ArrayFlow::clear() {
  nodes.clear();
  links.clear();
}

std::uint32_t ArrayFlow::addNode(PointId point, RegionId region, bool kept) {
  Node node;
  node.point = point;
  node.region = region;
  node.kept = kept;
  nodes.push_back(node);
  return static_cast<std::uint32_t>(nodes.size() - 1);
}

void ArrayFlow::addLink(std::uint32_t from, std::uint32_t to, EdgeId early, EdgeId late) {
  std::uint32_t id = static_cast<std::uint32_t>(links.size());
  Link link;
  link.early = early;
  link.late = late;
  links.push_back(link);
  attach(id, from, kOut);
  attach(id, to, kIn);
}

void ArrayFlow::attach(std::uint32_t id, std::uint32_t at, const End &end) {
  std::uint32_t &first = nodes[at].*end.first;
  links[id].*end.node = at;
  links[id].*end.previous = kNone;
  links[id].*end.next = first;
  if (first != kNone)
    links[first].*end.previous = id;
  first = id;
  ++(nodes[at].*end.count);
}

void ArrayFlow::detach(std::uint32_t id, const End &end) {
  std::uint32_t previous = links[id].*end.previous, next = links[id].*end.next;
  Node &node = nodes[links[id].*end.node];
  (previous == kNone ? node.*end.first : links[previous].*end.next) = next;
  if (next != kNone)
    links[next].*end.previous = previous;
  --(node.*end.count);
}

void ArrayFlow::remove(std::uint32_t id) {
  detach(id, kOut);
  detach(id, kIn);
  links[id].alive = false;
}

void ArrayFlow::reduce() {
  work.clear();
  for (std::uint32_t node = 0; node < nodes.size(); ++node)
    again(node);
  while (!work.empty()) {
    std::uint32_t node = work.back();
    work.pop_back();
    if (nodes[node].alive)
      reduceNode(node);
  }
}

void ArrayFlow::reduceNode(std::uint32_t id) {
  for (std::uint32_t link = nodes[id].firstOut, next; link != kNone; link = next) {
    next = links[link].nextOut;
    if (links[link].to == id) // through nothing back to itself
      remove(link);
  }
  const Node &node = nodes[id];
  if (node.ins == 0 || node.outs == 0)
    cut(id);
  else if (node.ins == 1 && node.outs == 1)
    join(id, node.firstIn, node.firstOut);
  else if (node.ins == 1)
    joinMany(id, node.firstIn, true);
  else if (node.outs == 1)
    joinMany(id, node.firstOut, false);
}

/// The value is undefined before it, or nothing follows that may want it.
void ArrayFlow::cut(std::uint32_t id) {
  while (nodes[id].firstOut != kNone) {
    again(links[nodes[id].firstOut].to);
    remove(nodes[id].firstOut);
  }
  while (nodes[id].firstIn != kNone) {
    again(links[nodes[id].firstIn].from);
    remove(nodes[id].firstIn);
  }
  nodes[id].alive = false;
}

/// Two links in a row become one: the one passed less often (where a dead end, or an undefined start, was left out
/// between them) if it is no deeper; of equally frequent ones the less deep.
void ArrayFlow::join(std::uint32_t id, std::uint32_t first, std::uint32_t second) {
  Link &a = links[first];
  const Link &b = links[second];
  Wide often = frequency(first), thenOften = frequency(second);
  bool rarer = thenOften < often, asOften = thenOften == often;
  unsigned depthA = depth(first), depthB = depth(second);
  if (!asOften && (rarer ? depthB > depthA : depthA > depthB))
    return;
  if (rarer || (asOften && depthA > depthB)) {
    a.early = b.early;
    a.late = b.late;
  } else if (asOften && depthA == depthB) {
    a.late = b.late;
  }
  std::uint32_t to = b.to, from = a.from;
  detach(first, kIn);
  remove(second);
  attach(first, to, kIn);
  nodes[id].alive = false;
  again(from);
  again(to);
}

/// A node with a single link on one side (`down`: the way in). If those on the other side all lead to one node, and
/// they are no less deep, the single one takes their place. If they are no deeper, and it is either deeper than one of
/// them or passed more often than all of them, they take its place.
void ArrayFlow::joinMany(std::uint32_t id, std::uint32_t single, bool down) {
  // Where the single link meets the node, and where the many do.
  const End &near = down ? kIn : kOut, &far = down ? kOut : kIn;
  std::uint32_t end = links[single].*far.node, other = kNone;
  unsigned here = depth(single), least = here, most = here;
  bool parting = false;
  Wide sum = 0;
  for (std::uint32_t link = nodes[id].*far.first; link != kNone; link = links[link].*far.next) {
    std::uint32_t to = links[link].*near.node;
    parting = parting || (other != kNone && to != other);
    other = to;
    least = std::min(least, depth(link));
    most = std::max(most, depth(link));
    sum = addChecked(sum, frequency(link));
  }
  if (!parting && here <= least && frequency(single) <= sum) {
    while (nodes[id].*far.first != kNone)
      remove(nodes[id].*far.first);
    detach(single, near);
    attach(single, other, near);
    again(other);
  } else if (most <= here && sum <= frequency(single) && (least < here || sum < frequency(single))) {
    remove(single);
    while (nodes[id].*far.first != kNone) {
      std::uint32_t link = nodes[id].*far.first;
      again(links[link].*near.node);
      detach(link, far);
      attach(link, end, far);
    }
  } else {
    return;
  }
  again(end);
  nodes[id].alive = false;
}

} // namespace ferry::placement
