// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host memory of a context: quick from many threads, warm when used again, and given back as a whole with the heap, so
// that a run that fails in the middle leaks nothing. Of large blocks that the program gave back, up to 2 GiB stay
// with the process; one of them is taken for a block that is up to a quarter smaller.

#pragma once

#include "runtime/block.h"

#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <vector>

namespace ferry::runtime {

class HostHeap {
public:
  HostHeap() = default;
  ~HostHeap();
  HostHeap(const HostHeap &) = delete;
  HostHeap &operator=(const HostHeap &) = delete;

  /// A block with one reference whose record lies right before its data, or null if there is no memory. bytes >= 0.
  Block *allocate(int64_t bytes);
  void free(Block *block);

  /// How many blocks are allocated and not freed, while no thread is at either.
  int64_t liveBlocks() const;

  static Block *blockOf(void *data) { return static_cast<Block *>(data) - 1; }

private:
  static constexpr int smallClasses = 10; ///< 128 bytes, 256, ..., 64 KiB, record included
  static constexpr int64_t smallestClass = 128;
  static constexpr int64_t largestSmall = smallestClass << (smallClasses - 1);
  static constexpr size_t shardCount = 32;
  static constexpr size_t slabBytes = size_t(1) << 20;

  /// A thread allocates from and frees to one shard, by its number; so the lock is nearly always free.
  struct alignas(128) Shard {
    std::atomic_flag busy = ATOMIC_FLAG_INIT;
    std::array<Block *, smallClasses> freed = {};
    char *slab = nullptr;
    size_t slabLeft = 0;
    std::vector<char *> slabs;
    int64_t live = 0; ///< allocated less freed through it: negative where a block was freed by another thread
  };
  Shard &shardOfThread();
  Block *allocateSmall(int sizeClass);
  Block *allocateLarge(int64_t total);
  void freeLarge(Block *block);
  void *map(size_t size, size_t alignment);
  void unmap(void *mapping, size_t size);
  void unmapCached();

  std::array<Shard, shardCount> shards;

  std::mutex largeMutex;
  BlockList large;
  int64_t largeLive = 0;
  std::multimap<size_t, void *> cached; ///< mappings given back by the program, by size
  size_t cachedBytes = 0;
  size_t mappedBytes = 0; ///< of all mappings
  size_t mostMapped = 0;  ///< what the machine could give when the first one was made
};

} // namespace ferry::runtime
