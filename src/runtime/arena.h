// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A range of addresses that can be put out of reach as a whole, and blocks in it.
//
// A protected arena is one piece of memory mapped twice: where its blocks are, which is out of reach while closed, and
// an alias that only the run-time knows, through which transfers and poisoning go without opening it.

#ifndef FERRY_RUNTIME_ARENA_H
#define FERRY_RUNTIME_ARENA_H

#include "runtime/device.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace ferry::runtime {

class Arena {
public:
  // Bytes that arenas which share it may still give out together.
  using Budget = std::shared_ptr<std::atomic<int64_t>>;

  // Addresses for `bytes`, of which only what is used takes memory. Open at first. Null, with a reason, if they cannot
  // be had.
  static std::unique_ptr<Arena> make(size_t bytes, bool isProtected, Budget budget, std::string &error);
  ~Arena();
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  // A block of 64-byte units, distinct from every live one; null if arena or budget is used up. In a protected arena
  // all its bytes are 0xff: a NaN of any float type, -1 of any integer type, no bool.
  void *allocate(int64_t bytes);
  void free(void *block);

  AddressRange addresses() const { return range; }
  // Whether blocks have ever been here, live ones or not. Safe in a signal handler, as are open and isOpen.
  bool used(const void *address) const {
    return reinterpret_cast<uintptr_t>(address) - range.base < top.load(std::memory_order_relaxed);
  }
  bool isOpen() const { return opened.load(std::memory_order_relaxed); }
  // Both do nothing in an arena that is not protected.
  void open();
  void close();

  // The same byte by its other address.
  void *alias(void *p) const { return static_cast<char *>(p) + aliasOffset; }
  const void *alias(const void *p) const { return static_cast<const char *>(p) + aliasOffset; }

private:
  Arena(AddressRange range, ptrdiff_t aliasOffset, bool isProtected, Budget budget)
      : range(range), aliasOffset(aliasOffset), isProtected(isProtected), budget(std::move(budget)) {}
  bool spend(size_t bytes);
  void setReach(int protection);
  void poison(size_t offset, size_t bytes);
  void addFree(size_t offset, size_t bytes);
  void removeFree(std::map<size_t, size_t>::iterator at);

  AddressRange range;
  ptrdiff_t aliasOffset;
  bool isProtected;
  Budget budget;
  std::atomic<bool> opened = true;
  std::atomic<size_t> top = 0; // bytes from the base that blocks have ever been in, whole pages

  std::mutex mutex;
  std::map<size_t, size_t> live;                  // offset to bytes
  std::map<size_t, size_t> freeAt;                // the same of gaps below `carved`, never two side by side
  std::set<std::pair<size_t, size_t>> freeBySize; // bytes, offset
  size_t carved = 0;                              // where no block has ever been
};

} // namespace ferry::runtime

#endif
