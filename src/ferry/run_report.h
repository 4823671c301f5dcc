// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run did, beside what its plan said.

#pragma once

#include "ferry/compiled.h"

#include "runtime/context.h"

#include <optional>
#include <string>

namespace ferry {

/// For people: the counters and the clock.
std::string explainRun(const runtime::Report &report);

/// For programs, as JSON: what so many runs counted and were to count.
std::string runReport(const std::optional<PlanAccount> &plan, const runtime::Report &report, int runs);

} // namespace ferry
