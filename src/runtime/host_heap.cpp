// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks up to 64 KiB come from slabs cut into powers of two, with a list of freed ones per size and shard. Larger
// blocks are mappings of their own; freed mappings are kept for a while, because touching fresh pages costs more than
// most operations on them.

#include "runtime/host_heap.h"

#include "runtime/machine_memory.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <sys/mman.h>

namespace ferry::runtime {

static constexpr size_t hugePage = size_t(2) << 20;
static constexpr size_t cachedBytesLimit = size_t(1) << 31;

namespace {
// Waiting threads sleep.
class FlagLock {
public:
  explicit FlagLock(std::atomic_flag &flag) : flag(flag) {
    while (flag.test_and_set(std::memory_order_acquire))
      flag.wait(true, std::memory_order_relaxed);
  }
  ~FlagLock() {
    flag.clear(std::memory_order_release);
    flag.notify_one();
  }

private:
  std::atomic_flag &flag;
};

// What a large block's memory begins with; its record and its data follow.
struct alignas(blockAlignment) Mapping {
  size_t bytes;
};
} // namespace

static Block *blockIn(void *mapping) { return reinterpret_cast<Block *>(static_cast<Mapping *>(mapping) + 1); }
static Mapping *mappingOf(Block *block) { return reinterpret_cast<Mapping *>(block) - 1; }

HostHeap::~HostHeap() {
  for (Block *block = large.first(); block;) {
    Block *next = block->next;
    std::free(mappingOf(block));
    block = next;
  }
  for (auto &[size, p] : cached)
    std::free(p);
  for (Shard &shard : shards)
    for (char *slab : shard.slabs)
      std::free(slab);
}

HostHeap::Shard &HostHeap::shardOfThread() {
  static std::atomic<size_t> threads = 0;
  thread_local size_t number = threads.fetch_add(1, std::memory_order_relaxed) % shardCount;
  return shards[number];
}

Block *HostHeap::allocate(int64_t bytes) {
  constexpr int64_t most = int64_t(1) << 47; // an address has no more bits
  if (bytes > most)
    return nullptr;
  int64_t total = bytes + static_cast<int64_t>(sizeof(Block));
  Block *block;
  if (total <= largestSmall) {
    int sizeClass = std::bit_width(static_cast<uint64_t>((total - 1) / smallestClass));
    block = allocateSmall(sizeClass);
  } else {
    block = allocateLarge(total);
  }
  if (block)
    block->bytes = bytes;
  return block;
}

void HostHeap::free(Block *block) {
  if (block->sizeClass == smallClasses)
    return freeLarge(block);
  Shard &shard = shardOfThread();
  FlagLock lock(shard.busy);
  Block *&list = shard.freed[block->sizeClass];
  block->next = list;
  list = block;
  --shard.live;
}

int64_t HostHeap::liveBlocks() const {
  int64_t live = largeLive;
  for (const Shard &shard : shards)
    live += shard.live;
  return live;
}

Block *HostHeap::allocateSmall(int sizeClass) {
  size_t size = static_cast<size_t>(smallestClass) << sizeClass;
  void *place;
  {
    Shard &shard = shardOfThread();
    FlagLock lock(shard.busy);
    if (Block *block = shard.freed[sizeClass]) {
      shard.freed[sizeClass] = block->next;
      place = block;
    } else {
      if (shard.slabLeft < size) {
        void *slab = std::aligned_alloc(4096, slabBytes);
        if (!slab)
          return nullptr;
        shard.slabs.push_back(static_cast<char *>(slab));
        shard.slab = static_cast<char *>(slab);
        shard.slabLeft = slabBytes;
      }
      place = shard.slab;
      shard.slab += size;
      shard.slabLeft -= size;
    }
    ++shard.live;
  }
  Block *block = ::new (place) Block;
  block->sizeClass = sizeClass;
  block->data = block + 1;
  return block;
}

// Null where the machine would promise memory that it does not have, and end the process when it is written to.
void *HostHeap::map(size_t size, size_t alignment) {
  if (mostMapped == 0)
    mostMapped = static_cast<size_t>(availableMemory());
  if (size > mostMapped - std::min(mostMapped, mappedBytes))
    unmapCached();
  if (size > mostMapped - std::min(mostMapped, mappedBytes))
    return nullptr;
  void *mapping = std::aligned_alloc(alignment, size);
  if (mapping)
    mappedBytes += size;
  return mapping;
}

void HostHeap::unmap(void *mapping, size_t size) {
  std::free(mapping);
  mappedBytes -= size;
}

void HostHeap::unmapCached() {
  for (auto &[size, mapping] : cached)
    unmap(mapping, size);
  cached.clear();
  cachedBytes = 0;
}

Block *HostHeap::allocateLarge(int64_t total) {
  size_t size = static_cast<size_t>(total) + sizeof(Mapping);
  size_t unit = size >= hugePage ? hugePage : 4096;
  size = (size + unit - 1) / unit * unit;

  std::lock_guard lock(largeMutex);
  void *place = nullptr;
  // A quarter too large is worth the warm pages.
  if (auto fit = cached.lower_bound(size); fit != cached.end() && fit->first <= size + size / 4) {
    place = fit->second;
    size = fit->first;
    cachedBytes -= size;
    cached.erase(fit);
  } else {
    place = map(size, unit);
    if (!place)
      return nullptr;
    if (unit == hugePage)
      madvise(place, size, MADV_HUGEPAGE);
  }
  ::new (place) Mapping{size};
  Block *block = ::new (blockIn(place)) Block;
  block->sizeClass = smallClasses;
  block->data = block + 1;
  large.add(block);
  ++largeLive;
  return block;
}

void HostHeap::freeLarge(Block *block) {
  Mapping *mapping = mappingOf(block);
  size_t size = mapping->bytes;
  std::lock_guard lock(largeMutex);
  large.remove(block);
  --largeLive;
  if (size > cachedBytesLimit - cachedBytes)
    return unmap(mapping, size);
  cached.emplace(size, mapping);
  cachedBytes += size;
}

} // namespace ferry::runtime
