// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "placement/parts.h"

namespace ferry::placement {

namespace {

std::vector<ArrayId> withExtent(const Graph &graph, std::vector<std::uint32_t> &column) {
  std::vector<ArrayId> arrays;
  column.assign(graph.arrays.size(), kNone);
  for (ArrayId array = 0; array < graph.arrays.size(); ++array)
    if (graph.arrays[array].extent) {
      column[array] = static_cast<std::uint32_t>(arrays.size());
      arrays.push_back(array);
    }
  return arrays;
}

ArrayId sourceOf(const Edge &edge, ArrayId array) {
  for (const Rename &rename : edge.renames)
    if (rename.destination == array)
      return rename.source;
  return array;
}

bool renamedBy(const Edge &edge, ArrayId array) {
  for (const Rename &rename : edge.renames)
    if (rename.destination == array)
      return rename.source != array;
  return false;
}

} // namespace

PartsLife::PartsLife(const Graph &graph, const Shape &shape) {
  arrays = withExtent(graph, column);
  if (arrays.empty())
    return;
  sets.resize(graph.points.size() * arrays.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (PointId point = static_cast<PointId>(graph.points.size()); point-- > 0;)
      for (ArrayId array : arrays) {
        const Box &extent = *graph.arrays[array].extent;
        BoxSet live;
        for (EdgeId edge : shape.out(point))
          for (ArrayId name : arrays)
            if (sourceOf(graph.edges[edge], name) == array)
              live.add(before(graph.edges[edge].to, name));
        for (const Write &write : graph.points[point].writes)
          if (write.array == array && (write.whole || write.box))
            live.remove(write.box.value_or(extent));
        for (const Read &read : graph.points[point].reads)
          if (read.array == array)
            live.add(read.box.value_or(extent));
        if (graph.points[point].kind == PointKind::Exit && graph.arrays[array].result)
          live.add(extent);
        for (RegionId region = graph.points[point].region; region != kNone; region = graph.regions[region].parent)
          if (graph.regions[region].parallel && !before(graph.edges[shape.entries(region)[0]].to, array).empty())
            live.add(extent); // other trips may read any of it
        BoxSet &known = sets[point * arrays.size() + column[array]];
        if (!known.covers(live)) {
          known = std::move(live);
          changed = true;
        }
      }
  }
}

PartsValidity::PartsValidity(const PlanView &view, const std::vector<ParallelLoop> &parallel)
    : view(view), parallel(parallel) {
  const Graph &graph = view.graph;
  arrays = withExtent(graph, column);
  if (arrays.empty())
    return;
  states.resize(graph.points.size() * arrays.size());
  reached.resize(graph.points.size());
  for (PointId point = 0; point < graph.points.size(); ++point)
    for (ArrayId array : arrays) {
      BoxSet all(*graph.arrays[array].extent);
      State &state = states[point * arrays.size() + column[array]];
      bool argument = point == view.shape.entry && graph.arrays[array].argument;
      if (!argument || graph.arrays[array].home == Side::Host)
        state.host = all;
      if (!argument || graph.arrays[array].home == Side::Device)
        state.device = all;
    }
  reached[view.shape.entry] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (PointId point = 0; point < graph.points.size(); ++point) {
      if (!reached[point])
        continue;
      for (EdgeId edge : view.shape.out(point)) {
        PointId to = graph.edges[edge].to;
        changed |= !reached[to];
        reached[to] = true;
        for (ArrayId array : arrays) {
          State next = arrive(edge, array), &known = states[to * arrays.size() + column[array]];
          for (const ParallelLoop &loop : parallel)
            if (loop.head == to) {
              if (loop.losesHost[array])
                next.host = BoxSet();
              if (loop.losesDevice[array])
                next.device = BoxSet();
            }
          if (!next.host.covers(known.host)) {
            known.host.keep(next.host);
            changed = true;
          }
          if (!next.device.covers(known.device)) {
            known.device.keep(next.device);
            changed = true;
          }
        }
      }
    }
  }
}

PartsValidity::State PartsValidity::behind(PointId point, ArrayId array) const {
  State state = before(point, array);
  for (const Write &write : view.graph.points[point].writes) {
    if (write.array != array)
      continue;
    const Box &extent = *view.graph.arrays[array].extent;
    bool known = write.whole || write.box;
    Box box = write.box.value_or(extent);
    for (Side side : {Side::Host, Side::Device}) {
      BoxSet &set = side == Side::Host ? state.host : state.device;
      bool reaches = side == Side::Host ? view.updatesHost(point, write) : view.updatesDevice(point, write);
      if (!reaches)
        set.remove(box); // of unknown range: any element may be the one that is stale
      else if (known && !isShared(view, parallel, point, array))
        set.add(box);
    }
  }
  return state;
}

PartsValidity::State PartsValidity::arrive(EdgeId id, ArrayId array) const {
  const Edge &edge = view.graph.edges[id];
  State state = behind(edge.from, sourceOf(edge, array));
  if (renamedBy(edge, array) && view.edgeInKernel(id))
    state.host = BoxSet();
  for (std::uint32_t index : view.copiesOn(id)) {
    const Copy &copy = view.plan.copies[index];
    if (copy.array != array)
      continue;
    const BoxSet &from = copy.direction == Direction::HostToDevice ? state.host : state.device;
    BoxSet moved(copy.box.value_or(*view.graph.arrays[array].extent));
    moved.keep(from);
    (copy.direction == Direction::HostToDevice ? state.device : state.host).add(moved);
  }
  return state;
}

} // namespace ferry::placement
