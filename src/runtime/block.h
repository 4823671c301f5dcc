// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The record of one block of memory: its reference count and what reports say about it. Blocks of the host heap have
// theirs in the 64 bytes before the data; blocks in a device's address range, or in a protected arena, have it outside,
// found through a table.

#pragma once

#include "runtime/device.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace ferry::runtime {

inline constexpr size_t blockAlignment = 64;

struct alignas(blockAlignment) Block {
  std::atomic<int64_t> references = 1;
  int64_t bytes = 0; ///< as asked for
  const char *name = nullptr;
  int32_t side = 0;      ///< FerrySide
  int32_t sizeClass = 0; ///< of the host heap
  int64_t event = -1;    ///< its residency in the log of events
  void *data = nullptr;
  Block *previous = nullptr, *next = nullptr; ///< in a list of live blocks
};
static_assert(sizeof(Block) == blockAlignment);

/// Live blocks, for listing and for giving back what a failed run left. Not thread safe.
class BlockList {
public:
  void add(Block *block);
  void remove(Block *block);
  Block *first() const { return head; }
  int64_t size() const;

private:
  Block *head = nullptr;
};

/// From the address of a block in a range to its record: one pointer for each 64 bytes of the range, in a mapping that
/// takes memory only where blocks begin. Reading is safe in a signal handler.
class BlockTable {
public:
  /// Null, with a reason, if so much address space cannot be had.
  static std::unique_ptr<BlockTable> make(AddressRange range, std::string &error);
  ~BlockTable();
  BlockTable(const BlockTable &) = delete;
  BlockTable &operator=(const BlockTable &) = delete;

  bool contains(const void *p) const { return range.contains(p); }
  Block *at(const void *data) const { return entry(data).load(std::memory_order_acquire); }
  /// Enters a block whose size is set, or null. Not from several threads at the same time.
  void set(const void *data, Block *block);

  /// The live block that holds the address, or null.
  const Block *holding(const void *address) const;

  /// The live block that the address is at most so many bytes behind or before, the nearer one of two; or null.
  const Block *near(const void *address, uintptr_t bytes) const;

private:
  const Block *below(uintptr_t address, uintptr_t bytes) const;
  BlockTable(AddressRange range, std::atomic<Block *> *entries) : range(range), entries(entries) {}
  std::atomic<Block *> &entry(const void *p) const {
    return entries[(reinterpret_cast<uintptr_t>(p) - range.base) / blockAlignment];
  }

  AddressRange range;
  std::atomic<Block *> *entries;
  std::atomic<int64_t> longest = 0; ///< bytes of the longest block so far: no block begins farther before its end
};

} // namespace ferry::runtime
