// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/explain.h"
#include "placement/lower.h"
#include "placement/machine.h"
#include "placement/plan.h"
#include "placement/problem.h"
#include "placement/residency.h"
#include "placement/result.h"
#include "placement/verify.h"

#include <memory>

/// \file
/// The engine's front door. For a problem as a tree:
///
///     Result<Solution> solution = solve(problem, machine);
///     if (!solution) report(solution.error().message);
///     solution->side(tag);                 // where an operation runs
///     solution->plan.copies;               // what is copied, each with its position in the tree
///     solution->validBefore(tag, array);   // on which sides an array is to be found
///
/// What is cheapest is exact: the plan costs what the maximum flow is worth, and no static plan costs less
/// (docs/engine.md).
namespace ferry::placement {

/// Rejects a malformed problem: the error names the object. solve() does this by itself.
Result<void> check(const Problem &problem);
Result<void> check(const Graph &graph);

struct Options {
  /// Only the cheapest, none of the second objectives: any of the cheapest plans that has no copy inside a kernel.
  bool cheapestOnly = false;
};

/// The cheapest plan, already verified. Errors: malformed, infeasible (the message has the chain of requirements that
/// contradict each other), overflow (names the object), and internal if the verifier refuses the solver's plan.
Result<Plan> solve(const Graph &graph, const Machine &machine, const Options &options = {});

/// A problem's graph, its plan, and questions in the tree's terms. A statement that was inlined several times is asked
/// for by its tag and the call it came from; kNone means the program's own body.
struct Solution {
  Lowered lowered;
  Plan plan;
  std::shared_ptr<const Residency> residency;

  const Graph &graph() const { return lowered.graph; }
  Sides side(Tag operation, std::uint32_t call = kNone) const;
  /// Whether a loop or branch runs inside a kernel, its own or one around it.
  bool inKernel(Tag region, std::uint32_t call = kNone) const;
  /// Whether it is the outermost one that does: the one to launch.
  bool isKernel(Tag region, std::uint32_t call = kNone) const;
  bool sharesLaunch(Tag operation, std::uint32_t call = kNone) const;
  bool uses(Tag statement, ArrayId array, Traffic traffic, std::uint32_t call = kNone) const;

  /// On the straight line right before and right after a statement: for a loop or branch, all of it.
  Validity validBefore(Tag statement, ArrayId array, std::uint32_t call = kNone) const;
  Validity validAfter(Tag statement, ArrayId array, std::uint32_t call = kNone) const;
  /// At the start of each trip of a loop (parameters by their own names).
  Validity validAtHead(Tag loop, ArrayId array, std::uint32_t call = kNone) const;
};

Result<Solution> solve(const Problem &problem, const Machine &machine, const Options &options = {});

} // namespace ferry::placement
