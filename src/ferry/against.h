// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan's prices beside what a run of it took.

#pragma once

#include "ferry/trace_file.h"
#include "placement/number.h"

#include <optional>
#include <string>
#include <vector>

namespace ferry {

/// A part of a plan: how often, and what all of its executions cost in picoseconds. A kernel's price has a wait for the
/// device in it, since a trace waits for each.
struct PricedPart {
  Part part;
  placement::Rational count, price;
};

/// The parts of a plan, in its order: operations, then copies, element accesses and arguments.
std::vector<PricedPart> pricedParts(const array::PlacementReport &plan);

struct ComparedPart {
  Part part;
  double count = 0;                          ///< Measured.
  std::optional<double> predicted, measured; ///< Picoseconds of one execution.
  /// predicted / measured; of what is long enough that a clock can tell.
  std::optional<double> ratio;
};

struct Comparison {
  std::vector<ComparedPart> parts;
  std::optional<double> median; ///< Of the ratios.
};

/// Nothing if the trace is of another program or of another plan, which `error` then says.
std::optional<Comparison> compare(const array::PlacementReport &plan, const TraceFile &trace, std::string &error);

std::string againstText(const Comparison &comparison, const TraceFile &trace);
std::string againstJson(const Comparison &comparison, const TraceFile &trace);

} // namespace ferry
