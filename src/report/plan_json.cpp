// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/json.h"
#include "report/plan_report.h"
#include "report/problem_file.h"
#include "report/wording.h"

namespace ferry::report {

using namespace placement;

namespace {

Json positionJson(const Graph &graph, const Copy &copy) {
  Json out = {{"place", toString(copy.position.place)}};
  std::string name = wording::statementName(graph, copy.position);
  if (!name.empty())
    out["statement"] = name;
  if (copy.position.place == Place::ArmStart || copy.position.place == Place::OnArmEnd ||
      copy.position.place == Place::EndOfBody)
    out["arm"] = copy.position.arm;
  out["from"] = graph.edges[copy.edge].from;
  out["to"] = graph.edges[copy.edge].to;
  out["text"] = wording::place(graph, copy);
  return out;
}

Json copyJson(const Graph &graph, const Copy &copy, const CopyReason &reason) {
  Json out = {{"array", graph.arrays[copy.array].name}};
  if (copy.source != copy.array)
    out["source"] = graph.arrays[copy.source].name;
  out["direction"] = toString(copy.direction);
  out["edge"] = positionJson(graph, copy);
  if (copy.box)
    for (const Range &range : *copy.box)
      out["box"].push_back({range.begin, range.end});
  out["frequency"] = toJson(copy.frequency);
  out["price"] = copy.price;
  out["total"] = toJson(copy.frequency * Rational(copy.price));
  out["reason"] = wording::reason(graph, copy, reason);
  if (reason.without)
    out["without"] = toJson(*reason.without);
  return out;
}

Json operationJson(const Graph &graph, const Plan &plan, const OperationReason &reason) {
  const Point &point = graph.points[reason.point];
  Json out = {{"op", point.name},
              {"point", reason.point},
              {"side", toString(reason.side)},
              {"frequency", toJson(point.frequency)},
              {"price", toJson(reason.price)}};
  if (reason.kernel != kNone)
    out["kernel"] = graph.regions[reason.kernel].name;
  if (plan.shares[reason.point])
    out["shares_launch"] = true;
  if (reason.pinned)
    out["pinned"] = true;
  if (reason.otherwise)
    out["otherwise"] = toJson(*reason.otherwise);
  return out;
}

} // namespace

std::string planJson(const Graph &graph, const Plan &plan, const Explanation &explanation, const Peak &peak) {
  Json out = {{"cost", toJson(plan.cost)}, {"bound", toJson(plan.bound)}};
  out["sides"] = Json::object();
  for (const OperationReason &reason : explanation.operations)
    out["sides"][graph.points[reason.point].name] = toString(reason.side);
  for (const char *list : {"operations", "regions", "copies", "accesses", "residency"})
    out[list] = Json::array();
  for (const OperationReason &reason : explanation.operations)
    out["operations"].push_back(operationJson(graph, plan, reason));
  for (RegionId id = 0; id < graph.regions.size(); ++id)
    out["regions"].push_back({{"region", graph.regions[id].name}, {"in_kernel", static_cast<bool>(plan.kernels[id])}});
  for (std::size_t i = 0; i < plan.copies.size(); ++i)
    out["copies"].push_back(copyJson(graph, plan.copies[i], explanation.copies[i]));
  for (const Access &access : plan.accesses)
    out["accesses"].push_back({{"traffic", toString(access.traffic)},
                               {"array", graph.arrays[access.array].name},
                               {"statement", graph.points[access.point].name},
                               {"point", access.point},
                               {"frequency", toJson(graph.points[access.point].frequency)}});
  for (const Stay &stay : explanation.stays)
    out["residency"].push_back({{"array", graph.arrays[stay.array].name},
                                {"on", stay.host && stay.device ? "both"
                                       : stay.host              ? "host"
                                                                : "device"},
                                {"from", wording::point(graph, stay.first)},
                                {"to", wording::point(graph, stay.last)},
                                {"points", {stay.first, stay.last}}});
  out["peak_device_bytes"] = peak.bytes;
  out["peak_at"] = wording::point(graph, peak.at);
  return out.dump(2) + "\n";
}

/// A message may quote a name from the file, and that may hold anything.
static std::string onOneLine(const std::string &text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (char c : text)
    if (unsigned char byte = static_cast<unsigned char>(c); byte < 0x20 || byte == 0x7f)
      out += std::string("\\x") + kDigits[byte / 16] + kDigits[byte % 16];
    else
      out += c;
  return out;
}

Result<std::string> solveFile(std::string_view json) {
  auto refusal = [](const Error &error) { return Error{error.kind, onOneLine(error.message)}; };
  Result<ProblemFile> file = readProblem(json);
  if (!file)
    return refusal(file.error());
  Result<Lowered> lowered = lower(file->problem);
  if (!lowered)
    return refusal(lowered.error());
  Result<Plan> plan = solve(lowered->graph, file->machine);
  if (!plan)
    return refusal(plan.error());
  ExplainOptions options;
  options.alternatives = lowered->graph.points.size() > 2000 ? 0 : 200; // each is a solve of its own
  Result<Explanation> explanation = explain(lowered->graph, file->machine, *plan, options);
  if (!explanation)
    return refusal(explanation.error());
  return planJson(lowered->graph, *plan, *explanation, peakOf(lowered->graph, *plan));
}

} // namespace ferry::report
