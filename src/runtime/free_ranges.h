// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which parts of a range of addresses are in use: best fit, gaps side by side become one.

#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace ferry::runtime {

class FreeRanges {
public:
  explicit FreeRanges(size_t bytes) : bytes(bytes) {}

  /// The offset of `size` bytes (> 0) that are in use from now on; nothing if there is no such gap.
  std::optional<size_t> take(size_t size);
  /// Of bytes that were taken, in whole or in part.
  void give(size_t offset, size_t size);

  /// Where no byte has ever been in use.
  size_t end() const { return carved; }

private:
  void add(size_t offset, size_t size);
  void remove(std::map<size_t, size_t>::iterator at);

  size_t bytes;
  std::map<size_t, size_t> byOffset;          ///< offset to size of gaps below `carved`, never two side by side
  std::set<std::pair<size_t, size_t>> bySize; ///< size, offset
  size_t carved = 0;
};

} // namespace ferry::runtime
