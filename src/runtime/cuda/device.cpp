// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel takes eight bytes for each argument, then where failures are left, the launch's number, and how many items
// there are. The failure comes with what is read back next; kernels behind the one that failed return at once.
//
// A block is memory of its own from the driver, behind an address that the host cannot touch (HandleMemory), and
// kernels get the driver's address.

#include "runtime/cuda/device.h"
#include "runtime/kernel_status.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace ferry::runtime {

using namespace cuda;

static constexpr int64_t usualGroup = 256;

DeviceResult CudaDevice::failed(Result code, const char *what) const {
  if (code == success)
    return std::nullopt;
  return DeviceError{std::string(what) + ": " + described(cuda, code)};
}

std::unique_ptr<CudaDevice> CudaDevice::make(const std::string &which, int64_t memoryBytes, std::string &error) {
  std::optional<Choice> choice = choose(which, error);
  if (!choice)
    return nullptr;
  std::unique_ptr<CudaDevice> made(new CudaDevice(*cuda::Driver::get(error)));
  if (DeviceResult result = made->open(*choice, memoryBytes)) {
    error = choice->name + ": " + result->message;
    return nullptr;
  }
  return made->openMemory(error) ? std::move(made) : nullptr;
}

DeviceResult CudaDevice::open(const Choice &choice, int64_t memoryBytes) {
  device = choice.device;
  ownName = choice.name;
  if (choice.capability < leastCapability)
    return DeviceError{"its compute capability is below 7.0, which Ferry's kernels need"};
  if (DeviceResult result = failed(cuda.cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain"))
    return result;
  if (DeviceResult result = failed(openStreams(), "its streams"))
    return result;
  if (DeviceResult result = failed(staging.open(copies), "pinned memory"))
    return result;
  int64_t memory = memoryBytes > 0 ? std::min(memoryBytes, choice.memoryBytes) : choice.memoryBytes;
  auto attribute = [&](DeviceAttribute which) {
    int value = 0;
    cuda.cuDeviceGetAttribute(&value, which, device);
    return static_cast<int64_t>(value);
  };
  // Not as many as can be resident: what each leaves of a histogram, few items put together.
  int64_t threads = attribute(processors) * std::min(attribute(threadsOfProcessor), usualGroup);
  int64_t groups = attribute(processors) * std::max<int64_t>(attribute(threadsOfProcessor) / usualGroup, 1);
  ownLimits = {memory, memory, threads, attribute(threadsOfBlock), attribute(sharedBytesOfBlock), usualGroup, groups};
  return std::nullopt;
}

Result CudaDevice::openStreams() {
  void *pinned = nullptr;
  Result code = cuda.cuCtxSetCurrent(context);
  for (StreamHandle *stream : {&kernels, &copies})
    if (code == success)
      code = cuda.cuStreamCreate(stream, nonBlocking);
  for (EventHandle *event : {&kernelsDone, &copiesDone})
    if (code == success)
      code = cuda.cuEventCreate(event, withoutTime);
  if (code == success)
    code = cuda.cuMemAlloc(&status, sizeof(KernelStatus));
  if (code == success)
    code = cuda.cuMemAllocHost(&pinned, sizeof(KernelStatus));
  if (code != success)
    return code;
  left = static_cast<KernelStatus *>(pinned);
  *left = {};
  return cuda.cuMemsetD8Async(status, 0, sizeof(KernelStatus), kernels);
}

CudaDevice::~CudaDevice() {
  if (!context)
    return;
  cuda.cuCtxSetCurrent(context);
  memory.reset();
  for (auto &[text, module] : modules)
    cuda.cuModuleUnload(module);
  if (kernels)
    cuda.cuStreamSynchronize(kernels);
  if (left)
    cuda.cuMemFreeHost(left);
  if (status)
    cuda.cuMemFree(status);
  staging.close();
  for (EventHandle event : {kernelsDone, copiesDone})
    if (event)
      cuda.cuEventDestroy(event);
  for (StreamHandle stream : {kernels, copies})
    if (stream)
      cuda.cuStreamDestroy(stream);
  cuda.cuCtxSetCurrent(nullptr);
  cuda.cuDevicePrimaryCtxRelease(device);
}

//===- Memory -----------------------------------------------------------------------------------------------------===//

DeviceResult CudaDevice::make(int64_t bytes, HandleMemory::Handle &made) {
  Address address = 0;
  Result code = cuda.cuMemAlloc(&address, static_cast<size_t>(bytes));
  if (code != success)
    return DeviceError{described(cuda, code)};
  made = reinterpret_cast<void *>(address);
  return std::nullopt;
}

void CudaDevice::destroy(HandleMemory::Handle handle) {
  auto address = reinterpret_cast<Address>(handle);
  cuda.cuStreamSynchronize(kernels);
  cuda.cuStreamSynchronize(copies);
  lastUses.erase(address);
  cuda.cuMemFree(address);
}

std::optional<CudaDevice::Place> CudaDevice::find(const void *address) const {
  auto place = memory->find(address);
  if (!place)
    return std::nullopt;
  auto block = reinterpret_cast<Address>(place->handle);
  return Place{block + place->offset, block};
}

// Has `copies` wait for the last kernel that used the block.
Result CudaDevice::afterKernels(Address block) {
  auto use = lastUses.find(block);
  if (use == lastUses.end() || use->second <= awaited)
    return success;
  Result code = cuda.cuEventRecord(kernelsDone, kernels);
  if (code == success)
    code = cuda.cuStreamWaitEvent(copies, kernelsDone, 0);
  if (code == success)
    awaited = enqueued;
  return code;
}

// Has `kernels` wait for what was uploaded, and for downloads of what a kernel is to write.
Result CudaDevice::afterCopies() {
  if (!mustWait)
    return success;
  Result code = cuda.cuEventRecord(copiesDone, copies);
  if (code == success)
    code = cuda.cuStreamWaitEvent(kernels, copiesDone, 0);
  mustWait = code != success;
  if (code == success)
    beingRead.clear();
  return code;
}

DeviceResult CudaDevice::upload(void *to, const void *host, int64_t bytes) {
  auto place = find(to);
  if (!place)
    return nowhere();
  Result code = afterKernels(place->block);
  mustWait = true;
  if (code == success)
    code = staging.upload(place->address, host, bytes);
  return failed(code, "an upload");
}

DeviceResult CudaDevice::download(void *host, const void *from, int64_t bytes) {
  DeviceResult result = beginDownload(host, from, bytes);
  return result ? result : await(host);
}

DeviceResult CudaDevice::beginDownload(void *host, const void *from, int64_t bytes) {
  auto place = find(from);
  if (!place)
    return nowhere();
  Result code = afterKernels(place->block);
  if (code == success)
    code = readStatus(copies);
  if (code == success)
    code = staging.beginDownload(host, place->address, bytes);
  beingRead.insert(place->block);
  return failed(code, "a download");
}

// With all others that have begun: they are on the same stream.
DeviceResult CudaDevice::await(const void * /*host*/) {
  beingRead.clear();
  return failed(staging.finish(), "a download");
}

DeviceResult CudaDevice::copy(void *to, const void *from, int64_t bytes) {
  auto target = find(to), origin = find(from);
  if (!target || !origin)
    return nowhere();
  mustWait |= beingRead.contains(target->block);
  Result code = afterCopies();
  if (code == success)
    code = cuda.cuMemcpyDtoDAsync(target->address, origin->address, static_cast<size_t>(bytes), kernels);
  ++enqueued;
  lastUses[target->block] = lastUses[origin->block] = enqueued;
  return failed(code, "a copy");
}

//===- Kernels ----------------------------------------------------------------------------------------------------===//

DeviceResult CudaDevice::moduleOf(const char *text, ModuleHandle &found) {
  if (auto known = modules.find(text); known != modules.end()) {
    found = known->second;
    return std::nullopt;
  }
  constexpr size_t logBytes = 4096;
  std::string log(logBytes, '\0');
  int options[] = {errorLog, errorLogBytes};
  void *values[] = {log.data(), reinterpret_cast<void *>(logBytes)};
  Result code = cuda.cuModuleLoadDataEx(&found, text, 2, options, values);
  if (code == success) {
    modules[text] = found;
    return std::nullopt;
  }
  log.resize(log.find('\0') == std::string::npos ? logBytes : log.find('\0'));
  std::string line = log.substr(0, log.find('\n'));
  return failed(code, ("its kernels cannot be loaded" + (line.empty() ? "" : " (" + line + ")")).c_str());
}

DeviceResult CudaDevice::functionOf(const FerryKernel &kernel, Loaded &found) {
  if (auto known = functions.find(&kernel); known != functions.end()) {
    found = known->second;
    return std::nullopt;
  }
  ModuleHandle module = nullptr;
  if (DeviceResult result = moduleOf(kernel.program, module))
    return result;
  int threads = 0;
  Result code = cuda.cuModuleGetFunction(&found.function, module, kernel.name);
  if (code == success)
    code = cuda.cuFuncGetAttribute(&threads, threadsOfFunction, found.function);
  if (code != success)
    return failed(code, kernel.name);
  found.groupThreads = std::max(threads, 1);
  functions[&kernel] = found;
  return std::nullopt;
}

DeviceResult CudaDevice::enqueue(const FerryKernel &kernel, const int64_t *arguments, int64_t items, bool areGroups) {
  if (items <= 0)
    return std::nullopt;
  Loaded loaded;
  if (DeviceResult result = functionOf(kernel, loaded))
    return result;
  ++enqueued;
  std::vector<int64_t> values;
  for (const char *kind = kernel.arguments; *kind; ++kind, ++arguments) {
    auto place = *kind == 'p' ? find(reinterpret_cast<const void *>(*arguments)) : std::nullopt;
    if (place) {
      lastUses[place->block] = enqueued;
      mustWait |= beingRead.contains(place->block);
    }
    // What is nowhere is the address of nothing: kernels do not read there.
    values.push_back(*kind != 'p' ? *arguments : place ? static_cast<int64_t>(place->address) : 0);
  }
  values.insert(values.end(), {static_cast<int64_t>(status), enqueued, items});
  std::vector<void *> addresses;
  for (int64_t &value : values)
    addresses.push_back(&value);
  int64_t threads = areGroups ? usualGroup : std::min<int64_t>(usualGroup, loaded.groupThreads);
  int64_t groups = areGroups ? items : (items - 1) / threads + 1;
  if (groups > std::numeric_limits<int32_t>::max())
    return DeviceError{std::string(kernel.name) + ": more items than a GPU takes in one launch"};
  Result code = afterCopies();
  if (code == success)
    code = cuda.cuLaunchKernel(loaded.function, static_cast<unsigned>(groups), 1, 1, static_cast<unsigned>(threads), 1,
                               1, 0, kernels, addresses.data(), nullptr);
  last = &kernel;
  return failed(code, kernel.name);
}

// Reads the status when the stream has come that far.
Result CudaDevice::readStatus(StreamHandle stream) {
  return cuda.cuMemcpyDtoHAsync(left, status, sizeof(KernelStatus), stream);
}

DeviceResult CudaDevice::synchronize() {
  Result code = readStatus(kernels);
  for (StreamHandle stream : {copies, kernels})
    if (Result other = cuda.cuStreamSynchronize(stream); code == success)
      code = other;
  return failed(code, "its kernels");
}

std::optional<KernelFailure> CudaDevice::takeFailure() {
  if (!last || left->launch == 0)
    return std::nullopt;
  // It was read while other kernels may have been running: items of the one that failed, or what clears the status.
  if (synchronize() || left->launch == 0)
    return std::nullopt;
  KernelFailure failure{last->failures[left->failure], {}};
  std::ranges::copy(left->values, failure.values);
  *left = {};
  cuda.cuMemsetD8Async(status, 0, sizeof(KernelStatus), kernels);
  return failure;
}

} // namespace ferry::runtime
