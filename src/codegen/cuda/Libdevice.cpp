// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/cuda/Libdevice.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace ferry::codegen::cuda {

namespace fs = std::filesystem;

static std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

static bool isFile(const fs::path &path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// The folders in one, in the order of their names.
static std::vector<fs::path> foldersIn(const fs::path &folder) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    found.push_back(at->path());
  std::ranges::sort(found);
  return found;
}

std::string libdeviceFile() {
  if (std::string named = variable("FERRY_LIBDEVICE"); !named.empty())
    return isFile(named) ? named : "";
  const fs::path inToolkit = "nvvm/libdevice/libdevice.10.bc";
  for (const std::string &toolkit : {variable("CUDA_HOME"), variable("CUDA_PATH"), std::string("/usr/local/cuda")})
    if (fs::path file = fs::path(toolkit) / inToolkit; !toolkit.empty() && isFile(file))
      return file;
  if (fs::path debian = "/usr/lib/nvidia-cuda-toolkit/libdevice/libdevice.10.bc"; isFile(debian))
    return debian;
  if (std::string environment = variable("VIRTUAL_ENV"); !environment.empty())
    for (const fs::path &python : foldersIn(fs::path(environment) / "lib"))
      for (const fs::path &package : foldersIn(python / "site-packages" / "nvidia"))
        if (isFile(package / inToolkit))
          return package / inToolkit;
  return "";
}

} // namespace ferry::codegen::cuda
