// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the run-time asks of a device. An implementation moves bytes and runs kernels; it does not count, price,
// reference count or name anything (context.h does), so that all devices report alike. See docs/adding-a-device.md.

#pragma once

#include "runtime/abi.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Of functions that call generated code: it has no signature before its first instruction, which -fsanitize=function
/// would read, whatever is there.
#if defined(__clang__)
#define FERRY_CALLS_COMPILED_CODE __attribute__((no_sanitize("function")))
#else
#define FERRY_CALLS_COMPILED_CODE
#endif

namespace ferry::runtime {

/// Why a device could not do as asked: one line, without a full stop.
struct DeviceError {
  std::string message;
};
using DeviceResult = std::optional<DeviceError>; ///< nothing: it worked

/// What a device has, for choosing launch shapes and for reports. 0 is "no limit known".
struct DeviceLimits {
  int64_t memoryBytes = 0;
  int64_t allocationBytes = 0; ///< of one block
  int64_t threads = 0;         ///< that run at the same time
  int64_t groupThreads = 0;    ///< of one group that shares fast memory
  int64_t groupBytes = 0;      ///< of that memory
  int64_t groupItems = 1;      ///< of a group whose items work together
  int64_t groups = 1;          ///< of those that run at the same time
};

/// The range of addresses from which a device hands out its blocks. Reference counts are found by offset in it, so an
/// implementation whose own handles are no addresses reserves a range (mmap with PROT_NONE) and translates.
struct AddressRange {
  uintptr_t base = 0;
  size_t bytes = 0;
  bool contains(const void *p) const { return reinterpret_cast<uintptr_t>(p) - base < bytes; }
};

/// One kernel to run. `entry` is host code: the kernel itself on a device that shares the process (sim), else what
/// enqueues kernels of the device's own.
struct Kernel {
  void (*entry)(void *env);
  void *env;
  int64_t elements;
  int64_t threads;
};

/// What a kernel found the program to have done wrong, as of ferry_rt_fail.
struct KernelFailure {
  const FerryFailure *what;
  int64_t values[4];
};

class Device {
public:
  virtual ~Device() = default;

  virtual std::string_view name() const = 0;
  virtual DeviceLimits limits() const = 0;
  virtual AddressRange addresses() const = 0;

  /// A block of at least `bytes` (>= 0), aligned to 64 bytes and distinct from every live one; null in `block` on
  /// failure. `name` may be null.
  virtual DeviceResult allocate(int64_t bytes, const char *name, void *&block) = 0;
  virtual void free(void *block) = 0;

  /// Contiguous copies; `device` and `to`, `from` may point inside blocks. Done when the call returns, as seen by the
  /// host; ordered after kernels launched before.
  virtual DeviceResult upload(void *device, const void *host, int64_t bytes) = 0;
  virtual DeviceResult download(void *host, const void *device, int64_t bytes) = 0;

  /// The same, but nobody touches `host` until `await` of it has returned. What is read are the device's bytes as of
  /// now: the block may be freed, and kernels to come may write it. Where nothing was begun there is nothing to await.
  virtual DeviceResult beginDownload(void *host, const void *device, int64_t bytes) = 0;
  virtual DeviceResult await(const void *host) = 0;

  virtual DeviceResult copy(void *to, const void *from, int64_t bytes) = 0;

  /// May return before the kernel has ended; kernels run in the order of their launches.
  virtual DeviceResult launch(const Kernel &kernel) = 0;
  virtual DeviceResult synchronize() = 0;

  /// Of a device with code of its own, whose Kernel::entry says by these what to run; as of ferry_rt_enqueue.
  virtual DeviceResult enqueue(const FerryKernel &, const int64_t * /*arguments*/, int64_t /*items*/,
                               bool /*areGroups*/) {
    return DeviceError{"it has no kernels of its own"};
  }

  /// The first failure of kernels that have ended, once; kernels enqueued behind it did nothing.
  virtual std::optional<KernelFailure> takeFailure() { return std::nullopt; }
};

} // namespace ferry::runtime
