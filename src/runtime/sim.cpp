// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changing the reach of a large arena takes milliseconds, so it is done as rarely as detection allows. The device is
// closed the moment a kernel ends. The host's arrays are closed when a kernel begins and opened again by the first host
// access that faults: kernels launched one after another leave them closed. Transfers go through the arenas' aliases
// and change nothing.

#include "runtime/sim.h"
#include "runtime/machine_memory.h"

#include <algorithm>
#include <cstring>

namespace ferry::runtime {

std::unique_ptr<SimDevice> SimDevice::make(int64_t memoryBytes, bool isProtected, Guard guard, std::string &error) {
  // Address space costs nothing: four times the memory leaves room for gaps between blocks.
  constexpr int64_t most = int64_t(1) << 38;
  int64_t size = std::min(memoryBytes > 0 ? memoryBytes : machineMemory(), most);
  size_t room = static_cast<size_t>(size) * 4 + (size_t(64) << 20);
  // All that is not free is really there, because poison touches it.
  auto budget = std::make_shared<std::atomic<int64_t>>(availableMemory());
  auto device = Arena::make("the simulated device", room, isProtected, guard, budget, error);
  if (!device)
    return nullptr;
  std::unique_ptr<Arena> host;
  if (isProtected || guard != Guard::none) {
    host = Arena::make("host arrays", static_cast<size_t>(machineMemory()) * 4, isProtected, guard, budget, error);
    if (!host)
      return nullptr;
  }
  if (isProtected)
    device->close();
  return std::unique_ptr<SimDevice>(new SimDevice(std::move(device), std::move(host), size));
}

DeviceLimits SimDevice::limits() const {
  DeviceLimits limits;
  limits.memoryBytes = memoryBytes;
  return limits;
}

DeviceResult SimDevice::allocate(int64_t bytes, const char * /*name*/, void *&block) {
  block = device->allocate(bytes);
  if (block)
    return std::nullopt;
  return DeviceError{"this machine cannot provide the " + std::to_string(bytes) + " bytes to simulate it"};
}

void SimDevice::free(void *block) { device->free(block); }

// Host bytes as the run-time may touch them: by the alias if they are in a host array.
void *SimDevice::reach(void *hostBytes) const {
  return host && host->addresses().contains(hostBytes) ? host->alias(hostBytes) : hostBytes;
}

DeviceResult SimDevice::upload(void *to, const void *from, int64_t bytes) {
  std::memcpy(device->alias(to), reach(const_cast<void *>(from)), static_cast<size_t>(bytes));
  return std::nullopt;
}

DeviceResult SimDevice::download(void *to, const void *from, int64_t bytes) {
  std::memcpy(reach(to), device->alias(from), static_cast<size_t>(bytes));
  return std::nullopt;
}

DeviceResult SimDevice::beginDownload(void *to, const void *from, int64_t bytes) {
  if (!host)
    return download(to, from, bytes);
  const char *begin = static_cast<const char *>(device->alias(const_cast<void *>(from)));
  arriving[to].assign(begin, begin + bytes);
  std::memset(reach(to), 0xff, static_cast<size_t>(bytes));
  return std::nullopt;
}

DeviceResult SimDevice::await(const void *to) {
  if (auto found = arriving.extract(to))
    std::ranges::copy(found.mapped(), static_cast<char *>(reach(const_cast<void *>(to))));
  return std::nullopt;
}

DeviceResult SimDevice::copy(void *to, const void *from, int64_t bytes) {
  std::memmove(device->alias(to), device->alias(from), static_cast<size_t>(bytes));
  return std::nullopt;
}

void SimDevice::enterKernel() {
  if (host && host->isOpen())
    host->close();
  device->open();
  inKernel = true;
}

void SimDevice::openHost() {
  if (host && !host->isOpen())
    host->open();
}

void SimDevice::leaveKernel() {
  inKernel = false;
  device->close();
}

FERRY_CALLS_COMPILED_CODE DeviceResult SimDevice::launch(const Kernel &kernel) {
  enterKernel();
  kernel.entry(kernel.env);
  leaveKernel();
  return std::nullopt;
}

SimDevice::Fault SimDevice::judge(const void *address) {
  if (host && host->addresses().contains(address)) {
    if (inKernel || (host->isGuarded() ? !host->holds(address) : !host->used(address)))
      return Fault::hostArray;
    host->open(); // also if another thread just did: opening twice does no harm
    return Fault::repaired;
  }
  return device->addresses().contains(address) ? Fault::deviceArray : Fault::elsewhere;
}

} // namespace ferry::runtime
