// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels take each address as a buffer and an offset in it, then the numbers that every kernel takes: where failures
// are left, the launch's number, and how many items there are. A failure is found when something is read back, since
// the status comes with it; kernels behind the one that failed return at once.

#include "runtime/opencl/device.h"

#include <algorithm>

namespace ferry::runtime {

using namespace opencl;

static constexpr std::string_view wideAtomics = "cl_khr_int64_base_atomics";

// Most items of a group, whether they work together or not.
static constexpr int64_t mostItems = 256;

static DeviceResult failed(cl_int code, const char *what) {
  if (code == CL_SUCCESS)
    return std::nullopt;
  return DeviceError{std::string(what) + ": " + described(code)};
}

std::unique_ptr<OpenClDevice> OpenClDevice::make(const std::string &which, int64_t memoryBytes, int64_t groupItems,
                                                 std::string &error) {
  std::optional<Choice> choice = choose(which, error);
  if (!choice)
    return nullptr;
  std::unique_ptr<OpenClDevice> made(new OpenClDevice(*opencl::Driver::get(error)));
  if (DeviceResult result = made->open(*choice, memoryBytes, groupItems)) {
    error = choice->deviceName + ": " + result->message;
    return nullptr;
  }
  return made->openMemory(error) ? std::move(made) : nullptr;
}

DeviceResult OpenClDevice::open(const Choice &choice, int64_t memoryBytes, int64_t wantedGroup) {
  device = choice.device;
  ownName = choice.deviceName;
  cl_int code = CL_SUCCESS;
  cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(choice.platform),
                                        0};
  context = cl.clCreateContext(properties, 1, &device, nullptr, nullptr, &code);
  if (DeviceResult result = failed(code, "clCreateContext"))
    return result;
  queue = cl.clCreateCommandQueue(context, device, 0, &code);
  if (DeviceResult result = failed(code, "clCreateCommandQueue"))
    return result;
  status = cl.clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(KernelStatus), nullptr, &code);
  if (DeviceResult result = failed(code, "clCreateBuffer"))
    return result;
  KernelStatus none{};
  code = cl.clEnqueueWriteBuffer(queue, status, CL_TRUE, 0, sizeof none, &none, 0, nullptr, nullptr);
  if (DeviceResult result = failed(code, "clEnqueueWriteBuffer"))
    return result;
  cl_ulong block = 0, local = 0;
  cl_uint units = 0;
  size_t group = 0;
  cl.clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof block, &block, nullptr);
  cl.clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, nullptr);
  cl.clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr);
  cl.clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof group, &group, nullptr);
  cl_device_fp_config single = 0, dual = 0;
  cl.clGetDeviceInfo(device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof single, &single, nullptr);
  cl.clGetDeviceInfo(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof dual, &dual, nullptr);
  hasDouble = dual != 0;
  hasWideAtomics = choice.extensions.find(wideAtomics) != std::string::npos;
  // Hints that were not taken, and how vectors are passed, are not the user's business.
  buildOptions = "-cl-std=CL1.2 -w";
  if (single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT)
    buildOptions += " -cl-fp32-correctly-rounded-divide-sqrt";
  // A CPU has no memory that is quicker for a group, nor items that run at the same time in one.
  int64_t largest = std::bit_floor(std::min<size_t>(std::max<size_t>(group, 1), mostItems));
  int64_t groupItems = choice.isProcessor ? 1 : largest;
  if (wantedGroup > 0)
    groupItems = std::min(wantedGroup, largest);
  buildOptions += " -DGROUP_SIZE=" + std::to_string(groupItems);
  binaries.emplace(cl, context, choice, buildOptions);
  constexpr int64_t groupsOfUnit = 8;
  int64_t memory = memoryBytes > 0 ? std::min(memoryBytes, choice.memoryBytes) : choice.memoryBytes;
  int64_t threads = groupItems == 1 ? units * groupsOfUnit : static_cast<int64_t>(units * group);
  ownLimits = {
      memory,     static_cast<int64_t>(block), threads, static_cast<int64_t>(group), static_cast<int64_t>(local),
      groupItems, units * groupsOfUnit};
  return std::nullopt;
}

OpenClDevice::~OpenClDevice() {
  if (queue)
    cl.clFinish(queue);
  memory.reset();
  for (auto &[kernel, made] : kernels)
    cl.clReleaseKernel(made.kernel);
  for (auto &[source, program] : programs)
    cl.clReleaseProgram(program);
  if (status)
    cl.clReleaseMemObject(status);
  if (queue)
    cl.clReleaseCommandQueue(queue);
  if (context)
    cl.clReleaseContext(context);
}

