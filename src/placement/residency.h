// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/plan.h"

#include <cstdint>
#include <vector>

namespace ferry::placement {

/// On which sides an array has a copy that is valid and still wanted. Neither: its value is dead.
struct Validity {
  bool host = false;
  bool device = false;
  friend bool operator==(const Validity &, const Validity &) = default;
};

/// Where every array is valid and still wanted, at every point, under a plan: computed forward (what is valid) and
/// backward (what some later read, copy, kernel or result still wants on that side). A copy that is no longer in here
/// can be freed.
class Residency {
public:
  /// The plan must be a legal one of the graph (verify.h).
  Residency(const Graph &graph, const Plan &plan);

  Validity before(PointId point, ArrayId array) const { return get(rowOf(point, false), array); }
  Validity after(PointId point, ArrayId array) const { return get(rowOf(point, true), array); }

  /// The most bytes that device copies take at once, those that only parts are fetched into included, and the first
  /// point before or after which they do.
  std::int64_t peakDeviceBytes() const { return peakBytes; }
  PointId peakPoint() const { return peakAt; }

private:
  static std::size_t rowOf(PointId point, bool behind) { return static_cast<std::size_t>(point) * 2 + behind; }
  Validity get(std::size_t row, ArrayId array) const;

  std::size_t words = 0;
  std::vector<std::uint64_t> host, device; ///< One row of bits, an array each, before and after each point.
  std::int64_t peakBytes = 0;
  PointId peakAt = 0;
};

} // namespace ferry::placement
