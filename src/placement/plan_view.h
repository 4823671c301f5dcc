// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/plan.h"
#include "placement/shape.h"

#include <algorithm>
#include <span>
#include <vector>

namespace ferry::placement {

/// Internal: a plan next to its graph, for those that judge it or read it.
class PlanView {
public:
  /// The plan's indices have to be in range (requirePlanShape in verify.cpp).
  PlanView(const Graph &graph, const Shape &shape, const Plan &plan) : graph(graph), shape(shape), plan(plan) {
    copyStart.assign(graph.edges.size() + 1, 0);
    for (const Copy &copy : plan.copies)
      ++copyStart[copy.edge + 1];
    for (std::size_t i = 0; i < graph.edges.size(); ++i)
      copyStart[i + 1] += copyStart[i];
    std::vector<std::uint32_t> at(copyStart);
    copyOrder.resize(plan.copies.size());
    for (std::uint32_t i = 0; i < plan.copies.size(); ++i)
      copyOrder[at[plan.copies[i].edge]++] = i;
    accessesAt.resize(graph.points.size());
    for (const Access &access : plan.accesses)
      accessesAt[access.point].push_back(access);
  }

  bool inKernel(PointId point) const { return plan.inKernel(graph.points[point].region); }
  /// Both ends of an edge in one kernel.
  bool edgeInKernel(EdgeId edge) const { return plan.inKernel(shape.inside(edge)); }
  /// Where a point runs: an operation on its side, a control where its region does.
  Sides side(PointId point) const {
    if (graph.points[point].kind == PointKind::Operation)
      return plan.sides[point];
    return inKernel(point) ? Sides::Device : Sides::Host;
  }
  bool onHost(PointId point) const { return side(point) != Sides::Device; }
  bool onDevice(PointId point) const { return side(point) != Sides::Host; }
  /// Indices of the copies on an edge.
  std::span<const std::uint32_t> copiesOn(EdgeId edge) const {
    return {copyOrder.data() + copyStart[edge], copyOrder.data() + copyStart[edge + 1]};
  }
  bool uses(PointId point, ArrayId array, Traffic traffic) const {
    const auto &all = accessesAt[point];
    return std::find(all.begin(), all.end(), Access{point, array, traffic}) != all.end();
  }
  bool readsOnHost(PointId point, const Read &read) const {
    return read.operand == Operand::Host || (read.operand == Operand::Operation && onHost(point)) ||
           (read.operand == Operand::Launcher && !inKernel(point));
  }
  bool readsOnDevice(PointId point, const Read &read) const {
    return read.operand == Operand::Device || (read.operand == Operand::Operation && onDevice(point)) ||
           (read.operand == Operand::Launcher && inKernel(point));
  }
  /// Whether a device read needs what is in device memory, not only a launch argument.
  bool readsDeviceCopy(PointId point, const Read &read) const {
    return readsOnDevice(point, read) && (read.operand == Operand::Device || !graph.arrays[read.array].byValue);
  }
  bool fetches(PointId point, const Read &read) const {
    return readsDeviceCopy(point, read) && uses(point, read.array, Traffic::Fetch);
  }
  /// Whether a write reaches the host's copy, and the device's.
  bool updatesHost(PointId point, const Write &write) const {
    return onHost(point) || uses(point, write.array, Traffic::Push);
  }
  bool updatesDevice(PointId point, const Write &write) const {
    return onDevice(point) || uses(point, write.array, Traffic::Poke);
  }

  const Graph &graph;
  const Shape &shape;
  const Plan &plan;

private:
  std::vector<std::uint32_t> copyStart, copyOrder;
  std::vector<std::vector<Access>> accessesAt;
};

} // namespace ferry::placement
