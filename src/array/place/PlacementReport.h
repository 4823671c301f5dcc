// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan with the names and places of the program it is for, and what a run of it will count.

#pragma once

#include "placement/explain.h"
#include "placement/machine.h"
#include "placement/solve.h"

#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace ferry::array {

class Program;
class ProblemBuilder;

/// What a run counts, if sizes, trips and conditions are as they were assumed.
struct PredictedCounters {
  placement::Rational uploads, uploadBytes;
  placement::Rational downloads, downloadBytes;
  placement::Rational peeks, pokes;
  placement::Rational launches;
  int64_t peakDeviceBytes = 0; ///< At most; `leastPeakDeviceBytes` at least (DeviceMemory::Range).
  int64_t leastPeakDeviceBytes = 0;
  placement::PointId peakAt = 0;
  placement::Rational clock; ///< Picoseconds: the plan's cost.
};

/// What the source calls something, and where it is.
struct SourceName {
  std::string name;
  std::string location; ///< `file:line:col`, or empty.
};

struct PlacementReport {
  std::string function;
  placement::Machine machine;
  placement::Problem problem;
  placement::Solution solution;
  std::vector<SourceName> arrays;     ///< By placement::ArrayId.
  std::vector<SourceName> statements; ///< By placement::Tag.
  std::vector<std::string> pinnedBy;  ///< By tag: the function or pin that forces the side, or empty.
  PredictedCounters counters;
  bool exact = false;                        ///< Every size, trip count and condition is known.
  std::vector<std::string> observationSites; ///< By the numbers that array.observe has.
  unsigned unplannedTransfers = 0; ///< Transfers that the plan does not have: always 0, unless Ferry is at fault.

  /// The plan's reasons: for each copy what forces it and what the next best plan costs, for each operation why its
  /// side. Costs a solve per alternative.
  placement::Result<placement::Explanation> explain(const placement::ExplainOptions &options = {}) const {
    return placement::explain(solution.graph(), machine, solution.plan, options);
  }
};

/// The copies and counters, a line each.
void print(llvm::raw_ostream &out, const PlacementReport &report);

/// Peeks and pokes where arrays are only on the device, and host code reads and updates them element by element.
void countElementTraffic(PredictedCounters &counters, const Program &program, const placement::Solution &solution);

/// Counts a plan.
PredictedCounters predict(const Program &program, const placement::Problem &problem,
                          const placement::Solution &solution, const placement::Machine &machine);

} // namespace ferry::array
