// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/profiles.h"

#include "ferry/machine.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>

namespace ferry {

DeviceIdentity identityOf(const runtime::opencl::Choice &choice) {
  return {choice.deviceName, choice.driverVersion, choice.isProcessor, choice.sharesMemory, choice.memoryBytes};
}

DeviceIdentity identityOf(const runtime::cuda::Choice &choice) {
  return {choice.name, "cuda", false, false, choice.memoryBytes};
}

std::optional<DeviceIdentity> identify(runtime::DeviceKind kind, const std::string &which, std::string &error) {
  if (kind == runtime::DeviceKind::cuda) {
    auto choice = runtime::cuda::choose(which, error);
    return choice ? std::optional(identityOf(*choice)) : std::nullopt;
  }
  auto choice = runtime::opencl::choose(which, error);
  return choice ? std::optional(identityOf(*choice)) : std::nullopt;
}

/// A part of a file's name: what is neither letter, digit, dot nor dash becomes a dash, several of them one.
static std::string fileNamePart(const std::string &text) {
  std::string part;
  for (char c : text) {
    bool isPlain = std::isalnum(static_cast<unsigned char>(c)) || c == '.';
    if (isPlain || (!part.empty() && part.back() != '-'))
      part += isPlain ? c : '-';
  }
  while (part.ends_with('-'))
    part.pop_back();
  return part;
}

std::string profilePath(const DeviceIdentity &device) {
  const char *config = std::getenv("XDG_CONFIG_HOME"), *home = std::getenv("HOME");
  std::string folder = config && *config ? config : home && *home ? std::string(home) + "/.config" : "";
  if (folder.empty())
    return "";
  return folder + "/ferry/machines/" + fileNamePart(device.name) + "_" + fileNamePart(device.driver) + ".json";
}

placement::Machine shippedProfile(const DeviceIdentity &device) {
  auto has = [&](const char *part) { return device.name.find(part) != std::string::npos; };
  const char *name = device.isProcessor    ? "cpu"
                     : device.sharesMemory ? "integrated"
                     : has("H200")         ? "h200"
                     : has("A100")         ? "a100"
                     : has("MI210")        ? "mi210"
                                           : "pcie4";
  placement::Machine machine = *placement::machineByName(name);
  machine.deviceMemory = device.memoryBytes;
  return machine;
}

bool isMeasured(const DeviceIdentity &device) {
  std::string path = profilePath(device);
  std::error_code ignored;
  return !path.empty() && std::filesystem::exists(path, ignored);
}

std::optional<placement::Machine> profileOf(const DeviceIdentity &device, std::string &error) {
  if (!isMeasured(device))
    return shippedProfile(device);
  auto machine = readMachine(profilePath(device), error);
  if (!machine)
    error += "; `ferry calibrate` writes it anew";
  return machine;
}

std::optional<placement::Machine> profileOf(runtime::DeviceKind kind, const std::string &which, std::string &error) {
  std::string absent; // whoever opens the device says it
  auto device = identify(kind, which, absent);
  return device ? profileOf(*device, error) : placement::machineByName("pcie4");
}

} // namespace ferry
