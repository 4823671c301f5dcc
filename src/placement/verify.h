// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/graph.h"
#include "placement/machine.h"
#include "placement/plan.h"
#include "placement/result.h"

namespace ferry::placement {

/// Judges any plan for a well-formed graph: every read, copy, kernel and result must find its value, and `plan.cost`
/// must be the plan's price, which it computes from scratch. Forward must-dataflow over the plan as written; shares no
/// rule with the solver. The plan need not be a cheapest one; `plan.bound` is not looked at. Returns the price. Error
/// kind: Illegal.
Result<Rational> verify(const Graph &graph, const Machine &machine, const Plan &plan);

/// As verify, but does not compare with `plan.cost`.
Result<Rational> price(const Graph &graph, const Machine &machine, const Plan &plan);

} // namespace ferry::placement