//===- Memory -----------------------------------------------------------------------------------------------------===//

DeviceResult OpenClDevice::make(int64_t bytes, HandleMemory::Handle &made) {
  cl_int code = CL_SUCCESS;
  cl_mem buffer = cl.clCreateBuffer(context, CL_MEM_READ_WRITE, static_cast<size_t>(bytes), nullptr, &code);
  if (code != CL_SUCCESS)
    return DeviceError{described(code)};
  made = buffer;
  return std::nullopt;
}

void OpenClDevice::destroy(HandleMemory::Handle handle) { cl.clReleaseMemObject(static_cast<cl_mem>(handle)); }

DeviceResult OpenClDevice::upload(void *to, const void *host, int64_t bytes) {
  auto place = memory->find(to);
  if (!place)
    return nowhere();
  return failed(cl.clEnqueueWriteBuffer(queue, static_cast<cl_mem>(place->handle), CL_TRUE, place->offset,
                                        static_cast<size_t>(bytes), host, 0, nullptr, nullptr),
                "an upload");
}

// Reads the bytes, and behind them the status as the kernels so far left it. Waits unless it is to signal `end`.
DeviceResult OpenClDevice::read(void *host, const void *from, int64_t bytes, KernelStatus &as, cl_event *end) {
  auto place = memory->find(from);
  if (!place)
    return nowhere();
  cl_int code = cl.clEnqueueReadBuffer(queue, static_cast<cl_mem>(place->handle), CL_FALSE, place->offset,
                                       static_cast<size_t>(bytes), host, 0, nullptr, nullptr);
  if (code == CL_SUCCESS)
    code = cl.clEnqueueReadBuffer(queue, status, end ? CL_FALSE : CL_TRUE, 0, sizeof as, &as, 0, nullptr, end);
  if (code != CL_SUCCESS)
    cl.clFinish(queue); // so that nobody writes to `host` after this has returned
  return failed(code, "a download");
}

DeviceResult OpenClDevice::download(void *host, const void *from, int64_t bytes) {
  return read(host, from, bytes, left, nullptr);
}

DeviceResult OpenClDevice::beginDownload(void *host, const void *from, int64_t bytes) {
  Arrival &arrival = arriving[host];
  DeviceResult result = read(host, from, bytes, arrival.status, &arrival.end);
  if (result)
    arriving.erase(host);
  else
    cl.clFlush(queue); // else it may begin only when somebody waits
  return result;
}

DeviceResult OpenClDevice::await(const void *host) {
  auto found = arriving.extract(host);
  if (!found)
    return std::nullopt;
  Arrival &arrival = found.mapped();
  DeviceResult result = failed(cl.clWaitForEvents(1, &arrival.end), "a download");
  if (result)
    cl.clFinish(queue);
  cl.clReleaseEvent(arrival.end);
  left = arrival.status;
  return result;
}

DeviceResult OpenClDevice::copy(void *to, const void *from, int64_t bytes) {
  auto target = memory->find(to), origin = memory->find(from);
  if (!target || !origin)
    return nowhere();
  return failed(cl.clEnqueueCopyBuffer(queue, static_cast<cl_mem>(origin->handle), static_cast<cl_mem>(target->handle),
                                       origin->offset, target->offset, static_cast<size_t>(bytes), 0, nullptr, nullptr),
                "a copy");
}

//===- Kernels ----------------------------------------------------------------------------------------------------===//

