// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/graph.h"
#include "placement/machine.h"
#include "placement/plan.h"
#include "placement/result.h"

#include <optional>
#include <vector>

namespace ferry::placement {

/// Why a copy is in the plan.
struct CopyReason {
  std::size_t copy = 0; ///< Index in Plan::copies.
  /// Where the value that is copied was last written, nearest first; the entry point for arguments.
  std::vector<PointId> definitions;
  /// What wants it on the other side: operations, controls, region kernels' first points, exits for results.
  std::vector<PointId> uses;
  /// Price of the cheapest plan without this copy; absent if there is none, or if it was not asked for.
  std::optional<Rational> without;
};

/// Why an operation is on its side.
struct OperationReason {
  PointId point = kNone;
  Sides side = Sides::Host;
  bool pinned = false;
  /// Price of the cheapest plan with the operation on the other side (for `both`: on the host only); absent if there is
  /// none, or if it was not asked for.
  std::optional<Rational> otherwise;
  RegionId kernel = kNone; ///< The region whose kernel it is in.
  Rational price = 0;      ///< Of running it once as the plan says, the launch included, copies and accesses not.
};

/// A run of points, in point order, behind which an array's copies are on the same sides.
struct Stay {
  ArrayId array = kNone;
  PointId first = kNone, last = kNone;
  bool host = false, device = false;
};

struct Explanation {
  std::vector<CopyReason> copies;
  std::vector<OperationReason> operations;
  std::vector<Stay> stays; ///< By array, then point.
};

struct ExplainOptions {
  /// At most this many alternatives are priced, copies first, then operations in program order; each is another solve.
  std::size_t alternatives = 1000;
};

/// Reasons for a plan that solve() gave for this graph and machine.
Result<Explanation> explain(const Graph &graph, const Machine &machine, const Plan &plan,
                            const ExplainOptions &options = {});

/// For each of these operations the price of the cheapest plan in which it is on the other side (for `both`: on the
/// host only); absent if there is none.
Result<std::vector<std::optional<Rational>>> pricesOtherwise(const Graph &graph, const Machine &machine,
                                                             const Plan &plan, const std::vector<PointId> &operations);

} // namespace ferry::placement
