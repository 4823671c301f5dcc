// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/run_report.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace ferry {

namespace {

using nlohmann::json;

json countersOf(const runtime::Report &report) {
  return json{{"clock", report.clock},           {"hostTime", report.hostTime},
              {"deviceTime", report.deviceTime}, {"busTime", report.busTime},
              {"uploads", report.uploads},       {"uploadBytes", report.uploadBytes},
              {"downloads", report.downloads},   {"downloadBytes", report.downloadBytes},
              {"peeks", report.peeks},           {"pokes", report.pokes},
              {"launches", report.launches},     {"devicePeak", report.devicePeak},
              {"hostPeak", report.hostPeak},     {"blocks", report.blocks}};
}

/// A count of the plan as a number: whole unless trips or probabilities are averages.
json number(const placement::Rational &count) {
  if (count.isInteger())
    return static_cast<int64_t>(count.numerator());
  return count.toDouble();
}

/// What so many runs are to count.
json plannedOf(const PlanAccount &plan, int runs) {
  auto number = [&](const placement::Rational &count) { return ferry::number(count * placement::Rational(runs)); };
  return json{{"exact", plan.exact},
              {"clock", number(plan.clock)},
              {"uploads", number(plan.uploads)},
              {"uploadBytes", number(plan.uploadBytes)},
              {"downloads", number(plan.downloads)},
              {"downloadBytes", number(plan.downloadBytes)},
              {"peeks", number(plan.peeks)},
              {"pokes", number(plan.pokes)},
              {"launches", number(plan.launches)},
              {"devicePeak", plan.devicePeak},
              {"leastDevicePeak", plan.leastDevicePeak}};
}

json observedOf(const PlanAccount &plan, const runtime::Report &report) {
  json observed = json::object();
  for (size_t i = 0; i < std::min(plan.observationSites.size(), report.observations.size()); ++i)
    if (const runtime::Report::Observation &found = report.observations[i]; found.count > 0)
      observed[plan.observationSites[i]] = {
          {"count", found.count}, {"sum", found.sum}, {"least", found.least}, {"most", found.most}};
  return observed;
}

json residencyOf(const runtime::Report &report) {
  json residency{{"compared", report.residencies}, {"different", report.residenciesOff}};
  if (report.residenciesOff)
    residency["first"] = report.firstResidencyOff;
  return residency;
}

std::string milliseconds(int64_t picoseconds) {
  char text[64];
  std::snprintf(text, sizeof text, "%.3f ms", static_cast<double>(picoseconds) * 1e-9);
  return text;
}

} // namespace

std::string explainRun(const runtime::Report &report) {
  auto number = [](int64_t count) { return std::to_string(count); };
  return "run: " + milliseconds(report.clock) + " on sim's clock: host " + milliseconds(report.hostTime) + ", device " +
         milliseconds(report.deviceTime) + ", bus " + milliseconds(report.busTime) + "\n     " +
         number(report.uploads) + " uploads (" + number(report.uploadBytes) + " bytes), " + number(report.downloads) +
         " downloads (" + number(report.downloadBytes) + " bytes), " + number(report.peeks) + " peeks, " +
         number(report.pokes) + " pokes, " + number(report.launches) + " launches\n     at most " +
         number(report.devicePeak) + " bytes on the device\n";
}

std::string runReport(const std::optional<PlanAccount> &plan, const runtime::Report &report, int runs) {
  json content{{"counted", countersOf(report)}};
  if (plan) {
    content["planned"] = plannedOf(*plan, runs);
    content["residency"] = residencyOf(report);
    content["observed"] = observedOf(*plan, report);
  }
  return content.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

} // namespace ferry