DeviceResult OpenClDevice::programOf(const char *source, cl_program &found) {
  if (auto known = programs.find(source); known != programs.end()) {
    found = known->second;
    return std::nullopt;
  }
  if (!hasDouble && std::string_view(source).find("cl_khr_fp64") != std::string_view::npos)
    return DeviceError{"the program needs 64-bit floats, which this device does not have (cl_khr_fp64)"};
  if (!hasWideAtomics && std::string_view(source).find(wideAtomics) != std::string_view::npos)
    return DeviceError{"the program needs 64-bit atomics, which this device does not have (" +
                       std::string(wideAtomics) + ")"};
  found = binaries->find(source);
  if (found) {
    programs[source] = found;
    return std::nullopt;
  }
  cl_int code = CL_SUCCESS;
  found = cl.clCreateProgramWithSource(context, 1, &source, nullptr, &code);
  if (code != CL_SUCCESS)
    return failed(code, "clCreateProgramWithSource");
  programs[source] = found;
  code = cl.clBuildProgram(found, 1, &device, buildOptions.c_str(), nullptr, nullptr);
  if (code == CL_SUCCESS) {
    binaries->keep(source, found);
    return std::nullopt;
  }
  size_t bytes = 0;
  cl.clGetProgramBuildInfo(found, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
  std::string log(bytes, '\0');
  cl.clGetProgramBuildInfo(found, device, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
  return DeviceError{described(code) + ": " + log.substr(0, log.find('\n'))};
}

DeviceResult OpenClDevice::kernelOf(const FerryKernel &kernel, Compiled &found) {
  if (auto known = kernels.find(&kernel); known != kernels.end()) {
    found = known->second;
    return std::nullopt;
  }
  cl_program program = nullptr;
  if (DeviceResult result = programOf(kernel.program, program))
    return result;
  cl_int code = CL_SUCCESS;
  found.kernel = cl.clCreateKernel(program, kernel.name, &code);
  if (code != CL_SUCCESS)
    return failed(code, kernel.name);
  kernels[&kernel] = found;
  size_t &items = kernels[&kernel].groupItems;
  code = cl.clGetKernelWorkGroupInfo(found.kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof items, &items, nullptr);
  found.groupItems = items;
  return failed(code, kernel.name);
}

DeviceResult OpenClDevice::enqueue(const FerryKernel &kernel, const int64_t *arguments, int64_t items, bool areGroups) {
  if (items <= 0)
    return std::nullopt;
  Compiled made;
  if (DeviceResult result = kernelOf(kernel, made))
    return result;
  cl_uint index = 0;
  cl_int code = CL_SUCCESS;
  auto set = [&](size_t bytes, const void *value) {
    if (code == CL_SUCCESS)
      code = cl.clSetKernelArg(made.kernel, index++, bytes, value);
  };
  auto setNumber = [&](int64_t number) { set(sizeof number, &number); };
  auto setBuffer = [&](cl_mem buffer) { set(sizeof(cl_mem), static_cast<const void *>(&buffer)); };
  for (const char *kind = kernel.arguments; *kind; ++kind, ++arguments) {
    if (*kind != 'p') {
      setNumber(*arguments);
      continue;
    }
    // What is nowhere is the address of nothing: kernels do not read there.
    auto place = memory->find(reinterpret_cast<const void *>(*arguments)).value_or(HandleMemory::Place{nullptr, 0});
    setBuffer(place.handle ? static_cast<cl_mem>(place.handle) : status);
    setNumber(static_cast<int64_t>(place.offset));
  }
  ++enqueued;
  setBuffer(status);
  setNumber(enqueued);
  setNumber(items);
  if (DeviceResult result = failed(code, kernel.name))
    return result;
  auto count = static_cast<size_t>(items), most = static_cast<size_t>(mostItems);
  // Where items of a group take turns, few of them, each with much to do, are for all units of the device.
  bool takesTurns = ownLimits.groupItems == 1;
  size_t even = takesTurns ? std::max<size_t>(count / static_cast<size_t>(ownLimits.groups), 1) : most;
  size_t local = areGroups ? static_cast<size_t>(ownLimits.groupItems) : std::min({even, most, made.groupItems});
  if (areGroups && local > made.groupItems)
    return DeviceError{std::string(kernel.name) + ": the device runs only " + std::to_string(made.groupItems) +
                       " items of a group together; --group-size sets how many there are"};
  size_t global = areGroups ? count * local : (count + local - 1) / local * local;
  last = &kernel;
  return failed(cl.clEnqueueNDRangeKernel(queue, made.kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr),
                kernel.name);
}

DeviceResult OpenClDevice::synchronize() {
  cl_int code = cl.clEnqueueReadBuffer(queue, status, CL_FALSE, 0, sizeof left, &left, 0, nullptr, nullptr);
  if (cl_int end = cl.clFinish(queue); code == CL_SUCCESS)
    code = end;
  return failed(code, "its kernels");
}

std::optional<KernelFailure> OpenClDevice::takeFailure() {
  if (!last || left.launch == 0)
    return std::nullopt;
  KernelStatus none{};
  cl.clEnqueueWriteBuffer(queue, status, CL_TRUE, 0, sizeof none, &none, 0, nullptr, nullptr);
  KernelFailure failure{last->failures[left.failure], {}};
  std::ranges::copy(left.values, failure.values);
  left = none;
  return failure;
}

} // namespace ferry::runtime
