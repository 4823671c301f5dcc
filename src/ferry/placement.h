// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the placement options of the command line mean.

#pragma once

#include "ferry/compile.h"

#include "array/place/Place.h"
#include "codegen/KernelForm.h"
#include "placement/machine.h"
#include "runtime/context.h"
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

/// Where a program runs beside the host.
struct ChosenDevice {
  runtime::DeviceKind kind;
  std::string which; ///< of several of a kind, as of ContextOptions

  /// Whether there is something to place.
  bool hasMemory() const { return kind != runtime::DeviceKind::none; }
  /// Whether its pace is its own, not the clock's that the run-time keeps.
  bool takesTime() const { return hasMemory() && kind != runtime::DeviceKind::sim; }
};

/// The device that is named; a simulated one where only an option asks for placement, else none. `error` if there is no
/// such kind, or if an option asks for placement on the host. `askedBy` is what else asks for it, or null.
std::optional<ChosenDevice> chooseDevice(const PlacementOptions &options, const char *askedBy, std::string &error);

/// What the device's kernels are written for. A GPU that is not here is taken for one of compute capability 8.0.
codegen::KernelTarget kernelTarget(const ChosenDevice &device);

} // namespace ferry
