// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/handle_memory.h"
#include "runtime/block.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <sys/mman.h>

namespace ferry::runtime {

static size_t roundUp(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

// Eight sizes for each power of two, so that what is kept fits most of what is asked for and wastes an eighth at most.
static int64_t sizeClass(int64_t bytes) {
  constexpr size_t least = 512;
  auto size = std::max(static_cast<size_t>(bytes), least);
  return static_cast<int64_t>(roundUp(size, std::bit_floor(size) / 8));
}

std::unique_ptr<HandleMemory> HandleMemory::make(Driver &driver, const char *what, int64_t limit, std::string &error) {
  constexpr size_t page = 4096, roomForGaps = 2;
  size_t bytes = roundUp(static_cast<size_t>(limit), page) * roomForGaps + (size_t(1) << 30);
  void *base = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) {
    error = std::string("no addresses for the memory of ") + what + ": " + std::strerror(errno);
    return nullptr;
  }
  return std::unique_ptr<HandleMemory>(new HandleMemory(driver, {reinterpret_cast<uintptr_t>(base), bytes}, limit));
}

HandleMemory::~HandleMemory() {
  for (auto &[offset, piece] : live)
    driver.destroy(piece.handle);
  dropCache();
  munmap(reinterpret_cast<void *>(range.base), range.bytes);
}

void HandleMemory::dropCache() {
  for (auto &[bytes, handles] : spare)
    for (Handle handle : handles)
      driver.destroy(handle);
  spare.clear();
  cached = 0;
}

DeviceResult HandleMemory::obtain(int64_t bytes, Handle &handle) {
  if (auto kept = spare.find(bytes); kept != spare.end() && !kept->second.empty()) {
    handle = kept->second.back();
    kept->second.pop_back();
    cached -= bytes;
    return std::nullopt;
  }
  if (used + cached + bytes > limit)
    dropCache();
  DeviceResult result = driver.make(bytes, handle);
  if (result && cached > 0) {
    dropCache();
    result = driver.make(bytes, handle);
  }
  return result;
}

DeviceResult HandleMemory::allocate(int64_t bytes, void *&block) {
  block = nullptr;
  if (bytes > limit - used)
    return DeviceError{"out of memory"};
  size_t counted = roundUp(std::max<size_t>(static_cast<size_t>(bytes), 1), blockAlignment);
  Piece piece{counted, sizeClass(static_cast<int64_t>(counted)), nullptr};
  std::optional<size_t> offset = ranges.take(counted);
  if (!offset)
    return DeviceError{"out of addresses"};
  if (DeviceResult result = obtain(piece.bytes, piece.handle)) {
    ranges.give(*offset, counted);
    return result;
  }
  used += static_cast<int64_t>(counted);
  live.emplace(*offset, piece);
  block = reinterpret_cast<void *>(range.base + *offset);
  return std::nullopt;
}

void HandleMemory::free(void *block) {
  auto found = live.find(reinterpret_cast<uintptr_t>(block) - range.base);
  if (found == live.end())
    return;
  const Piece &piece = found->second;
  spare[piece.bytes].push_back(piece.handle);
  cached += piece.bytes;
  used -= static_cast<int64_t>(piece.counted);
  ranges.give(found->first, piece.counted);
  live.erase(found);
}

std::optional<HandleMemory::Place> HandleMemory::find(const void *address) const {
  size_t offset = reinterpret_cast<uintptr_t>(address) - range.base;
  auto after = live.upper_bound(offset);
  if (after == live.begin())
    return std::nullopt;
  auto &[begin, piece] = *std::prev(after);
  if (offset - begin > piece.counted)
    return std::nullopt;
  return Place{piece.handle, offset - begin};
}

} // namespace ferry::runtime
