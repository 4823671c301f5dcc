// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/device_choice.h"

#include "ferry/machine.h"
#include "ferry/profiles.h"
#include "runtime/cache.h"

#include <algorithm>
#include <utility>

namespace ferry {

/// One with a driver of its own.
static std::optional<ChosenDevice> realDevice(const std::string &named) {
  using runtime::DeviceKind;
  for (const auto &[kind, name] : {std::pair(DeviceKind::opencl, std::string("opencl")), {DeviceKind::cuda, "cuda"}})
    if (named == name || named.starts_with(name + ":"))
      return ChosenDevice{kind, named.substr(std::min(named.size(), name.size() + 1))};
  return std::nullopt;
}

std::optional<ChosenDevice> chooseDevice(const PlacementOptions &options, const char *askedBy, std::string &error) {
  const std::pair<bool, const char *> asked[] = {
      {!options.machine.empty(), "--machine"},
      {options.plan != "auto", "--plan"},
      {!options.pins.empty(), "--pin"},
      {!options.assume.empty(), "--assume"},
      {!options.observed.empty(), "--observed"},
      {!options.deviceMemory.empty(), "--device-memory"},
      {askedBy != nullptr, askedBy ? askedBy : ""},
  };
  const auto *first = std::ranges::find_if(asked, [](const auto &option) { return option.first; });
  bool isAsked = first != std::end(asked);
  using runtime::DeviceKind;
  if (options.device == "sim" || options.device.empty())
    return ChosenDevice{!options.device.empty() || isAsked ? DeviceKind::sim : DeviceKind::none, ""};
  if (auto real = realDevice(options.device))
    return real;
  if (options.device != "host")
    error = "--device: there is no device '" + options.device + "'; `ferry devices` lists them";
  else if (isAsked)
    error = std::string(first->second) + " is about placement, and with --device host there is nothing to place";
  else
    return ChosenDevice{DeviceKind::none, ""};
  return std::nullopt;
}

std::optional<placement::Machine> machineOf(const PlacementOptions &options, std::string &error) {
  if (!options.machine.empty())
    return readMachine(options.machine, error);
  auto device = realDevice(options.device); // whether there is such a one is said where it is chosen
  return device ? profileOf(device->kind, device->which, error) : placement::machineByName("sim");
}

std::optional<int64_t> deviceMemoryOf(const PlacementOptions &options, std::string &error) {
  if (options.deviceMemory.empty())
    return 0;
  auto bytes = runtime::parseBytes(options.deviceMemory);
  if (!bytes)
    error = "--device-memory: '" + options.deviceMemory + "' is no number of bytes, such as 512M";
  return bytes;
}

} // namespace ferry
