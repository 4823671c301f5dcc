// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/cut.h"
#include "placement/machine.h"
#include "placement/value_graph.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace ferry::placement {

class KernelNeeds;

/// Internal: one more requirement on a solve, for explain(): an operation's sides, or no copy of an array on some
/// edges.
struct Requirement {
  PointId point = kNone;
  Sides sides = Sides::Host;
  EdgeId edge = kNone;
  ArrayId array = kNone;
  Direction direction = Direction::HostToDevice;
};

/// Internal: the rules of placement as a cut. docs/engine.md has them as a table.
///
///   onDevice(o)  operation o runs on the device      offHost(o)  it does not run on the host
///   inKernel(R)  region R runs inside one kernel
///   device(s)    the device copy is valid at slot s  gone(s)     the host copy is not
class Rules {
public:
  Rules(const Graph &graph, const Machine &machine, const Shape &shape, const ScaledFrequencies &frequencies,
        const ValueGraph &values, const std::optional<Requirement> &requirement);

  CutProblem cut;

  Variable onDevice(PointId point) const { return onDeviceOf[point]; }
  Variable offHost(PointId point) const { return offHostOf[point]; }
  Variable inKernel(RegionId region) const { return region == kNone ? kZero : inKernelOf[region]; }
  Variable device(std::uint32_t slot) const { return slotVariables[slot]; }
  Variable gone(std::uint32_t slot) const { return slotVariables[slot] + 1; }

  /// "operation 'f' on the device": what a variable says, for a contradiction's chain.
  std::string describe(Variable variable) const;

private:
  void variables();
  void unifyParallel();
  void operation(PointId id);
  void region(RegionId id);
  void node(const ValueGraph::Node &node);
  void read(const ValueGraph::Node &node, const Read &read);
  void write(const ValueGraph::Node &node);
  void link(const ValueGraph::Link &link);
  void kernelPoints(RegionId id, const KernelNeeds &needs);
  void require(const Requirement &requirement);
  Wide atPoint(PointId point, Time price) const;
  Time copyPrice(Direction direction, const ValueGraph::Node &to);

  const Graph &graph;
  const Machine &machine;
  const Shape &shape;
  const ScaledFrequencies &frequencies;
  const ValueGraph &values;
  std::vector<Variable> onDeviceOf, offHostOf, inKernelOf, slotVariables;
  std::array<std::vector<Time>, 2> wholePrices; ///< By direction and array: of one copy; -1: not worked out yet.
};

} // namespace ferry::placement
