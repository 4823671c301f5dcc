// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/cuda/driver.h"

#include "runtime/driver_library.h"

#include <algorithm>
#include <dlfcn.h>

namespace ferry::runtime::cuda {

static bool load(Driver &driver, std::string &error) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    error = "NVIDIA's driver is not installed (libcuda.so.1)";
    return false;
  }
#define FERRY_CUDA_LOAD(name, symbol, arguments)                                                                       \
  driver.name = reinterpret_cast<decltype(driver.name)>(dlsym(library, #symbol));                                      \
  if (!driver.name) {                                                                                                  \
    error = "NVIDIA's driver has no function " #symbol;                                                                \
    return false;                                                                                                      \
  }
  FERRY_CUDA_FUNCTIONS(FERRY_CUDA_LOAD)
#undef FERRY_CUDA_LOAD
  Result code = driver.cuInit(0);
  if (code != success)
    error = "NVIDIA's driver cannot start: " + described(driver, code);
  return code == success;
}

const Driver *Driver::get(std::string &error) { return loadedOnce(load, error); }

std::vector<Choice> choices(std::string &error) {
  const Driver *cuda = Driver::get(error);
  if (!cuda)
    return {};
  std::vector<Choice> found;
  int count = 0;
  Result code = cuda->cuDeviceGetCount(&count);
  for (int ordinal = 0; code == success && ordinal < count; ++ordinal) {
    constexpr int longestName = 256;
    char name[longestName] = "";
    DeviceNumber device = 0;
    int major = 0, minor = 0;
    size_t memory = 0;
    code = cuda->cuDeviceGet(&device, ordinal);
    if (code == success)
      code = cuda->cuDeviceGetName(name, longestName, device);
    if (code == success)
      code = cuda->cuDeviceGetAttribute(&major, capabilityMajor, device);
    if (code == success)
      code = cuda->cuDeviceGetAttribute(&minor, capabilityMinor, device);
    if (code == success)
      code = cuda->cuDeviceTotalMem(&memory, device);
    if (code == success)
      found.push_back({device, name, 10 * major + minor, static_cast<int64_t>(memory)});
  }
  if (code != success) {
    error = "NVIDIA's driver does not tell its devices: " + described(*cuda, code);
    return {};
  }
  error = found.empty() ? "NVIDIA's driver has no device" : "";
  return found;
}

std::optional<Choice> choose(const std::string &which, std::string &error) {
  std::vector<Choice> all = choices(error);
  if (all.empty())
    return std::nullopt;
  std::optional<size_t> number = deviceNumber(which);
  auto found =
      number ? all.begin() + static_cast<ptrdiff_t>(std::min(*number, all.size()))
             : std::ranges::find_if(all, [&](const Choice &one) { return one.name.find(which) != std::string::npos; });
  if (found != all.end())
    return *found;
  error = number
              ? "there is no CUDA device " + which + "; they are numbered from 0 to " + std::to_string(all.size() - 1)
              : "no CUDA device has '" + which + "' in its name; `ferry devices` lists them";
  return std::nullopt;
}

std::string described(const Driver &driver, Result code) {
  const char *name = nullptr, *text = nullptr;
  if (driver.cuGetErrorName(code, &name) != success || driver.cuGetErrorString(code, &text) != success || !name ||
      !text)
    return "CUDA error " + std::to_string(code);
  return std::string(text) + " (" + name + ")";
}

} // namespace ferry::runtime::cuda
