// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/plan_report.h"
#include "report/wording.h"

#include <algorithm>
#include <sstream>

namespace ferry::report {

using namespace placement;

namespace {

std::string copyText(const Graph &graph, const Copy &copy) {
  std::string text = std::string(copy.direction == Direction::HostToDevice ? "to the device: " : "to the host: ") +
                     graph.arrays[copy.array].name;
  if (copy.source != copy.array)
    text += " (from " + graph.arrays[copy.source].name + ")";
  if (copy.box)
    text += toString(*copy.box);
  return text + ", " + wording::place(graph, copy);
}

std::string accessText(const Graph &graph, const Access &access) {
  static constexpr const char *kWhat[] = {" reads across the bus from ", " also updates the device copy of ",
                                          " also updates the host copy of ", " fetches what it reads of "};
  return wording::point(graph, access.point) + kWhat[static_cast<std::size_t>(access.traffic)] +
         graph.arrays[access.array].name;
}

/// "f: device", with what tells it apart from others of its name.
std::string sideText(const Graph &graph, const Plan &plan, PointId id) {
  std::string text = toString(plan.sides[id]);
  if (plan.inKernel(graph.points[id].region))
    text += ", inside a kernel";
  else if (plan.shares[id])
    text += ", sharing a launch";
  return text;
}

/// Each copy's target put to its source.
std::vector<OperationReason> joined(std::vector<OperationReason> operations, const CopyTargets &targets) {
  std::map<PointId, OperationReason> ofTargets;
  for (const auto &[source, target] : targets)
    ofTargets[target] = {};
  std::erase_if(operations, [&](const OperationReason &reason) {
    auto found = ofTargets.find(reason.point);
    if (found != ofTargets.end())
      found->second = reason;
    return found != ofTargets.end();
  });
  for (OperationReason &reason : operations)
    if (auto found = targets.find(reason.point); found != targets.end()) {
      const OperationReason &target = ofTargets[found->second];
      reason.price += target.price;
      if (!reason.otherwise || (target.otherwise && *target.otherwise < *reason.otherwise))
        reason.otherwise = target.otherwise;
    }
  return operations;
}

/// "f: device, 3 x 5 ps", and what it would cost otherwise.
std::string operationText(const Graph &graph, const Plan &plan, const OperationReason &reason,
                          const CopyTargets &targets) {
  std::string text = graph.points[reason.point].name + ": " + sideText(graph, plan, reason.point);
  if (auto found = targets.find(reason.point);
      found != targets.end() && plan.sides[found->second] != plan.sides[reason.point])
    text += std::string(" to ") + toString(plan.sides[found->second]);
  text += ", " + graph.points[reason.point].frequency.toString() + " x " + reason.price.toString() + " ps";
  if (reason.pinned)
    text += " (pinned)";
  else if (reason.otherwise)
    text += " (otherwise " + reason.otherwise->toString() + " ps)";
  return text;
}

} // namespace

Peak peakOf(const Graph &graph, const Plan &plan) {
  Residency residency(graph, plan);
  return {residency.peakDeviceBytes(), residency.peakPoint()};
}

std::string planText(const Graph &graph, const Plan &plan, const Explanation &explanation, const Peak &peak,
                     const CopyTargets &targets) {
  std::ostringstream out;
  bool isPinned = std::any_of(explanation.operations.begin(), explanation.operations.end(),
                              [](const OperationReason &reason) { return reason.pinned; });
  out << "cost " << plan.cost.toString() << " ps; no plan " << (isPinned ? "with these pins " : "")
      << "costs less than " << plan.bound.toString() << " ps\n";
  for (const OperationReason &reason : joined(explanation.operations, targets))
    out << "  " << operationText(graph, plan, reason, targets) << "\n";
  for (RegionId id = 0; id < graph.regions.size(); ++id)
    if (plan.kernels[id] && !plan.inKernel(graph.regions[id].parent))
      out << "  " << graph.regions[id].name << ": one kernel\n";
  out << "copies:" << (plan.copies.empty() ? " none" : "") << "\n";
  for (std::size_t i = 0; i < plan.copies.size(); ++i) {
    const Copy &copy = plan.copies[i];
    out << "  " << copyText(graph, copy) << ", " << copy.frequency.toString() << " x " << copy.price << " ps\n    "
        << wording::reason(graph, copy, explanation.copies[i]);
    if (const std::optional<Rational> &without = explanation.copies[i].without)
      out << (*without == plan.cost ? "; elsewhere it costs as much" : "; without it " + without->toString() + " ps");
    out << "\n";
  }
  for (const Access &access : plan.accesses)
    out << "  " << accessText(graph, access) << "\n";
  out << "device memory: at most " << peak.bytes << " bytes, at " << wording::point(graph, peak.at) << "\n";
  return out.str();
}

std::string planDiff(const Graph &graph, const Plan &before, const Plan &after) {
  std::ostringstream out;
  for (PointId id = 0; id < graph.points.size(); ++id)
    if (graph.points[id].kind == PointKind::Operation)
      if (std::string old = sideText(graph, before, id), now = sideText(graph, after, id); old != now)
        out << graph.points[id].name << ": " << old << " -> " << now << "\n";
  for (RegionId id = 0; id < graph.regions.size(); ++id)
    if (before.kernels[id] != after.kernels[id])
      out << graph.regions[id].name << ": " << (after.kernels[id] ? "now" : "no longer") << " inside a kernel\n";
  auto list = [&](const Plan &from, const Plan &other, char sign) {
    for (const Copy &copy : from.copies)
      if (std::find(other.copies.begin(), other.copies.end(), copy) == other.copies.end())
        out << sign << " " << copyText(graph, copy) << "\n";
    for (const Access &access : from.accesses)
      if (std::find(other.accesses.begin(), other.accesses.end(), access) == other.accesses.end())
        out << sign << " " << accessText(graph, access) << "\n";
  };
  list(before, after, '-');
  list(after, before, '+');
  if (before.cost != after.cost)
    out << "cost: " << before.cost.toString() << " -> " << after.cost.toString() << " ps\n";
  return out.str();
}

} // namespace ferry::report
