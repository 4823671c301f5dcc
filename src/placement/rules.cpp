// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "placement/rules.h"

#include "placement/failure.h"
#include "placement/kernel_needs.h"

#include <algorithm>
#include <numeric>

namespace ferry::placement {

Rules::Rules(const Graph &graph, const Machine &machine, const Shape &shape, const ScaledFrequencies &frequencies,
             const ValueGraph &values, const std::optional<Requirement> &requirement)
    : graph(graph), machine(machine), shape(shape), frequencies(frequencies), values(values) {
  variables();
  cut.reserve(graph.points.size() * 4 + values.nodes.size() * 5, graph.points.size() * 3 + values.links.size() * 2,
              values.nodes.size() * 2);
  for (std::vector<Time> &prices : wholePrices)
    prices.assign(graph.arrays.size(), -1);
  for (PointId id = 0; id < graph.points.size(); ++id)
    if (graph.points[id].kind == PointKind::Operation || graph.points[id].kind == PointKind::Control)
      operation(id);
  for (RegionId id = 0; id < graph.regions.size(); ++id)
    region(id);
  for (const ValueGraph::Node &each : values.nodes)
    node(each);
  for (const ValueGraph::Link &each : values.links)
    link(each);
  KernelNeeds needs(graph, shape, values);
  for (RegionId id = 0; id < graph.regions.size(); ++id) {
    needs.find(id);
    kernelPoints(id, needs);
  }
  if (requirement)
    require(*requirement);
}

void Rules::variables() {
  for (RegionId id = 0; id < graph.regions.size(); ++id)
    inKernelOf.push_back(cut.add());
  onDeviceOf.assign(graph.points.size(), kZero);
  offHostOf.assign(graph.points.size(), kZero);
  for (PointId id = 0; id < graph.points.size(); ++id) {
    const Point &point = graph.points[id];
    if (point.kind == PointKind::Operation) {
      onDeviceOf[id] = offHostOf[id] = cut.add();
      if (point.both)
        offHostOf[id] = cut.add();
    } else {
      onDeviceOf[id] = offHostOf[id] = inKernel(point.region); // a control runs where its region does
    }
  }
  slotVariables.assign(values.slots, kNone);
  unifyParallel();
  for (Variable &slot : slotVariables)
    if (slot == kNone) {
      slot = cut.add();
      cut.add();
    }
}

/// In a parallel loop an array that lives from trip to trip has one state: all its slots there are the same variables.
/// Parallel loops nest, so outer ones come last and win: a slot of an inner one takes its class along.
void Rules::unifyParallel() {
  if (std::none_of(graph.regions.begin(), graph.regions.end(), [](const Region &region) { return region.parallel; }))
    return;
  std::vector<std::uint32_t> leader(values.slots);
  std::iota(leader.begin(), leader.end(), 0);
  auto find = [&](std::uint32_t slot) {
    while (leader[slot] != slot)
      slot = leader[slot] = leader[leader[slot]];
    return slot;
  };
  for (RegionId id = 0; id < graph.regions.size(); ++id) {
    if (!graph.regions[id].parallel)
      continue;
    PointId head = graph.edges[shape.entries(id)[0]].to;
    auto [first, last] = values.nodesIn(id);
    std::vector<std::uint32_t> shared(graph.arrays.size(), kNone);
    for (std::uint32_t i = first; i < last; ++i)
      if (const auto &node = values.nodes[i]; node.point == head && node.slotIn != kNone)
        shared[node.array] = node.slotIn;
    for (std::uint32_t i = first; i < last; ++i)
      for (std::uint32_t slot : {values.nodes[i].slotIn, values.nodes[i].slotOut})
        if (slot != kNone && shared[values.nodes[i].array] != kNone)
          leader[find(slot)] = find(shared[values.nodes[i].array]);
  }
  for (std::uint32_t slot = 0; slot < values.slots; ++slot)
    if (std::uint32_t first = find(slot); first != slot || slotVariables[slot] == kNone) {
      if (slotVariables[first] == kNone) {
        slotVariables[first] = cut.add();
        cut.add();
      }
      slotVariables[slot] = slotVariables[first];
    }
}

/// An element price, paid each time that a point is passed.
Wide Rules::atPoint(PointId point, Time price) const {
  return named([&] { return multiplyChecked(frequencies.points[point], price); },
               [&] { return placement::describe(graph, point); });
}

void Rules::operation(PointId id) {
  const Point &point = graph.points[id];
  auto price = [&](Variable u, Variable v, Time each) {
    if (each != 0)
      cut.price(u, v, atPoint(id, each));
  };
  Variable u = onDevice(id), v = offHost(id), y = inKernel(point.region);
  price(kOne, v, point.cost.host);
  price(y, kZero, point.cost.inner);
  for (const Read &read : point.reads)
    if (read.operand == Operand::Host)
      cut.implies(y, kZero);
  if (point.kind == PointKind::Control)
    return;
  cut.implies(v, u);
  cut.implies(y, v);
  price(u, y, point.cost.device);
  PointId before = shape.sharesWith(id);
  price(u, before == kNone ? y : onDevice(before), point.cost.launch.value_or(machine.launch));
  if (point.noKernel)
    cut.implies(y, kZero);
  if (point.pin == Side::Host)
    cut.implies(u, kZero);
  if (point.pin == Side::Device)
    cut.implies(kOne, v);
}

void Rules::region(RegionId id) {
  const Region &region = graph.regions[id];
  Variable y = inKernel(id), above = inKernel(region.parent);
  named(
      [&] {
        Wide runs = 0;
        for (EdgeId edge : shape.entries(id))
          runs = addChecked(runs, frequencies.edges[edge]);
        Time exit = shape.exits(id).size() > 1 ? machine.exit : 0;
        cut.price(y, above, multiplyChecked(runs, addChecked(region.launch.value_or(machine.launch), exit)));
      },
      [&] { return describeRegion(graph, id); });
  cut.implies(above, y);
  if (region.pin == Side::Host)
    cut.implies(y, kZero);
  if (region.pin == Side::Device)
    cut.implies(kOne, y);
}

void Rules::node(const ValueGraph::Node &node) {
  const Point &point = graph.points[node.point];
  const Array &array = graph.arrays[node.array];
  bool lasting = array.argument || array.result; // its host copy, or its device copy, is there to stay
  if (node.slotIn != kNone) {
    cut.implies(gone(node.slotIn), device(node.slotIn));
    cut.lifetime(device(node.slotIn), gone(node.slotIn), lasting ? 0 : array.bytes);
  }
  if (node.slotOut != kNone && node.slotOut != node.slotIn) {
    cut.implies(gone(node.slotOut), device(node.slotOut));
    cut.lifetime(device(node.slotOut), gone(node.slotOut), lasting ? 0 : array.bytes);
  }
  if (!node.kept)
    return;
  for (const Read &each : point.reads)
    if (each.array == node.array && node.slotIn != kNone)
      read(node, each);
  if (node.write != kNone)
    write(node);
  if (point.kind == PointKind::Entry && array.argument && node.slotOut != kNone) {
    if (array.home == Side::Host)
      cut.implies(device(node.slotOut), kZero);
    else
      cut.implies(kOne, gone(node.slotOut));
  }
  if (point.kind == PointKind::Exit && array.result && node.slotIn != kNone) {
    if (array.home == Side::Host)
      cut.implies(gone(node.slotIn), kZero);
    else
      cut.implies(kOne, device(node.slotIn));
  }
}

void Rules::read(const ValueGraph::Node &node, const Read &read) {
  Variable d = device(node.slotIn), g = gone(node.slotIn);
  Variable y = inKernel(graph.points[node.point].region);
  Variable onHostUnless = kOne, onDeviceIf = kZero;
  bool byValue = graph.arrays[node.array].byValue;
  switch (read.operand) {
  case Operand::Operation:
    onHostUnless = offHost(node.point);
    onDeviceIf = byValue ? kZero : onDevice(node.point);
    break;
  case Operand::Host:
    onHostUnless = kZero;
    break;
  case Operand::Device:
    onDeviceIf = kOne;
    break;
  case Operand::Launcher:
    onHostUnless = y;
    onDeviceIf = byValue ? kZero : y;
    break;
  }
  if (read.fetch && !node.shared) {
    cut.price(onDeviceIf, d, atPoint(node.point, *read.fetch));
    cut.implies(onDeviceIf == kZero ? kZero : y, d);
  } else {
    cut.implies(onDeviceIf, d);
  }
  if (read.peek)
    cut.price(g, onHostUnless, atPoint(node.point, *read.peek));
  else
    cut.implies(g, onHostUnless);
}

void Rules::write(const ValueGraph::Node &node) {
  const Write &write = graph.points[node.point].writes[node.write];
  Variable u = onDevice(node.point), v = offHost(node.point);
  Variable d = device(node.slotOut), g = gone(node.slotOut);
  if (!node.full) {
    cut.implies(d, device(node.slotIn));
    cut.implies(gone(node.slotIn), g);
  }
  auto part = [&](Variable from, Variable to, const std::optional<Time> &price) {
    if (price)
      cut.price(from, to, atPoint(node.point, *price));
    else
      cut.implies(from, to);
  };
  part(d, u, write.poke);
  part(v, g, write.push);
}

/// Price of one copy of what is alive at a node; of whole arrays it is worked out once.
Time Rules::copyPrice(Direction direction, const ValueGraph::Node &to) {
  const Array &array = graph.arrays[to.array];
  if (to.box != kNone)
    return machine.copy(direction, array, values.boxes[to.box]);
  Time &known = wholePrices[static_cast<std::size_t>(direction)][to.array];
  if (known < 0)
    known = machine.copy(direction, array);
  return known;
}

void Rules::link(const ValueGraph::Link &link) {
  const ValueGraph::Node &to = values.nodes[link.to];
  std::uint32_t before = values.nodes[link.from].slotOut, behind = to.slotIn;
  if (behind == kNone)
    return;
  unsigned depth = shape.depthOf(link.late);
  for (Direction direction : {Direction::HostToDevice, Direction::DeviceToHost}) {
    bool up = direction == Direction::HostToDevice;
    Variable u = up ? device(behind) : gone(before), v = up ? device(before) : gone(behind);
    if (u == v)
      continue;
    named([&] { cut.copy(u, v, multiplyChecked(frequencies.edges[link.late], copyPrice(direction, to)), depth); },
          [&] { return placement::describe(graph.arrays[to.array]); });
  }
}

void Rules::kernelPoints(RegionId id, const KernelNeeds &needs) {
  Variable y = inKernel(id);
  auto [first, last] = values.nodesIn(id);
  for (std::uint32_t i = first; i < last; ++i)
    for (unsigned char side : {KernelNeeds::kBefore, KernelNeeds::kBehind}) {
      std::uint32_t slot = side == KernelNeeds::kBefore ? values.nodes[i].slotIn : values.nodes[i].slotOut;
      if (needs.needed(i) & side)
        cut.implies(y, device(slot));
      if (needs.changed(i) & side)
        cut.implies(y, gone(slot));
    }
}

void Rules::require(const Requirement &requirement) {
  if (requirement.point != kNone) {
    Variable u = onDevice(requirement.point), v = offHost(requirement.point);
    if (requirement.sides == Sides::Host)
      cut.implies(u, kZero);
    else if (requirement.sides == Sides::Device)
      cut.implies(kOne, v);
  }
  if (requirement.edge == kNone)
    return;
  bool up = requirement.direction == Direction::HostToDevice;
  for (const ValueGraph::Link &link : values.links) {
    const ValueGraph::Node &from = values.nodes[link.from], &to = values.nodes[link.to];
    if (to.array != requirement.array || to.slotIn == kNone ||
        (link.early != requirement.edge && link.late != requirement.edge))
      continue;
    cut.implies(up ? device(to.slotIn) : gone(from.slotOut), up ? device(from.slotOut) : gone(to.slotIn));
  }
}

std::string Rules::describe(Variable variable) const {
  if (variable == kOne || variable == kZero)
    return "";
  for (RegionId id = 0; id < graph.regions.size(); ++id)
    if (inKernelOf[id] == variable)
      return describeRegion(graph, id) + " inside a kernel";
  for (PointId id = 0; id < graph.points.size(); ++id) {
    if (onDeviceOf[id] == variable)
      return placement::describe(graph, id) + " on the device";
    if (offHostOf[id] == variable)
      return placement::describe(graph, id) + " not on the host";
  }
  for (const ValueGraph::Node &node : values.nodes)
    for (std::uint32_t slot : {node.slotIn, node.slotOut}) {
      if (slot == kNone || (device(slot) != variable && gone(slot) != variable))
        continue;
      std::string where = (slot == node.slotIn ? " at " : " after ") + placement::describe(graph, node.point);
      return placement::describe(graph.arrays[node.array]) +
             (device(slot) == variable ? " valid on the device" : " no longer valid on the host") + where;
    }
  return "";
}

} // namespace ferry::placement
