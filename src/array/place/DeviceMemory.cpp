// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "array/place/DeviceMemory.h"

#include "array/place/Program.h"

#include <algorithm>

using namespace mlir;
namespace engine = ferry::placement;

namespace ferry::array {

DeviceMemory::DeviceMemory(const Program &program, SizeEvaluator &sizes, const engine::Solution &solution)
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
  for (const engine::Point &point : graph.points) {
    const Step *step = point.kind == engine::PointKind::Operation ? program.step(point.tag) : nullptr;
    isView.push_back(step && step->op()->getNumResults() && viewedBy(step->op()->getResult(0)));
  }
  for (engine::EdgeId edge = 0; edge < graph.edges.size(); ++edge) {
    engine::RegionId kernel = kernelOf(graph.edges[edge].to);
    if (kernel != engine::kNone && kernel != kernelOf(graph.edges[edge].from))
      entries[kernel] = edge;
  }
}

engine::RegionId DeviceMemory::kernelOf(engine::PointId point) const {
  return engine::kernelOf(graph, solution.plan, point);
}

template <typename IsThere> int64_t DeviceMemory::sum(IsThere isThere) const {
  int64_t total = 0;
  std::vector<bool> counted(graph.arrays.size());
  for (engine::ArrayId array = 0; array < graph.arrays.size(); ++array)
    if (isThere(array) && !counted[blocks[array]]) {
      counted[blocks[array]] = true;
      total = saturatingSum(total, graph.arrays[blocks[array]].bytes);
    }
  return total;
}

bool DeviceMemory::isGiven(engine::RegionId kernel, engine::ArrayId array) const {
  engine::EdgeId entry = entries.at(kernel);
  auto brings = [&](const engine::Copy &copy) {
    return copy.edge == entry && copy.source == array && copy.direction == engine::Direction::HostToDevice;
  };
  return residency.after(graph.edges[entry].from, array).device || llvm::any_of(solution.plan.copies, brings);
}

int64_t DeviceMemory::atPoint(engine::PointId point) const {
  engine::RegionId kernel = kernelOf(point);
  bool isBoth = graph.points[point].kind == engine::PointKind::Operation && !isView[point];
  return sum([&](engine::ArrayId array) {
    if (kernel != engine::kNone && graph.arrays[array].byValue)
      return isGiven(kernel, array);
    return residency.before(point, array).device || (isBoth && residency.after(point, array).device);
  });
}

int64_t DeviceMemory::behindKernel(engine::RegionId kernel, engine::PointId to) const {
  return sum([&](engine::ArrayId array) {
    return residency.before(to, array).device || (graph.arrays[array].byValue && isGiven(kernel, array));
  });
}

std::optional<int64_t> DeviceMemory::bytesBefore(engine::Tag statement) const {
  auto found = solution.lowered.statements.find({statement, engine::kNone});
  if (found == solution.lowered.statements.end() || found->second.first == engine::kNone)
    return std::nullopt;
  return sum([&](engine::ArrayId array) { return residency.before(found->second.first, array).device; });
}

DeviceMemory::Peak DeviceMemory::peak() const {
  Peak peak;
  auto consider = [&](int64_t bytes, engine::PointId at) {
    if (bytes > peak.bytes)
      peak = {bytes, at};
  };
  for (engine::PointId point = 0; point < graph.points.size(); ++point)
    consider(atPoint(point), point);
  for (const engine::Edge &edge : graph.edges) {
    engine::RegionId kernel = kernelOf(edge.from);
    if (kernel != engine::kNone && kernel != kernelOf(edge.to))
      consider(behindKernel(kernel, edge.to), edge.to);
  }
  return peak;
}

} // namespace ferry::array
