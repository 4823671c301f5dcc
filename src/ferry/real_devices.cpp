// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/options.h"

#include "ferry/profiles.h"
#include "runtime/cuda/driver.h"
#include "runtime/opencl/driver.h"

#include <algorithm>

namespace ferry {

// A line's name, and room up to what the line says.
static std::string nameColumn(const std::string &kind, size_t number) {
  std::string name = "  " + kind + ":" + std::to_string(number);
  name.resize(std::max<size_t>(name.size() + 1, 12), ' ');
  return name;
}

// Which profile plans for the device go by.
static std::string profileLine(const DeviceIdentity &device, const std::string &option) {
  std::string error, path = profilePath(device);
  auto machine = profileOf(device, error);
  std::string text = machine ? path : error;
  if (machine && !isMeasured(device))
    text = machine->name + "; `ferry calibrate --device " + option + "` measures its own";
  return "            profile: " + text + "\n";
}

static std::string openClDevices() {
  std::string reason, text;
  std::vector<runtime::opencl::Choice> choices = runtime::opencl::choices(reason);
  if (choices.empty())
    return "  opencl    none: " + reason + "\n";
  for (const runtime::opencl::Choice &choice : choices) {
    std::string name = nameColumn("opencl", static_cast<size_t>(&choice - choices.data()));
    text += name + choice.deviceName + (choice.isGpu ? ", a GPU, " : ", ") + std::to_string(choice.memoryBytes >> 30) +
            " GiB (" + choice.platformName + ", " + choice.version + ")\n";
    text += profileLine(identityOf(choice), "opencl:" + std::to_string(&choice - choices.data()));
  }
  return text;
}

static std::string cudaDevices() {
  std::string reason, text;
  std::vector<runtime::cuda::Choice> choices = runtime::cuda::choices(reason);
  if (choices.empty())
    return "  cuda      none: " + reason + "\n";
  for (const runtime::cuda::Choice &choice : choices) {
    text += nameColumn("cuda", static_cast<size_t>(choice.device)) + choice.name + ", a GPU, " +
            std::to_string(choice.memoryBytes >> 30) + " GiB (compute capability " +
            std::to_string(choice.capability / 10) + "." + std::to_string(choice.capability % 10) + ")\n";
    text += profileLine(identityOf(choice), "cuda:" + std::to_string(choice.device));
  }
  return text;
}

std::string realDevices() { return openClDevices() + cudaDevices(); }

} // namespace ferry
