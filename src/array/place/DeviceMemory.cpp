// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "array/place/DeviceMemory.h"

#include "array/place/Program.h"
#include "array/place/WholeNumbers.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"

#include <algorithm>

using namespace mlir;
namespace engine = ferry::placement;

namespace ferry::array {

// Whether a trip makes what it hands to the next under a parameter's name: then it is not the array that it began with.
static bool isMadeInTrip(Value parameter, Value yielded) {
  Operation *loop = parameter.getParentBlock()->getParentOp();
  return loop->isAncestor(yielded.getParentBlock()->getParentOp());
}

// Arrays that are passed on under another name, or share the memory of one that is.
static std::vector<engine::ArrayId> mayBeSame(const Program &program, const engine::Graph &graph,
                                              const std::vector<engine::ArrayId> &blocks) {
  llvm::IntEqClasses classes(graph.arrays.size());
  for (engine::ArrayId array = 0; array < graph.arrays.size(); ++array)
    classes.join(array, blocks[array]);
  for (const engine::Edge &edge : graph.edges)
    for (const engine::Rename &rename : edge.renames)
      if (edge.position.place != engine::Place::OnBack ||
          !isMadeInTrip(program.origin(rename.destination), program.origin(rename.source)))
        classes.join(rename.destination, rename.source);
  std::vector<engine::ArrayId> groups;
  groups.reserve(graph.arrays.size());
  for (engine::ArrayId array = 0; array < graph.arrays.size(); ++array)
    groups.push_back(classes.findLeader(array));
  return groups;
}

DeviceMemory::DeviceMemory(const Program &program, const engine::Solution &solution)
    : solution(solution), graph(solution.graph()), residency(*solution.residency) {
  for (engine::ArrayId array = 0; array < graph.arrays.size(); ++array)
    blocks.push_back(array);
  // A view's unit keeps the memory of what it was made of, unless it was brought to the device by itself. What it was
  // made of comes first.
  std::vector<bool> uploaded(blocks.size());
  for (const engine::Copy &copy : solution.plan.copies)
    if (copy.direction == engine::Direction::HostToDevice)
      uploaded[copy.array] = true;
  for (Unit unit = 0; unit < program.unitCount(); ++unit)
    if (Value source = viewedBy(program.origin(unit)); source && !uploaded[unit])
      blocks[unit] = blocks[*program.unit(source)];
  groups = mayBeSame(program, graph, blocks);
  findLargest();
  for (const engine::Point &point : graph.points) {
    const Step *step = point.kind == engine::PointKind::Operation ? program.step(point.tag) : nullptr;
    isView.push_back(step && step->op()->getNumResults() && viewedBy(step->op()->getResult(0)));
    unused.emplace_back();
    for (Value result : step ? ValueRange(step->op()->getResults()) : ValueRange())
      if (std::optional<Unit> unit = program.unit(result); unit && result.use_empty())
        unused.back().push_back(*unit);
  }
  for (engine::EdgeId edge = 0; edge < graph.edges.size(); ++edge) {
    engine::RegionId kernel = kernelOf(graph.edges[edge].to);
    if (kernel == engine::kNone || kernel == kernelOf(graph.edges[edge].from))
      continue;
    std::vector<bool> &arrays = given[kernel];
    for (engine::ArrayId array = 0; array < graph.arrays.size(); ++array)
      arrays.push_back(residency.after(graph.edges[edge].from, array).device);
    for (const engine::Copy &copy : solution.plan.copies)
      if (copy.edge == edge && copy.direction == engine::Direction::HostToDevice)
        arrays[copy.source] = true;
  }
}

// What is passed on under another name may be a part of a larger block, which it then keeps.
void DeviceMemory::findLargest() {
  largest = blocks;
  for (bool changed = true; changed;) {
    changed = false;
    for (const engine::Edge &edge : graph.edges)
      for (const engine::Rename &rename : edge.renames)
        if (graph.arrays[largest[rename.source]].bytes > graph.arrays[largest[rename.destination]].bytes) {
          largest[rename.destination] = largest[rename.source];
          changed = true;
        }
  }
}

engine::RegionId DeviceMemory::kernelOf(engine::PointId point) const {
  return engine::kernelOf(graph, solution.plan, point);
}

template <typename IsThere> DeviceMemory::Range DeviceMemory::sum(IsThere isThere) const {
  Range total;
  std::vector<bool> counted(graph.arrays.size());
  llvm::SmallDenseMap<engine::ArrayId, int64_t> certain; // by group
  for (engine::ArrayId array = 0; array < graph.arrays.size(); ++array)
    if (isThere(array) && !counted[blocks[array]]) {
      counted[blocks[array]] = true;
      int64_t bytes = graph.arrays[blocks[array]].bytes;
      bool keepsLarger = largest[array] != blocks[array] && !isThere(largest[array]);
      total.most = saturatingSum(total.most, keepsLarger ? graph.arrays[largest[array]].bytes : bytes);
      int64_t &ofGroup = certain[groups[blocks[array]]];
      ofGroup = std::max(ofGroup, bytes);
    }
  for (auto [group, bytes] : certain)
    total.least = saturatingSum(total.least, bytes);
  return total;
}

DeviceMemory::Range DeviceMemory::atPoint(engine::PointId point) const {
  engine::RegionId kernel = kernelOf(point);
  bool isBoth = graph.points[point].kind == engine::PointKind::Operation && !isView[point];
  bool isMade = isBoth && solution.plan.sides[point] != engine::Sides::Host;
  return sum([&](engine::ArrayId array) {
    if (kernel != engine::kNone && graph.arrays[array].byValue)
      return given.at(kernel)[array];
    return residency.before(point, array).device || (isBoth && residency.after(point, array).device) ||
           (isMade && llvm::is_contained(unused[point], array));
  });
}

DeviceMemory::Range DeviceMemory::behindKernel(engine::RegionId kernel, engine::EdgeId edge) const {
  auto isRead = [&](engine::ArrayId array) { // by a copy to the host, and then dropped
    return llvm::any_of(solution.plan.copies, [&](const engine::Copy &copy) {
      return copy.edge == edge && copy.array == array && copy.direction == engine::Direction::DeviceToHost;
    });
  };
  return sum([&](engine::ArrayId array) {
    return residency.before(graph.edges[edge].to, array).device || isRead(array) ||
           (graph.arrays[array].byValue && given.at(kernel)[array]);
  });
}

std::optional<DeviceMemory::Range> DeviceMemory::bytesBefore(engine::Tag statement) const {
  auto found = solution.lowered.statements.find({statement, engine::kNone});
  if (found == solution.lowered.statements.end() || found->second.first == engine::kNone)
    return std::nullopt;
  return sum([&](engine::ArrayId array) { return residency.before(found->second.first, array).device; });
}

DeviceMemory::Peak DeviceMemory::peak() const {
  Peak peak;
  auto consider = [&](Range bytes, engine::PointId at) {
    if (bytes.most > peak.bytes.most) {
      peak.bytes.most = bytes.most;
      peak.at = at;
    }
    peak.bytes.least = std::max(peak.bytes.least, bytes.least);
  };
  auto comesBy = [](const engine::Rational &frequency) { return frequency != engine::Rational(0); };
  for (engine::PointId point = 0; point < graph.points.size(); ++point)
    if (comesBy(graph.points[point].frequency))
      consider(atPoint(point), point);
  for (engine::EdgeId id = 0; id < graph.edges.size(); ++id) {
    const engine::Edge &edge = graph.edges[id];
    engine::RegionId kernel = kernelOf(edge.from);
    if (kernel != engine::kNone && kernel != kernelOf(edge.to) && comesBy(edge.frequency))
      consider(behindKernel(kernel, id), edge.to);
  }
  return peak;
}

} // namespace ferry::array
