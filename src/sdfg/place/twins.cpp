// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/twins.h"

#include <algorithm>

namespace ferry::sdfg {

using placement::ArrayId;
using placement::Sides;

Twins::Twins(Program &program, Extracted &extracted, const placement::Plan &plan)
    : extracted(extracted), fresh(program) {
  findUses(plan);
  for (auto &level : extracted.levels)
    makeTwins(*level);
}

void Twins::use(Level *level, ArrayId part, Access access) {
  ArrayId array = extracted.origins[part];
  for (; level; level = level == extracted.owners[array].first ? nullptr : level->outer) {
    Access &all = uses[level][array];
    all.reads |= access.reads;
    all.writes |= access.writes;
  }
}

static std::set<placement::PointId> pointsOf(const Level &level) {
  std::set<placement::PointId> result;
  for (const auto &[block, parts] : level.states) {
    result.insert(parts.points.begin(), parts.points.end());
    result.insert(parts.targets.begin(), parts.targets.end());
  }
  for (const auto &[where, peek] : level.peeks)
    result.insert(where.first);
  return result;
}

/// Arrays that the device has at some time, and those that the host never has.
void Twins::findUses(const placement::Plan &plan) {
  const placement::Graph &graph = extracted.graph;
  std::set<ArrayId> onHost;
  for (ArrayId array = 0; array < graph.arrays.size(); ++array)
    if (graph.arrays[array].argument && graph.arrays[array].home == placement::Side::Host)
      onHost.insert(array);
  auto origin = [&](ArrayId array) { return extracted.origins[array]; };
  for (placement::PointId id = 0; id < graph.points.size(); ++id) {
    const placement::Point &point = graph.points[id];
    bool isDevice = point.kind == placement::PointKind::Operation && plan.sides[id] == Sides::Device;
    for (const placement::Read &read : point.reads)
      if (!isDevice || read.operand == placement::Operand::Host)
        onHost.insert(origin(read.array));
    for (const placement::Write &write : point.writes)
      if (!isDevice)
        onHost.insert(origin(write.array));
  }
  for (const placement::Copy &copy : plan.copies)
    onHost.insert(copy.array);
  for (const placement::Access &access : plan.accesses)
    onHost.insert(origin(access.array));
  std::map<placement::EdgeId, std::vector<const placement::Copy *>> copies;
  for (const placement::Copy &copy : plan.copies)
    copies[copy.edge].push_back(&copy);
  for (auto &level : extracted.levels) {
    std::set<placement::PointId> points = pointsOf(*level);
    for (auto &[block, parts] : level->states)
      for (std::size_t i = 0; i < parts.operations.size(); ++i) {
        if (parts.points[i] == kNone)
          continue;
        for (const Use &each : parts.operations[i].uses)
          if (ArrayId array = level->arrays.at(each.unit);
              (each.reads || each.writes) && plan.sides[parts.pointOf(i, each)] == Sides::Device)
            if (!graph.arrays[array].byValue || each.writes || !onHost.contains(origin(array)))
              use(level.get(), array, {each.reads || !each.whole, each.writes});
      }
    for (const placement::Access &access : plan.accesses)
      if (points.contains(access.point)) {
        bool up = access.traffic == placement::Traffic::Poke || access.traffic == placement::Traffic::Fetch;
        use(level.get(), access.array, {!up, up});
      }
    auto copied = [&](placement::EdgeId edge) {
      if (auto found = copies.find(edge); found != copies.end())
        for (const placement::Copy *copy : found->second) {
          bool up = copy->direction == placement::Direction::HostToDevice;
          use(level.get(), copy->array, {!up, up});
        }
    };
    for (const auto &[edge, where] : level->stateEdges)
      copied(edge);
    for (const auto &edges : level->edges)
      for (placement::EdgeId edge : edges)
        copied(edge);
  }
  for (ArrayId array = 0; array < graph.arrays.size(); ++array)
    if (!onHost.contains(array))
      moved.insert(array);
}

void Twins::placeOnDevice(Container &container) { container.setStorage("GPU_Global"); }

void Twins::makeTwins(Level &level) {
  std::map<std::string, std::vector<std::size_t>, std::less<>> members; // by unit
  for (std::size_t i = 0; i < level.sdfg->containers.size(); ++i)
    if (const std::string &name = level.sdfg->containers[i].name; level.units->has(name))
      members[level.units->of(name)].push_back(i);
  for (const auto &[unit, part] : level.arrays) {
    ArrayId array = extracted.origins[part];
    if (!isUsed(level, array))
      continue;
    if (!moved.contains(array)) {
      makeTwin(level, unit, array);
      continue;
    }
    for (std::size_t each : members[unit])
      placeOnDevice(level.sdfg->containers[each]);
  }
}

void Twins::makeTwin(Level &level, const std::string &unit, ArrayId array) {
  const Container &original = *level.sdfg->find(unit);
  if (original.isOnDevice())
    return;
  Container twin = original;
  twin.name = fresh.fresh("gpu_" + (unit.starts_with("__") ? unit.substr(2) : unit));
  placeOnDevice(twin);
  twin.setTransient(extracted.owners[array].first == &level);
  std::string name = twin.name;
  level.sdfg->add(std::move(twin));
  twins[{&level, unit}] = name;
  if (extracted.owners[array].first != &level)
    enter(level, unit, name, uses[&level][array]);
}

/// The twin of the level outside enters by a connector of the same name as inside, connected as the original is.
void Twins::enter(Level &inner, const std::string &unit, const std::string &twin, Access access) {
  Level &outer = *inner.outer;
  State &state = *const_cast<Block *>(inner.outerBlock)->state();
  std::optional<DataEdge> like;
  for (const DataEdge &edge : state.edges) {
    bool in = edge.to == inner.outerNode, out = edge.from == inner.outerNode;
    const std::optional<std::string> &connector = in ? edge.toConnector : edge.fromConnector;
    if ((in || out) && connector == unit && !edge.memlet.isEmpty())
      like = edge;
  }
  if (!like)
    return;
  NodeId original = like->to == inner.outerNode ? like->from : like->to;
  Memlet memlet = like->memlet;
  memlet.setData(onDevice(outer, state.nodes[original].data));
  if (access.reads || !access.writes) {
    NodeId before = addAccess(outer, state, original, true, true);
    state.nodes[inner.outerNode].addConnector(true, twin);
    state.connect(before, std::nullopt, inner.outerNode, twin, memlet);
  }
  if (access.writes) {
    NodeId behind = addAccess(outer, state, original, true, false);
    state.nodes[inner.outerNode].addConnector(false, twin);
    state.connect(inner.outerNode, twin, behind, std::nullopt, memlet);
  }
}

/// Another access node of an access node's container or of its twin; of a view with what it views, to read or to write.
NodeId Twins::addAccess(Level &level, State &state, NodeId original, bool device, bool isRead) {
  auto nameOf = [&](const std::string &name) { return device ? onDevice(level, name) : name; };
  NodeId made = state.add(Node::access(nameOf(state.nodes[original].data)));
  const Container *container = level.sdfg->find(state.nodes[original].container());
  if (!container || !container->isView())
    return made;
  auto dataflow = Dataflow::of(state);
  if (!dataflow)
    return made;
  Dataflow::EdgeId id = Units::viewEdge(*level.sdfg, state, *dataflow, original);
  if (id == kNone)
    return made;
  DataEdge view = state.edges[id];
  NodeId far = view.from == original ? view.to : view.from;
  Memlet memlet = view.memlet;
  memlet.setData(nameOf(*memlet.data));
  NodeId origin = addAccess(level, state, far, device, isRead);
  state.nodes[made].addConnector(isRead, "views");
  if (isRead)
    state.connect(origin, std::nullopt, made, "views", std::move(memlet));
  else
    state.connect(made, "views", origin, std::nullopt, std::move(memlet));
  return made;
}

void Twins::leave(Level &level, const std::string &container) {
  if (!level.outer)
    return;
  State &state = *const_cast<Block *>(level.outerBlock)->state();
  std::optional<DataEdge> entering;
  for (const DataEdge &edge : state.edges) {
    if (edge.from == level.outerNode && edge.fromConnector == container)
      return;
    if (edge.to == level.outerNode && edge.toConnector == container)
      entering = edge;
  }
  if (!entering)
    return;
  std::string outside = state.nodes[entering->from].data;
  state.nodes[level.outerNode].addConnector(false, container);
  NodeId target = addAccess(*level.outer, state, entering->from, false, false);
  state.connect(level.outerNode, container, target, std::nullopt, entering->memlet);
  leave(*level.outer, level.outer->units->of(outside));
}

std::string Twins::onDevice(Level &level, const std::string &container) {
  std::string name = container.substr(0, container.find('.'));
  const std::string &unit = level.units->of(name);
  ArrayId array = extracted.origins[level.arrays.at(unit)];
  if (moved.contains(array) || !isUsed(level, array))
    return container;
  auto found = twins.find({&level, name});
  if (found != twins.end())
    return found->second;
  const Container *original = level.sdfg->find(name);
  if (!original || original->isOnDevice())
    return container;
  Container twin = *original; // a view of what has a twin
  twin.name = fresh.fresh("gpu_" + name);
  placeOnDevice(twin);
  std::string made = twin.name;
  level.sdfg->add(std::move(twin));
  twins[{&level, name}] = made;
  return made;
}

} // namespace ferry::sdfg
