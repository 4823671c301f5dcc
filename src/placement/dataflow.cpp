// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "placement/dataflow.h"

#include "placement/parts.h"

#include <algorithm>

namespace ferry::placement {

namespace {

/// By point and array: whether the array may still be read, searching backward from its uses. Arrays with an extent are
/// judged by their elements instead.
std::vector<std::vector<bool>> liveBefore(const Graph &graph, const Shape &shape) {
  std::vector<std::vector<bool>> live(graph.points.size(), std::vector<bool>(graph.arrays.size()));
  std::vector<std::pair<PointId, ArrayId>> work;
  auto enliven = [&](PointId point, ArrayId name) {
    if (!live[point][name] && !graph.arrays[name].extent) {
      live[point][name] = true;
      work.emplace_back(point, name);
    }
  };
  for (PointId point = 0; point < graph.points.size(); ++point) {
    for (const Read &read : graph.points[point].reads)
      enliven(point, read.array);
    if (graph.points[point].kind == PointKind::Exit)
      for (ArrayId name = 0; name < graph.arrays.size(); ++name)
        if (graph.arrays[name].result)
          enliven(point, name);
  }
  while (!work.empty()) {
    auto [point, name] = work.back();
    work.pop_back();
    for (EdgeId edge : shape.in(point)) {
      ArrayId before = name;
      for (const Rename &rename : graph.edges[edge].renames)
        if (rename.destination == name)
          before = rename.source;
      PointId from = graph.edges[edge].from;
      bool whole = false;
      for (const Write &write : graph.points[from].writes)
        whole |= write.array == before && write.whole;
      if (!whole)
        enliven(from, before);
    }
  }
  PartsLife parts(graph, shape);
  for (PointId point = 0; point < graph.points.size(); ++point)
    for (ArrayId name : parts.arrays)
      live[point][name] = !parts.before(point, name).empty();
  return live;
}

} // namespace

std::vector<ParallelLoop> parallelLoops(const PlanView &view) {
  const Graph &graph = view.graph;
  std::vector<ParallelLoop> loops;
  if (std::none_of(graph.regions.begin(), graph.regions.end(), [](const Region &region) { return region.parallel; }))
    return loops;
  std::vector<std::vector<bool>> live = liveBefore(graph, view.shape);
  for (RegionId region = 0; region < graph.regions.size(); ++region) {
    if (!graph.regions[region].parallel)
      continue;
    ParallelLoop loop;
    loop.region = region;
    loop.head = graph.edges[view.shape.entries(region)[0]].to;
    loop.shared = live[loop.head];
    loop.losesHost = loop.losesDevice = std::vector<bool>(graph.arrays.size());
    for (PointId point = 0; point < graph.points.size(); ++point)
      if (view.shape.within(graph.points[point].region, region))
        for (const Write &write : graph.points[point].writes) {
          if (!loop.shared[write.array])
            continue;
          if (!view.updatesHost(point, write))
            loop.losesHost[write.array] = true;
          if (!view.updatesDevice(point, write))
            loop.losesDevice[write.array] = true;
        }
    loops.push_back(std::move(loop));
  }
  return loops;
}

bool isShared(const PlanView &view, const std::vector<ParallelLoop> &parallel, PointId point, ArrayId array) {
  return std::any_of(parallel.begin(), parallel.end(), [&](const ParallelLoop &loop) {
    return loop.shared[array] && view.shape.within(view.graph.points[point].region, loop.region);
  });
}

void ForwardValidity::behind(PointId point, std::uint64_t *hostRow, std::uint64_t *deviceRow) const {
  std::copy_n(host.row(point), host.words, hostRow);
  std::copy_n(device.row(point), device.words, deviceRow);
  for (const Write &write : view.graph.points[point].writes) {
    bool toHost = view.updatesHost(point, write), toDevice = view.updatesDevice(point, write);
    bool fresh = write.whole && (parallel.empty() || !isShared(view, parallel, point, write.array));
    BitTable::setBit(hostRow, write.array, toHost && (fresh || BitTable::getBit(hostRow, write.array)));
    BitTable::setBit(deviceRow, write.array, toDevice && (fresh || BitTable::getBit(deviceRow, write.array)));
  }
}

/// What gets to the far end of an edge, in place: renames, then copies.
void ForwardValidity::arrive(EdgeId id, std::uint64_t *hostRow, std::uint64_t *deviceRow) const {
  const Edge &edge = view.graph.edges[id];
  std::vector<std::pair<bool, bool>> values;
  values.reserve(edge.renames.size());
  for (const Rename &rename : edge.renames)
    values.emplace_back(BitTable::getBit(hostRow, rename.source), BitTable::getBit(deviceRow, rename.source));
  bool kernel = view.edgeInKernel(id); // renames the device's copies, which the host does not see
  for (std::size_t i = 0; i < edge.renames.size(); ++i) {
    BitTable::setBit(hostRow, edge.renames[i].destination,
                     values[i].first && (!kernel || edge.renames[i].destination == edge.renames[i].source));
    BitTable::setBit(deviceRow, edge.renames[i].destination, values[i].second);
  }
  for (std::uint32_t index : view.copiesOn(id)) {
    const Copy &copy = view.plan.copies[index];
    bool up = copy.direction == Direction::HostToDevice;
    if (BitTable::getBit(up ? hostRow : deviceRow, copy.array))
      BitTable::setBit(up ? deviceRow : hostRow, copy.array, true);
  }
}

ForwardValidity::ForwardValidity(const PlanView &view, const std::vector<ParallelLoop> &parallel)
    : view(view), parallel(parallel) {
  const Graph &graph = view.graph;
  host = BitTable(graph.points.size(), graph.arrays.size(), true);
  device = BitTable(graph.points.size(), graph.arrays.size(), true);
  for (ArrayId array = 0; array < graph.arrays.size(); ++array)
    if (graph.arrays[array].argument) {
      bool atHost = graph.arrays[array].home == Side::Host;
      BitTable::setBit(host.row(view.shape.entry), array, atHost);
      BitTable::setBit(device.row(view.shape.entry), array, !atHost);
    }
  std::vector<std::uint64_t> hostRow(host.words), deviceRow(device.words);
  std::vector<bool> stale(graph.points.size(), true);
  for (bool changed = true; changed;) {
    changed = false;
    for (PointId point = 0; point < graph.points.size(); ++point) {
      if (!stale[point])
        continue;
      stale[point] = false;
      for (EdgeId id : view.shape.out(point)) {
        behind(point, hostRow.data(), deviceRow.data());
        arrive(id, hostRow.data(), deviceRow.data());
        PointId to = graph.edges[id].to;
        for (const ParallelLoop &loop : parallel)
          if (loop.head == to)
            for (ArrayId array = 0; array < graph.arrays.size(); ++array) {
              if (loop.losesHost[array])
                BitTable::setBit(hostRow.data(), array, false);
              if (loop.losesDevice[array])
                BitTable::setBit(deviceRow.data(), array, false);
            }
        bool moved = false;
        for (auto [table, row] : {std::pair(&host, &hostRow), std::pair(&device, &deviceRow)})
          for (std::size_t word = 0; word < table->words; ++word) {
            std::uint64_t old = table->row(to)[word], both = old & (*row)[word];
            table->row(to)[word] = both;
            moved |= old != both;
          }
        stale[to] = stale[to] || moved;
        changed |= moved;
      }
    }
  }
}

} // namespace ferry::placement
