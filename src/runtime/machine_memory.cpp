// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/machine_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <unistd.h>

namespace ferry::runtime {

int64_t machineMemory() { return static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE); }

// The number after `key` in a file of lines `key number`; of a file that is one number, for an empty key.
static std::optional<int64_t> numberIn(const std::string &path, const std::string &key) {
  std::ifstream file(path);
  std::string word;
  int64_t number;
  while (key.empty() || file >> word) {
    if (key.empty() || word == key)
      return file >> number ? std::optional(number) : std::nullopt;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::nullopt;
}

// What is left of a control group; its file cache can be given up.
static std::optional<int64_t> leftOf(const std::string &group) {
  auto limit = numberIn(group + "/memory.max", ""), used = numberIn(group + "/memory.current", "");
  if (!limit || !used)
    return std::nullopt;
  return *limit - *used + numberIn(group + "/memory.stat", "inactive_file").value_or(0);
}

int64_t availableMemory() {
  int64_t available = machineMemory();
  if (auto kilobytes = numberIn("/proc/meminfo", "MemAvailable:"))
    available = std::min(available, *kilobytes * 1024);
  std::ifstream groups("/proc/self/cgroup"); // `0::/path` in version 2, where each group is limited by all above it
  std::string line;
  while (std::getline(groups, line)) {
    if (!line.starts_with("0::"))
      continue;
    for (std::string path = line.substr(3); !path.empty(); path.erase(std::min(path.rfind('/'), path.size())))
      if (auto left = leftOf("/sys/fs/cgroup" + path))
        available = std::min(available, *left);
  }
  if (auto left = leftOf("/sys/fs/cgroup"))
    available = std::min(available, *left);
  return std::max<int64_t>(available, 0);
}

} // namespace ferry::runtime
