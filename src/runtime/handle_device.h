// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What devices with a driver of their own have in common: memory of handles, and launches that are host code.

#pragma once

#include "runtime/handle_memory.h"

#include <memory>
#include <string>

namespace ferry::runtime {

/// A device behind a driver. Whoever derives from it drops `memory` while the driver can still free it.
class HandleDevice : public Device, protected HandleMemory::Driver {
public:
  std::string_view name() const final { return ownName; }
  DeviceLimits limits() const final { return ownLimits; }
  AddressRange addresses() const final { return memory->addresses(); }
  DeviceResult allocate(int64_t bytes, const char *, void *&block) final { return memory->allocate(bytes, block); }
  void free(void *block) final { memory->free(block); }

  /// What a launch does is host code that enqueues kernels.
  FERRY_CALLS_COMPILED_CODE DeviceResult launch(const Kernel &kernel) final {
    kernel.entry(kernel.env);
    return std::nullopt;
  }

protected:
  static DeviceError nowhere() { return {"an address that is in no block of the device"}; }
  /// Once name and limits are known. False, with a reason, if there are no addresses for so much memory.
  bool openMemory(std::string &error) {
    memory = HandleMemory::make(*this, ownName.c_str(), ownLimits.memoryBytes, error);
    return memory != nullptr;
  }

  std::string ownName;
  DeviceLimits ownLimits;
  std::unique_ptr<HandleMemory> memory;
};

} // namespace ferry::runtime
