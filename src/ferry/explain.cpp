// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ferry explain: plan a program and print the plan with its reasons, without running it.

#include "ferry/against.h"
#include "ferry/compile.h"
#include "ferry/compiler_commands.h"
#include "ferry/errors.h"
#include "ferry/files.h"
#include "ferry/placement.h"
#include "ferry/plan_text.h"

#include "report/plan_report.h"

#include "llvm/Support/raw_ostream.h"

namespace ferry {

namespace {

using Inputs = std::vector<array::ArgumentInput>;

/// The plan of one strategy for the program; nothing if it was not to be had, which was then printed. Standard input
/// can be read once: the first plan that wants it leaves what it read in `inputs`.
std::optional<array::PlacementReport> planOf(const ExplainOptions &options, const std::string &strategy,
                                             std::optional<Inputs> &inputs, int &status) {
  std::string error;
  PlacementOptions spelled = options.placement;
  spelled.plan = strategy;
  auto placement = readPlacement(spelled, error);
  if (!placement) {
    status = fail(error, exitUsage);
    return std::nullopt;
  }
  Compilation compilation;
  status = compilation.load(options.file, options.entry);
  if (status)
    return std::nullopt;
  if (options.input && !inputs) {
    auto arguments = runtime::readArguments(compilation.entry(), error);
    if (!arguments) {
      llvm::errs() << error << '\n';
      status = exitFailure;
      return std::nullopt;
    }
    inputs = placementInputs(*arguments);
  }
  if (inputs)
    placement->inputs.arguments = *inputs;
  std::optional<array::PlacementReport> plan;
  status = compilation.optimize(true);
  if (!status)
    status = compilation.place(*placement, plan);
  return status ? std::nullopt : std::move(plan);
}

int explainAgainst(const ExplainOptions &options, const array::PlacementReport &plan, const TraceFile &trace) {
  std::string error;
  if (auto comparison = compare(plan, trace, error))
    return writeOutput(options.json ? againstJson(*comparison, trace) : againstText(*comparison, trace));
  return fail(options.against + ": " + error);
}

} // namespace

int compiler_commands::explain(const ExplainOptions &options) {
  int status = exitSuccess;
  if (options.json && !options.diff.empty())
    return fail("--diff prints text only; `ferry explain --json` of each plan has its parts", exitUsage);
  std::string error;
  if (!chooseDevice(options.placement, "explain", error))
    return fail(error, exitUsage);
  std::optional<TraceFile> trace;
  if (!options.against.empty()) {
    error = "--against is about one plan, and --diff about two";
    trace = options.diff.empty() ? readTrace(options.against, error) : std::nullopt;
    if (!trace)
      return fail(error, exitUsage);
  }
  std::optional<Inputs> inputs;
  auto plan = planOf(options, options.placement.plan, inputs, status);
  if (!plan)
    return status;
  if (trace)
    return explainAgainst(options, *plan, *trace);
  if (options.diff.empty()) {
    auto text = explainPlan(*plan, options.json);
    return text ? writeOutput(*text) : fail(text.error().message);
  }
  auto other = planOf(options, options.diff, inputs, status);
  if (!other)
    return status;
  std::string diff = report::planDiff(plan->solution.graph(), plan->solution.plan, other->solution.plan);
  return writeOutput(diff.empty() ? "the plans are equal\n" : diff);
}

} // namespace ferry
