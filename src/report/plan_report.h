// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/solve.h"

#include <cstdint>
#include <map>
#include <string>

namespace ferry::report {

/// The most bytes on the device at once, and where: what the plan's residency says, for callers that know no better.
struct Peak {
  std::int64_t bytes = 0;
  placement::PointId at = 0;
};
Peak peakOf(const placement::Graph &graph, const placement::Plan &plan);

/// A plan with its reasons, as one JSON object: `cost`, `bound`, `operations` (name, side, kernel, whether it shares a
/// launch, and what the other side would cost), `regions`, `copies` (array, direction, position, frequency, price,
/// reason), `accesses`, `residency`, `peak_device_bytes`. Exact fractions are strings ("1/3"), whole numbers are
/// numbers.
std::string planJson(const placement::Graph &graph, const placement::Plan &plan,
                     const placement::Explanation &explanation, const Peak &peak);

/// Of a copy whose two ends are operations, each on a side of its own: by the source's operation, the target's.
using CopyTargets = std::map<placement::PointId, placement::PointId>;

/// The same for people. A copy with two ends is one line, by the source's name: "host to device", both prices, and the
/// cheapest plan in which an end is on its other side.
std::string planText(const placement::Graph &graph, const placement::Plan &plan,
                     const placement::Explanation &explanation, const Peak &peak, const CopyTargets &targets = {});

/// What differs from one plan of a graph to another, a line each ("f: host -> device", "+ copy of ..."), and the costs.
/// Empty if nothing does.
std::string planDiff(const placement::Graph &graph, const placement::Plan &before, const placement::Plan &after);

/// "before the first trip of loop 'i'".
std::string describePosition(const placement::Graph &graph, const placement::Position &position);

} // namespace ferry::report
