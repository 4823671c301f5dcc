// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU with NVIDIA's driver. Kernels and copies on the device go to one stream in the order of their calls; what
// crosses the bus goes to another, and waits only for kernels that used the block.

#pragma once

#include "runtime/cuda/staging.h"
#include "runtime/handle_device.h"

#include <map>
#include <set>
#include <string>

namespace ferry::runtime {

struct KernelStatus;

class CudaDevice final : public HandleDevice {
public:
  /// `which`: as of cuda::choose. `memoryBytes` limits live blocks, 0: what the device has.
  static std::unique_ptr<CudaDevice> make(const std::string &which, int64_t memoryBytes, std::string &error);
  ~CudaDevice() override;

  /// Returns when `host` has been read.
  DeviceResult upload(void *to, const void *host, int64_t bytes) override;
  DeviceResult download(void *host, const void *from, int64_t bytes) override;
  DeviceResult beginDownload(void *host, const void *from, int64_t bytes) override;
  DeviceResult await(const void *host) override;
  DeviceResult copy(void *to, const void *from, int64_t bytes) override;
  DeviceResult enqueue(const FerryKernel &kernel, const int64_t *arguments, int64_t items, bool areGroups) override;
  DeviceResult synchronize() override;
  std::optional<KernelFailure> takeFailure() override;

private:
  struct Loaded {
    cuda::FunctionHandle function = nullptr;
    int64_t groupThreads = 0; ///< at most
  };
  /// A byte of a block, and the block.
  struct Place {
    cuda::Address address, block;
  };

  explicit CudaDevice(const cuda::Driver &cuda) : cuda(cuda), staging(cuda) {}
  DeviceResult open(const cuda::Choice &choice, int64_t memoryBytes);
  cuda::Result openStreams();
  DeviceResult make(int64_t bytes, HandleMemory::Handle &made) override;
  void destroy(HandleMemory::Handle handle) override;
  std::optional<Place> find(const void *address) const;
  DeviceResult failed(cuda::Result code, const char *what) const;
  DeviceResult moduleOf(const char *text, cuda::ModuleHandle &found);
  DeviceResult functionOf(const FerryKernel &kernel, Loaded &found);
  cuda::Result afterKernels(cuda::Address block);
  cuda::Result afterCopies();
  cuda::Result readStatus(cuda::StreamHandle stream);

  const cuda::Driver &cuda;
  cuda::DeviceNumber device = 0;
  cuda::ContextHandle context = nullptr;
  cuda::StreamHandle kernels = nullptr, copies = nullptr;
  cuda::EventHandle kernelsDone = nullptr, copiesDone = nullptr;
  cuda::Address status = 0;     ///< a KernelStatus
  KernelStatus *left = nullptr; ///< pinned memory: the status when it was read last
  cuda::Staging staging;
  std::map<const char *, cuda::ModuleHandle> modules; ///< by text
  std::map<const FerryKernel *, Loaded> functions;
  const FerryKernel *last = nullptr; ///< enqueued

  /// Kernels and copies on the device have numbers from 1.
  int64_t enqueued = 0, awaited = 0;         ///< `copies` goes on behind the one with the latter number
  std::map<cuda::Address, int64_t> lastUses; ///< of blocks
  std::set<cuda::Address> beingRead;         ///< blocks that downloads may still read
  bool mustWait = false;                     ///< `kernels`, for what `copies` was given
};

} // namespace ferry::runtime
