// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/plan_text.h"

#include "ferry/files.h"
#include "report/plan_report.h"

#include "llvm/Support/JSON.h"

namespace ferry {

/// So many next-best plans are priced for an explanation; each is a solve.
static constexpr size_t alternatives = 200;

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
