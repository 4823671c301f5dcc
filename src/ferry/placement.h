// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the placement options of the command line mean.

#pragma once

#include "ferry/compile.h"

#include "array/place/Place.h"
#include "placement/machine.h"
#include "runtime/values.h"

#include <optional>
#include <string>
#include <vector>

namespace ferry {

/// The options as the place pass takes them, or nothing: `error` then has the option and what is wrong with it.
std::optional<array::PlacementOptions> readPlacement(const PlacementOptions &options, std::string &error);

/// The shapes and integers of arguments, which a plan is made for.
std::vector<array::ArgumentInput> placementInputs(const std::vector<runtime::Value> &arguments);

/// "512M" in bytes.
std::optional<int64_t> parseBytes(const std::string &text);

/// Whether a device is simulated: where one is named, or where an option asks for placement. `error` if there is no
/// such device, or if an option asks for placement on the host. `askedBy` is what else asks for it, or null.
std::optional<bool> wantsSim(const PlacementOptions &options, const char *askedBy, std::string &error);

} // namespace ferry
