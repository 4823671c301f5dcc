// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/block.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>

namespace ferry::runtime {

void BlockList::add(Block *block) {
  block->previous = nullptr;
  block->next = head;
  if (head)
    head->previous = block;
  head = block;
}

void BlockList::remove(Block *block) {
  (block->previous ? block->previous->next : head) = block->next;
  if (block->next)
    block->next->previous = block->previous;
}

int64_t BlockList::size() const {
  int64_t size = 0;
  for (const Block *block = head; block; block = block->next)
    ++size;
  return size;
}

static size_t tableBytes(AddressRange range) { return range.bytes / blockAlignment * sizeof(Block *); }

std::unique_ptr<BlockTable> BlockTable::make(AddressRange range, std::string &error) {
  void *p =
      mmap(nullptr, tableBytes(range), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) {
    error = std::string("cannot reserve a table of blocks: ") + std::strerror(errno);
    return nullptr;
  }
  return std::unique_ptr<BlockTable>(new BlockTable(range, static_cast<std::atomic<Block *> *>(p)));
}

BlockTable::~BlockTable() { munmap(entries, tableBytes(range)); }

void BlockTable::set(const void *data, Block *block) {
  if (block && block->bytes > longest.load(std::memory_order_relaxed))
    longest.store(block->bytes, std::memory_order_relaxed);
  entry(data).store(block, std::memory_order_release);
}

// The last block that begins at the address or before it, and ends at most so many bytes before it.
const Block *BlockTable::below(uintptr_t address, uintptr_t bytes) const {
  size_t offset = address - range.base;
  size_t reach = std::min(offset, bytes + static_cast<size_t>(longest.load(std::memory_order_relaxed)));
  for (size_t i = offset / blockAlignment + 1, first = (offset - reach) / blockAlignment; i-- > first;) {
    const Block *block = entries[i].load(std::memory_order_acquire);
    if (block && reinterpret_cast<uintptr_t>(block->data) <= address)
      return block;
  }
  return nullptr;
}

const Block *BlockTable::holding(const void *address) const {
  if (!range.contains(address))
    return nullptr;
  auto place = reinterpret_cast<uintptr_t>(address);
  const Block *block = below(place, 0);
  bool inside = block && place - reinterpret_cast<uintptr_t>(block->data) < static_cast<uintptr_t>(block->bytes);
  return inside ? block : nullptr;
}

const Block *BlockTable::near(const void *address, uintptr_t bytes) const {
  if (!range.contains(address))
    return nullptr;
  auto place = reinterpret_cast<uintptr_t>(address);
  uintptr_t distance = bytes + 1;
  const Block *nearest = nullptr;
  if (const Block *block = below(place, bytes)) {
    uintptr_t end = reinterpret_cast<uintptr_t>(block->data) + static_cast<uintptr_t>(block->bytes);
    if (place < end)
      return block;
    if (place - end < distance) {
      distance = place - end;
      nearest = block;
    }
  }
  for (size_t i = (place - range.base) / blockAlignment; i < range.bytes / blockAlignment; ++i) {
    if (i * blockAlignment > place - range.base + distance)
      break;
    const Block *block = entries[i].load(std::memory_order_acquire);
    if (!block || reinterpret_cast<uintptr_t>(block->data) < place)
      continue;
    return reinterpret_cast<uintptr_t>(block->data) - place < distance ? block : nearest;
  }
  return nearest;
}

} // namespace ferry::runtime
