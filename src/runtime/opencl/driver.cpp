// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/driver.h"

#include "runtime/driver_library.h"

#include <algorithm>
#include <dlfcn.h>

namespace ferry::runtime::opencl {

static bool load(Driver &driver, std::string &error) {
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    error = "OpenCL's loader is not installed (libOpenCL.so.1: Debian's ocl-icd-libopencl1)";
    return false;
  }
#define FERRY_OPENCL_LOAD(name)                                                                                        \
  driver.name = reinterpret_cast<decltype(&::name)>(dlsym(library, #name));                                            \
  if (!driver.name) {                                                                                                  \
    error = "OpenCL's loader has no function " #name;                                                                  \
    return false;                                                                                                      \
  }
  FERRY_OPENCL_FUNCTIONS(FERRY_OPENCL_LOAD)
#undef FERRY_OPENCL_LOAD
  return true;
}

const Driver *Driver::get(std::string &error) { return loadedOnce(load, error); }

template <typename Get> static std::string text(Get get) {
  size_t bytes = 0;
  if (get(size_t(0), nullptr, &bytes) != CL_SUCCESS || bytes == 0)
    return "";
  std::string value(bytes, '\0');
  if (get(bytes, value.data(), nullptr) != CL_SUCCESS)
    return "";
  value.resize(value.find('\0') == std::string::npos ? bytes : value.find('\0'));
  return value;
}

std::vector<Choice> choices(std::string &error) {
  const Driver *cl = Driver::get(error);
  cl_uint platforms = 0;
  if (!cl)
    return {};
  if (cl->clGetPlatformIDs(0, nullptr, &platforms) != CL_SUCCESS || platforms == 0) {
    error = "no OpenCL platform is installed";
    return {};
  }
  std::vector<cl_platform_id> ids(platforms);
  cl->clGetPlatformIDs(platforms, ids.data(), nullptr);
  std::vector<Choice> found;
  for (cl_platform_id platform : ids) {
    cl_uint count = 0;
    if (cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS)
      continue; // a platform without a device
    std::vector<cl_device_id> devices(count);
    cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr);
    for (cl_device_id device : devices) {
      auto ofDevice = [&](cl_device_info what) {
        return text([&](auto... a) { return cl->clGetDeviceInfo(device, what, a...); });
      };
      cl_device_type type = 0;
      cl_ulong memory = 0;
      cl_bool isUnified = CL_FALSE;
      cl->clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr);
      cl->clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, nullptr);
      cl->clGetDeviceInfo(device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof isUnified, &isUnified, nullptr);
      std::string name = text([&](auto... a) { return cl->clGetPlatformInfo(platform, CL_PLATFORM_NAME, a...); });
      found.push_back({platform, device, std::move(name), ofDevice(CL_DEVICE_NAME), ofDevice(CL_DEVICE_VERSION),
                       ofDevice(CL_DRIVER_VERSION), (type & CL_DEVICE_TYPE_GPU) != 0, (type & CL_DEVICE_TYPE_CPU) != 0,
                       isUnified == CL_TRUE, static_cast<int64_t>(memory), ofDevice(CL_DEVICE_EXTENSIONS)});
    }
  }
  error = found.empty() ? "no platform of OpenCL has a device" : "";
  return found;
}

std::optional<Choice> choose(const std::string &which, std::string &error) {
  std::vector<Choice> all = choices(error);
  if (all.empty())
    return std::nullopt;
  auto has = [](const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; };
  if (std::optional<size_t> number = deviceNumber(which)) {
    if (*number < all.size())
      return all[*number];
    error = "there is no OpenCL device " + which + "; they are numbered from 0 to " + std::to_string(all.size() - 1);
    return std::nullopt;
  }
  auto found = std::ranges::find_if(all, [&](const Choice &one) {
    return which.empty() ? one.isGpu : has(one.deviceName, which) || has(one.platformName, which);
  });
  if (found != all.end())
    return *found;
  if (which.empty())
    return all.front();
  error = "no OpenCL device or platform has '" + which + "' in its name; `ferry devices` lists them";
  return std::nullopt;
}

std::string described(cl_int code) {
  switch (code) {
#define FERRY_OPENCL_CODE(name, text)                                                                                  \
  case name:                                                                                                           \
    return text " (" #name ")";
    FERRY_OPENCL_CODE(CL_DEVICE_NOT_AVAILABLE, "the device is not available")
    FERRY_OPENCL_CODE(CL_MEM_OBJECT_ALLOCATION_FAILURE, "out of memory")
    FERRY_OPENCL_CODE(CL_OUT_OF_RESOURCES, "out of resources")
    FERRY_OPENCL_CODE(CL_OUT_OF_HOST_MEMORY, "the driver is out of host memory")
    FERRY_OPENCL_CODE(CL_INVALID_BUFFER_SIZE, "a block larger than the device can hold in one piece")
    FERRY_OPENCL_CODE(CL_INVALID_COMMAND_QUEUE, "the device is lost")
    FERRY_OPENCL_CODE(CL_BUILD_PROGRAM_FAILURE, "the kernels do not compile")
    FERRY_OPENCL_CODE(CL_INVALID_WORK_GROUP_SIZE, "a group of more items than the device takes")
    FERRY_OPENCL_CODE(CL_INVALID_KERNEL_ARGS, "a kernel lacks an argument")
#undef FERRY_OPENCL_CODE
  default:
    return "OpenCL error " + std::to_string(code);
  }
}

} // namespace ferry::runtime::opencl
