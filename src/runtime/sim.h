// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The simulated device: memory of its own in this process, out of reach of host code, and kernels that are host
// functions. While a kernel runs, it is the host's arrays that are out of reach.

#pragma once

#include "runtime/arena.h"
#include "runtime/device.h"

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ferry::runtime {

class SimDevice final : public Device {
public:
  /// `isProtected` keeps the sides apart and poisons dropped blocks. `memoryBytes` is the device's size, 0 for as much
  /// as the machine has.
  static std::unique_ptr<SimDevice> make(int64_t memoryBytes, bool isProtected, Guard guard, std::string &error);

  std::string_view name() const override { return "sim"; }
  DeviceLimits limits() const override;
  AddressRange addresses() const override { return device->addresses(); }
  DeviceResult allocate(int64_t bytes, const char *name, void *&block) override;
  void free(void *block) override;
  DeviceResult upload(void *to, const void *host, int64_t bytes) override;
  DeviceResult download(void *host, const void *from, int64_t bytes) override;
  /// Has the bytes arrive when they are awaited; until then the array is full of 0xff.
  DeviceResult beginDownload(void *host, const void *from, int64_t bytes) override;
  DeviceResult await(const void *host) override;
  DeviceResult copy(void *to, const void *from, int64_t bytes) override;
  DeviceResult launch(const Kernel &kernel) override;
  DeviceResult synchronize() override { return std::nullopt; }

  /// As of Arena.
  bool isIntact(const void *deviceBlock) { return device->isIntact(deviceBlock); }

  /// Where host arrays live, or null if they need be neither protected nor guarded.
  Arena *hostArrays() { return host.get(); }

  /// What became of an access that the hardware refused. Called in a signal handler.
  enum class Fault {
    elsewhere,   ///< no address of this device
    repaired,    ///< the host's first access to its arrays after a kernel: they are within reach now
    deviceArray, ///< host code touched device memory, or a kernel device memory that is not allocated
    hostArray,   ///< a kernel touched a host array, or host code one that is not allocated
  };
  Fault judge(const void *address);
  bool kernelRuns() const { return inKernel.load(std::memory_order_relaxed); }

  /// Brings the host's arrays within reach, as their first access would.
  void openHost();

  /// Ends the kernel whose failure unwinds past launch().
  void leaveKernel();

private:
  SimDevice(std::unique_ptr<Arena> device, std::unique_ptr<Arena> host, int64_t memoryBytes)
      : device(std::move(device)), host(std::move(host)), memoryBytes(memoryBytes) {}
  void enterKernel();
  void *reach(void *hostBytes) const;

  std::unique_ptr<Arena> device, host;
  int64_t memoryBytes;
  std::map<const void *, std::vector<char>> arriving; ///< by where it goes
  std::atomic<bool> inKernel = false;
};

} // namespace ferry::runtime
