// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/free_ranges.h"

namespace ferry::runtime {

void FreeRanges::add(size_t offset, size_t size) {
  byOffset.emplace(offset, size);
  bySize.emplace(size, offset);
}

void FreeRanges::remove(std::map<size_t, size_t>::iterator at) {
  bySize.erase({at->second, at->first});
  byOffset.erase(at);
}

std::optional<size_t> FreeRanges::take(size_t size) {
  if (auto fit = bySize.lower_bound({size, 0}); fit != bySize.end()) {
    auto [found, offset] = *fit;
    remove(byOffset.find(offset));
    if (found > size)
      add(offset + size, found - size);
    return offset;
  }
  if (size > bytes - carved)
    return std::nullopt;
  carved += size;
  return carved - size;
}

void FreeRanges::give(size_t offset, size_t size) {
  auto after = byOffset.lower_bound(offset);
  if (after != byOffset.begin()) {
    if (auto before = std::prev(after); before->first + before->second == offset) {
      offset = before->first;
      size += before->second;
      remove(before);
    }
  }
  if (after = byOffset.lower_bound(offset); after != byOffset.end() && offset + size == after->first) {
    size += after->second;
    remove(after);
  }
  add(offset, size);
}

} // namespace ferry::runtime
