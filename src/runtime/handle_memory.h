// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of a device whose driver names it by handles: addresses for the run-time, which nobody can touch, with the
// handles behind them. What is given back is kept for blocks of about the same size, since drivers take long to make
// and to destroy memory; it goes when memory runs short.

#pragma once

#include "runtime/device.h"
#include "runtime/free_ranges.h"

#include <map>
#include <memory>
#include <vector>

namespace ferry::runtime {

class HandleMemory {
public:
  using Handle = void *;

  /// The driver behind it. It outlives the memory.
  class Driver {
  public:
    /// `bytes` (> 0) that are aligned to 64 bytes; whatever is in them.
    virtual DeviceResult make(int64_t bytes, Handle &made) = 0;
    /// Kernels that use it may still run: it is gone when they have ended.
    virtual void destroy(Handle handle) = 0;

  protected:
    ~Driver() = default;
  };

  /// A byte, as the driver names it.
  struct Place {
    Handle handle;
    size_t offset;
  };

  /// `limit`: of the bytes in live blocks together, > 0. Null, with a reason, if there are no addresses for so many.
  static std::unique_ptr<HandleMemory> make(Driver &driver, const char *what, int64_t limit, std::string &error);
  ~HandleMemory();
  HandleMemory(const HandleMemory &) = delete;
  HandleMemory &operator=(const HandleMemory &) = delete;

  AddressRange addresses() const { return range; }

  /// As of Device.
  DeviceResult allocate(int64_t bytes, void *&block);
  void free(void *block);

  /// Nothing for what is in no live block.
  std::optional<Place> find(const void *address) const;

  int64_t cachedBytes() const { return cached; }

private:
  struct Piece {
    size_t counted; ///< bytes of the limit, and of the range of addresses
    int64_t bytes;  ///< that the driver was asked for
    Handle handle;
  };
  HandleMemory(Driver &driver, AddressRange range, int64_t limit)
      : driver(driver), range(range), limit(limit), ranges(range.bytes) {}
  DeviceResult obtain(int64_t bytes, Handle &handle);
  void dropCache();

  Driver &driver;
  AddressRange range;
  int64_t limit;
  FreeRanges ranges;
  std::map<size_t, Piece> live;                 ///< by the offset of the block
  std::map<int64_t, std::vector<Handle>> spare; ///< by bytes
  int64_t used = 0, cached = 0;                 ///< bytes
};

} // namespace ferry::runtime
