// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "array/place/PlacementReport.h"

#include "array/place/Program.h"

#include <algorithm>

using namespace mlir;
namespace engine = ferry::placement;

namespace ferry::array {

// How many elements of a unit a step reads or writes.
static int64_t accesses(const Program &program, const Step &step, Unit unit) {
  int64_t count = 0;
  for (Operation *op : step.ops) {
    auto element = dyn_cast<ElementOp>(op);
    auto update = dyn_cast<UpdateOp>(op);
    count +=
        (element && program.unit(element.getArray()) == unit) || (update && program.unit(update.getResult()) == unit);
  }
  return count;
}

static void countTransfers(PredictedCounters &counters, const engine::Problem &problem, const engine::Plan &plan) {
  for (const engine::Copy &copy : plan.copies) {
    engine::Rational bytes(problem.arrays[copy.array].bytes);
    bool up = copy.direction == engine::Direction::HostToDevice;
    if (bytes == engine::Rational(0) || (up && problem.arrays[copy.array].byValue)) // nothing, or an argument
      continue;
    (up ? counters.uploads : counters.downloads) += copy.frequency;
    (up ? counters.uploadBytes : counters.downloadBytes) += copy.frequency * bytes;
  }
}

static void countLaunches(PredictedCounters &counters, const engine::Graph &graph, const engine::Plan &plan,
                          const engine::Machine &machine) {
  for (engine::PointId id = 0; id < graph.points.size(); ++id) {
    const engine::Point &point = graph.points[id];
    if (point.kind == engine::PointKind::Operation && plan.sides[id] != engine::Sides::Host &&
        !plan.inKernel(point.region) && !plan.shares[id] && point.cost.launch.value_or(machine.launch) != 0)
      counters.launches += point.frequency;
  }
  for (const engine::Edge &edge : graph.edges) {
    engine::RegionId kernel = engine::kernelOf(graph, plan, edge.to);
    if (kernel != engine::kNone && kernel != engine::kernelOf(graph, plan, edge.from))
      counters.launches += edge.frequency;
  }
}

void countElementTraffic(PredictedCounters &counters, const Program &program, const engine::Solution &solution) {
  counters.peeks = counters.pokes = engine::Rational(0);
  for (engine::PointId id = 0; id < solution.graph().points.size(); ++id) {
    const engine::Point &point = solution.graph().points[id];
    const Step *step = point.kind == engine::PointKind::Operation ? program.step(point.tag) : nullptr;
    if (step && program.isElementUpdate(*step))
      counters.pokes += point.frequency;
    if (step && solution.plan.sides[id] == engine::Sides::Host)
      counters.peeks += point.frequency * engine::Rational(llvm::count_if(step->ops, llvm::IsaPred<ElementOp>));
  }
}

void print(llvm::raw_ostream &out, const PlacementReport &report) {
  out << "plan of " << report.function << (report.exact ? "" : ", for assumed sizes") << "\n";
  for (const engine::Copy &copy : report.solution.plan.copies)
    out << "  copy " << report.arrays[copy.source].name << " " << engine::toString(copy.direction) << " "
        << engine::toString(copy.position.place) << " "
        << (copy.position.tag < report.statements.size() ? report.statements[copy.position.tag].name : "") << ", "
        << copy.frequency.toString() << " times " << report.problem.arrays[copy.array].bytes << " bytes\n";
  const PredictedCounters &counters = report.counters;
  out << "  uploads " << counters.uploads.toString() << " of " << counters.uploadBytes.toString() << " bytes\n"
      << "  downloads " << counters.downloads.toString() << " of " << counters.downloadBytes.toString() << " bytes\n"
      << "  peeks " << counters.peeks.toString() << ", pokes " << counters.pokes.toString() << "\n"
      << "  launches " << counters.launches.toString() << "\n"
      << "  peak device bytes " << counters.peakDeviceBytes << "\n"
      << "  clock " << counters.clock.toString() << " ps\n"
      << "  unplanned transfers " << report.unplannedTransfers << "\n";
}

PredictedCounters predict(const Program &program, const engine::Problem &problem, const engine::Solution &solution,
                          const engine::Machine &machine) {
  PredictedCounters counters;
  countTransfers(counters, problem, solution.plan);
  countLaunches(counters, solution.graph(), solution.plan, machine);
  for (const engine::Access &access : solution.plan.accesses) {
    const engine::Point &point = solution.graph().points[access.point];
    const Step *step = program.step(point.tag);
    engine::Rational times = point.frequency * engine::Rational(step ? accesses(program, *step, access.array) : 1);
    (access.traffic == engine::Traffic::Peek ? counters.peeks : counters.pokes) += times;
  }
  counters.clock = solution.plan.cost;
  return counters;
}

} // namespace ferry::array
