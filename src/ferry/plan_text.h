// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "array/place/Observations.h"
#include "array/place/PlacementReport.h"
#include "placement/result.h"

#include <optional>
#include <string>

namespace ferry {

/// Where everything runs, what is copied and why: for people, or as JSON. An error if the engine gives no reasons.
placement::Result<std::string> explainPlan(const array::PlacementReport &plan, bool json);

/// The observations in a file that `ferry run --report` wrote, or nothing: `error` then has the file and what is wrong
/// with it.
std::optional<array::Observations> readObservations(const std::string &path, std::string &error);

} // namespace ferry
