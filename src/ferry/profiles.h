// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine profile that belongs to a device: the one that `ferry calibrate` measured of it, kept in
// $XDG_CONFIG_HOME/ferry/machines (~/.config without that variable) under the device's name and driver; else a shipped
// one for what the device is.

#pragma once

#include "placement/machine.h"
#include "runtime/context.h"
#include "runtime/cuda/driver.h"
#include "runtime/opencl/driver.h"

#include <optional>
#include <string>

namespace ferry {

/// What a profile is chosen by.
struct DeviceIdentity {
  std::string name, driver;
  bool isProcessor = false;  ///< The host's own cores.
  bool sharesMemory = false; ///< With the host.
  int64_t memoryBytes = 0;
};
DeviceIdentity identityOf(const runtime::opencl::Choice &choice);
DeviceIdentity identityOf(const runtime::cuda::Choice &choice);

/// Of the device that `which` names among those of a kind, as of ContextOptions. Nothing, with a reason, if there is
/// none.
std::optional<DeviceIdentity> identify(runtime::DeviceKind kind, const std::string &which, std::string &error);

/// Where the device's measured profile is kept. Empty if there is no folder for it, since neither variable is set.
std::string profilePath(const DeviceIdentity &device);

/// Whether there is a measured profile.
bool isMeasured(const DeviceIdentity &device);

/// The shipped profile that is nearest to the device.
placement::Machine shippedProfile(const DeviceIdentity &device);

/// The measured profile, else the shipped one. Nothing, with an error, if there is a measured one that cannot be read.
std::optional<placement::Machine> profileOf(const DeviceIdentity &device, std::string &error);

/// The profile for a device as of `identify`; where there is no such, the one of a GPU on PCIe 4.
std::optional<placement::Machine> profileOf(runtime::DeviceKind kind, const std::string &which, std::string &error);

} // namespace ferry
