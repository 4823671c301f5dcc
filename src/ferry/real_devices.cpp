// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/options.h"

#include "runtime/opencl/driver.h"

#include <algorithm>

namespace ferry {

std::string realDevices() {
  std::string reason, text;
  std::vector<runtime::opencl::Choice> choices = runtime::opencl::choices(reason);
  if (choices.empty())
    return "  opencl    none: " + reason + "\n";
  for (const runtime::opencl::Choice &choice : choices) {
    std::string name = "  opencl:" + std::to_string(&choice - choices.data());
    name.resize(std::max<size_t>(name.size() + 1, 12), ' ');
    text += name + choice.deviceName + (choice.isGpu ? ", a GPU, " : ", ") + std::to_string(choice.memoryBytes >> 30) +
            " GiB (" + choice.platformName + ", " + choice.version + ")\n";
  }
  return text;
}

} // namespace ferry
