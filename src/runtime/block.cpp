// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/block.h"

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

const Block *BlockTable::holding(const void *address) const {
  if (!range.contains(address))
    return nullptr;
  auto place = reinterpret_cast<uintptr_t>(address);
  for (size_t i = (place - range.base) / blockAlignment + 1; i-- > 0;) {
    if (const Block *block = entries[i].load(std::memory_order_acquire)) {
      bool inside = place - reinterpret_cast<uintptr_t>(block->data) < static_cast<uintptr_t>(block->bytes);
      return inside ? block : nullptr;
    }
  }
  return nullptr;
}

} // namespace ferry::runtime
