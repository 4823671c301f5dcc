// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the placement options of the command line mean.

#pragma once

#include "ferry/device_choice.h"

#include "array/place/Place.h"
#include "codegen/KernelForm.h"
#include "runtime/values.h"

#include <optional>
#include <string>
#include <vector>

namespace ferry {

/// The options as the place pass takes them, or nothing: `error` then has the option and what is wrong with it.
std::optional<array::PlacementOptions> readPlacement(const PlacementOptions &options, std::string &error);

/// The shapes and integers of arguments, which a plan is made for.
std::vector<array::ArgumentInput> placementInputs(const std::vector<runtime::Value> &arguments);

/// What the device's kernels are written for. A GPU that is not here is taken for one of compute capability 8.0.
codegen::KernelTarget kernelTarget(const ChosenDevice &device);

} // namespace ferry
