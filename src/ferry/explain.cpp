// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ferry explain: plan a program and print the plan with its reasons, without running it.

#include "ferry/arguments.h"
#include "ferry/placement.h"
#include "ferry/report.h"

#include "report/plan_report.h"

#include "llvm/Support/raw_ostream.h"

namespace ferry {

namespace {

/// The plan of one strategy for the program; nothing if it was not to be had, which was then printed.
std::optional<array::PlacementReport> planOf(const ExplainOptions &options, const std::string &strategy, int &status) {
  std::string error;
  PlacementOptions spelled = options.placement;
  spelled.plan = strategy;
  auto placement = readPlacement(spelled, error);
  status = exitFailure;
  if (!placement) {
    llvm::errs() << "ferry: error: " << error << '\n';
    return std::nullopt;
  }
  Compilation compilation;
  if ((status = compilation.load(options.file, options.entry)))
    return std::nullopt;
  if (options.input) {
    auto arguments = readArguments(compilation.entry(), error);
    if (!arguments) {
      llvm::errs() << error << '\n';
      status = exitFailure;
      return std::nullopt;
    }
    placement->inputs.arguments = placementInputs(*arguments);
  }
  std::optional<array::PlacementReport> plan;
  if (!(status = compilation.optimize()))
    status = compilation.place(*placement, plan);
  return status ? std::nullopt : std::move(plan);
}

} // namespace

int explain(const ExplainOptions &options) {
  int status = exitSuccess;
  auto plan = planOf(options, options.placement.plan, status);
  if (!plan)
    return status;
  if (options.diff.empty()) {
    llvm::outs() << explainPlan(*plan, options.json);
    return exitSuccess;
  }
  auto other = planOf(options, options.diff, status);
  if (!other)
    return status;
  llvm::outs() << report::planDiff(plan->solution.graph(), plan->solution.plan, other->solution.plan);
  return exitSuccess;
}

} // namespace ferry
