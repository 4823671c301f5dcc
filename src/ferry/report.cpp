// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/report.h"

#include "ferry/files.h"
#include "report/plan_report.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace ferry {

namespace {

/// So many next-best plans are priced for an explanation; each is a solve.
constexpr size_t alternatives = 200;

llvm::json::Object countersOf(const runtime::Report &report) {
  return llvm::json::Object{{"clock", report.clock},           {"hostTime", report.hostTime},
                            {"deviceTime", report.deviceTime}, {"busTime", report.busTime},
                            {"uploads", report.uploads},       {"uploadBytes", report.uploadBytes},
                            {"downloads", report.downloads},   {"downloadBytes", report.downloadBytes},
                            {"peeks", report.peeks},           {"pokes", report.pokes},
                            {"launches", report.launches},     {"devicePeak", report.devicePeak},
                            {"hostPeak", report.hostPeak},     {"blocks", report.blocks}};
}

/// A count of the plan as a number: whole unless trips or probabilities are averages.
llvm::json::Value number(const placement::Rational &count) {
  if (count.isInteger())
    return static_cast<int64_t>(count.numerator());
  return count.toDouble();
}

/// What so many runs are to count.
llvm::json::Object plannedOf(const array::PlacementReport &plan, int runs) {
  auto number = [&](const placement::Rational &count) { return ferry::number(count * placement::Rational(runs)); };
  const array::PredictedCounters &counters = plan.counters;
  llvm::json::Object planned{{"exact", plan.exact},
                             {"clock", number(counters.clock)},
                             {"uploads", number(counters.uploads)},
                             {"uploadBytes", number(counters.uploadBytes)},
                             {"downloads", number(counters.downloads)},
                             {"downloadBytes", number(counters.downloadBytes)},
                             {"peeks", number(counters.peeks)},
                             {"pokes", number(counters.pokes)},
                             {"launches", number(counters.launches)},
                             {"devicePeak", counters.peakDeviceBytes},
                             {"leastDevicePeak", counters.leastPeakDeviceBytes}};
  return planned;
}

llvm::json::Object observedOf(const array::PlacementReport &plan, const runtime::Report &report) {
  llvm::json::Object observed;
  for (auto [site, found] : llvm::zip(plan.observationSites, report.observations))
    if (found.count > 0)
      observed[site] =
          llvm::json::Object{{"count", found.count}, {"sum", found.sum}, {"least", found.least}, {"most", found.most}};
  return observed;
}

llvm::json::Object residencyOf(const runtime::Report &report) {
  llvm::json::Object residency{{"compared", report.residencies}, {"different", report.residenciesOff}};
  if (report.residenciesOff)
    residency["first"] = report.firstResidencyOff;
  return residency;
}

std::string milliseconds(int64_t picoseconds) {
  return llvm::formatv("{0:f3} ms", static_cast<double>(picoseconds) * 1e-9);
}

} // namespace

placement::Result<std::string> explainPlan(const array::PlacementReport &plan, bool json) {
  placement::ExplainOptions options;
  options.alternatives = alternatives;
  auto explanation = plan.explain(options);
  if (!explanation)
    return explanation.error();
  report::Peak peak{plan.counters.peakDeviceBytes, plan.counters.peakAt};
  if (json)
    return report::planJson(plan.solution.graph(), plan.solution.plan, *explanation, peak);
  std::string text = report::planText(plan.solution.graph(), plan.solution.plan, *explanation, peak);
  if (!plan.exact)
    text +=
        "some trip counts, branches or lengths are assumed: `ferry run --report FILE` finds out what they are, and\n"
        "`--observed FILE` plans with that\n";
  return text;
}

std::string explainRun(const runtime::Report &report) {
  return llvm::formatv("run: {0} on sim's clock: host {1}, device {2}, bus {3}\n"
                       "     {4} uploads ({5} bytes), {6} downloads ({7} bytes), {8} peeks, {9} pokes, {10} launches\n"
                       "     at most {11} bytes on the device\n",
                       milliseconds(report.clock), milliseconds(report.hostTime), milliseconds(report.deviceTime),
                       milliseconds(report.busTime), report.uploads, report.uploadBytes, report.downloads,
                       report.downloadBytes, report.peeks, report.pokes, report.launches, report.devicePeak)
      .str();
}

std::string runReport(const std::optional<array::PlacementReport> &plan, const runtime::Report &report, int runs) {
  llvm::json::Object content{{"counted", countersOf(report)}};
  if (plan) {
    content["planned"] = plannedOf(*plan, runs);
    content["residency"] = residencyOf(report);
    content["observed"] = observedOf(*plan, report);
  }
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(content)));
}

std::optional<array::Observations> readObservations(const std::string &path, std::string &error) {
  auto text = readFile(path, error);
  if (!text)
    return std::nullopt;
  error = path + ": --observed takes a report that `ferry run --report` wrote for a placed program";
  auto content = llvm::json::parse(*text);
  if (!content) {
    llvm::consumeError(content.takeError());
    return std::nullopt;
  }
  const llvm::json::Object *report = content->getAsObject();
  const llvm::json::Object *observed = report ? report->getObject("observed") : nullptr;
  if (!observed)
    return std::nullopt;
  array::Observations result;
  for (const auto &[site, value] : *observed) {
    const llvm::json::Object *found = value.getAsObject();
    auto number = [&](llvm::StringRef name) { return found ? found->getInteger(name) : std::nullopt; };
    auto count = number("count"), sum = number("sum"), least = number("least"), most = number("most");
    if (!count || *count <= 0 || !sum || !least || !most)
      return std::nullopt;
    result[site.str()] = {*count, *sum, *least, *most};
  }
  error.clear();
  return result;
}

} // namespace ferry
