// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device of OpenCL. One queue, in order.

#pragma once

#include "runtime/handle_device.h"
#include "runtime/kernel_status.h"
#include "runtime/opencl/binaries.h"
#include "runtime/opencl/driver.h"

#include <map>
#include <optional>
#include <string>

namespace ferry::runtime {

class OpenClDevice final : public HandleDevice {
public:
  /// `which`: a number in opencl::choices, or part of the name of a platform or device; empty: the first GPU, else the
  /// first device. `memoryBytes` limits live blocks, 0: what the device has. `groupItems`: of groups whose items work
  /// together, a power of two; 0: 256 if the device runs as many at the same time, 1 on a CPU.
  static std::unique_ptr<OpenClDevice> make(const std::string &which, int64_t memoryBytes, int64_t groupItems,
                                            std::string &error);
  ~OpenClDevice() override;

  DeviceResult upload(void *to, const void *host, int64_t bytes) override;
  DeviceResult download(void *host, const void *from, int64_t bytes) override;
  DeviceResult beginDownload(void *host, const void *from, int64_t bytes) override;
  DeviceResult await(const void *host) override;
  DeviceResult copy(void *to, const void *from, int64_t bytes) override;
  DeviceResult enqueue(const FerryKernel &kernel, const int64_t *arguments, int64_t items, bool areGroups) override;
  DeviceResult synchronize() override;
  std::optional<KernelFailure> takeFailure() override;

private:
  struct Compiled {
    cl_kernel kernel = nullptr;
    size_t groupItems = 0; ///< at most
  };

  /// What a download under way will have brought.
  struct Arrival {
    cl_event end = nullptr;
    KernelStatus status{};
  };

  explicit OpenClDevice(const opencl::Driver &cl) : cl(cl) {}
  DeviceResult read(void *host, const void *from, int64_t bytes, KernelStatus &as, cl_event *end);
  DeviceResult open(const opencl::Choice &choice, int64_t memoryBytes, int64_t wantedGroup);
  DeviceResult make(int64_t bytes, HandleMemory::Handle &made) override;
  void destroy(HandleMemory::Handle handle) override;
  DeviceResult kernelOf(const FerryKernel &kernel, Compiled &found);
  DeviceResult programOf(const char *source, cl_program &found);

  const opencl::Driver &cl;
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_mem status = nullptr; ///< a KernelStatus
  bool hasDouble = false, hasWideAtomics = false;
  std::string buildOptions;
  std::optional<opencl::Binaries> binaries;
  std::map<const char *, cl_program> programs; ///< by source
  std::map<const FerryKernel *, Compiled> kernels;
  KernelStatus left{};                      ///< the status when it was read last
  std::map<const void *, Arrival> arriving; ///< by where it goes
  const FerryKernel *last = nullptr;        ///< enqueued
  int64_t enqueued = 0;
};

} // namespace ferry::runtime
