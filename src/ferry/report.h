// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run did, beside what its plan said.

#pragma once

#include "array/place/Observations.h"
#include "array/place/PlacementReport.h"
#include "placement/result.h"
#include "runtime/context.h"

#include <optional>
#include <string>

namespace ferry {

/// Where everything runs, what is copied and why: for people, or as JSON. An error if the engine gives no reasons.
placement::Result<std::string> explainPlan(const array::PlacementReport &plan, bool json);

/// For people: the counters and the clock.
std::string explainRun(const runtime::Report &report);

/// For programs, as JSON: what so many runs counted and were to count.
std::string runReport(const std::optional<array::PlacementReport> &plan, const runtime::Report &report, int runs);

/// The observations in such a file, or nothing: `error` then has the file and what is wrong with it.
std::optional<array::Observations> readObservations(const std::string &path, std::string &error);

} // namespace ferry
