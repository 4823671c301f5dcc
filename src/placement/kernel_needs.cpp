// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "placement/kernel_needs.h"

#include <algorithm>
#include <tuple>

namespace ferry::placement {

KernelNeeds::KernelNeeds(const Graph &graph, const Shape &shape, const ValueGraph &values)
    : graph(graph), shape(shape), values(values), needs(values.nodes.size()), changes(values.nodes.size()) {}

void KernelNeeds::find(RegionId id) {
  std::fill(needs.begin() + first, needs.begin() + last, 0);
  std::fill(changes.begin() + first, changes.begin() + last, 0);
  region = id;
  std::tie(first, last) = values.nodesIn(id);
  for (std::uint32_t node = first; node < last; ++node)
    begin(node);
  goForth();
  goBack();
}

/// A link within the region may stand for a way round it, through a region around: that is no path of its kernel.
bool KernelNeeds::inside(const ValueGraph::Link &link) const {
  auto within = [&](std::uint32_t node) { return node >= first && node < last; };
  return within(link.from) && within(link.to) && shape.within(shape.inside(link.late), region);
}

bool KernelNeeds::hasSlot(std::uint32_t node, unsigned char side) const {
  return (side == kBefore ? values.nodes[node].slotIn : values.nodes[node].slotOut) != kNone;
}

void KernelNeeds::need(std::uint32_t node, unsigned char side) {
  if ((needs[node] & side) != 0 || !hasSlot(node, side))
    return;
  needs[node] |= side;
  back.push_back(node);
}

void KernelNeeds::change(std::uint32_t node, unsigned char side) {
  if ((changes[node] & side) != 0 || !hasSlot(node, side))
    return;
  changes[node] |= side;
  forth.push_back(node);
  need(node, side);
}

/// What rides as a launch argument is read in device memory all the same by an operand that has to be there.
bool KernelNeeds::readsDeviceCopy(const ValueGraph::Node &node) const {
  if (!node.reads || !graph.arrays[node.array].byValue)
    return node.reads;
  const std::vector<Read> &reads = graph.points[node.point].reads;
  return std::any_of(reads.begin(), reads.end(),
                     [&](const Read &read) { return read.array == node.array && read.operand == Operand::Device; });
}

void KernelNeeds::begin(std::uint32_t i) {
  const ValueGraph::Node &node = values.nodes[i];
  if (node.write != kNone)
    change(i, kBehind);
  if (readsDeviceCopy(node))
    need(i, kBefore);
  for (std::uint32_t k : values.out(i))
    if (const auto &link = values.links[k]; link.renames && inside(link) && hasSlot(link.to, kBefore)) {
      change(link.to, kBefore);
      need(i, kBehind);
    }
}

void KernelNeeds::goForth() {
  while (!forth.empty()) {
    std::uint32_t node = forth.back();
    forth.pop_back();
    if (changes[node] & kBefore)
      change(node, kBehind);
    if (changes[node] & kBehind)
      for (std::uint32_t k : values.out(node))
        if (inside(values.links[k]))
          change(values.links[k].to, kBefore);
  }
}

void KernelNeeds::goBack() {
  while (!back.empty()) {
    std::uint32_t node = back.back();
    back.pop_back();
    if ((needs[node] & kBehind) && !values.nodes[node].full)
      need(node, kBefore);
    if (needs[node] & kBefore)
      for (std::uint32_t k : values.in(node))
        if (inside(values.links[k]))
          need(values.links[k].from, kBehind);
  }
}

} // namespace ferry::placement
