// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "ferry/options.h"

#include "placement/machine.h"
#include "runtime/context.h"

#include <optional>
#include <string>

namespace ferry {

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

/// The machine whose prices plans go by: what `--machine` names, else the device's own. Nothing, with an error, if
/// there is no such.
std::optional<placement::Machine> machineOf(const PlacementOptions &options, std::string &error);

/// The limit on the device's memory, 0 for none. Nothing, with an error, if it is no number of bytes.
std::optional<int64_t> deviceMemoryOf(const PlacementOptions &options, std::string &error);

} // namespace ferry
