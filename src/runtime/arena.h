// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A range of addresses that can be put out of reach as a whole, and blocks in it.
//
// A protected arena is one piece of memory mapped twice: where its blocks are, which is out of reach while closed, and
// an alias that only the run-time knows, through which transfers and poisoning go without opening it.
//
// A guarded arena gives each block pages of its own beside one that cannot be touched, so that the hardware refuses
// what is outside of every block. What was dropped cannot be touched either, and its addresses are used again late.

#pragma once

#include "runtime/device.h"
#include "runtime/free_ranges.h"

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace ferry::runtime {

/// Whether the page that cannot be touched is right after a block's last byte, or right before its first.
enum class Guard { none, after, before };

class Arena {
public:
  /// Bytes that arenas which share it may still give out together.
  using Budget = std::shared_ptr<std::atomic<int64_t>>;

  /// Addresses for `bytes`, of which only what is used takes memory; `what` is for, as messages say it. Open at first.
  /// Null, with a reason, if they cannot be had.
  static std::unique_ptr<Arena> make(const char *what, size_t bytes, bool isProtected, Guard guard, Budget budget,
                                     std::string &error);
  ~Arena();
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  /// A block aligned to 64 bytes, distinct from every live one; null if arena or budget is used up. In a protected or
  /// guarded arena all its bytes are 0xff: a NaN of any float type, -1 of any integer type, no bool. With a guard right
  /// after it the block is aligned as an array of so many bytes has to be, no more.
  void *allocate(int64_t bytes);
  void free(void *block);

  /// Whether the bytes that share the block's pages are as they were. True without guards.
  bool isIntact(const void *block);
  /// Whether the address is in a live block. In a signal handler only for addresses that the run-time never touches.
  bool holds(const void *address);

  AddressRange addresses() const { return range; }
  bool isGuarded() const { return guard != Guard::none; }
  /// Whether blocks have ever been here, live ones or not. Safe in a signal handler, as are open and isOpen.
  bool used(const void *address) const {
    return reinterpret_cast<uintptr_t>(address) - range.base < top.load(std::memory_order_relaxed);
  }
  bool isOpen() const { return opened.load(std::memory_order_relaxed); }
  /// Both do nothing in an arena that is not protected. They end the process where the system refuses.
  void open();
  void close();

  /// The same byte by its other address.
  void *alias(void *p) const { return static_cast<char *>(p) + aliasOffset; }
  const void *alias(const void *p) const { return static_cast<const char *>(p) + aliasOffset; }

private:
  /// What one block takes of the range, and how much of that it asked for.
  struct Piece {
    size_t offset, bytes, asked;
  };
  Arena(AddressRange range, ptrdiff_t aliasOffset, bool isProtected, Guard guard, Budget budget)
      : range(range), aliasOffset(aliasOffset), isProtected(isProtected), guard(guard), budget(std::move(budget)),
        ranges(range.bytes) {}
  char *at(size_t offset) const { return reinterpret_cast<char *>(range.base) + offset; }
  bool spend(size_t bytes);
  void setReach(int protection);
  void poison(size_t offset, size_t bytes);
  bool take(size_t bytes, size_t &offset);

  /// Of guarded arenas.
  size_t dataOf(const Piece &piece) const;
  size_t pagesOf(const Piece &piece) const; ///< where those begin that can be touched: all of the piece but one
  bool reveal(const Piece &piece);
  void hide(const Piece &piece);
  void retire(const Piece &piece);

  AddressRange range;
  ptrdiff_t aliasOffset;
  bool isProtected;
  Guard guard;
  Budget budget;

  std::atomic<bool> opened = true;
  std::atomic<size_t> top = 0; ///< bytes from the base that blocks have ever been in, whole pages

  std::mutex mutex;
  std::map<size_t, Piece> live; ///< by the offset of the block
  FreeRanges ranges;
  std::deque<Piece> dropped; ///< of guarded arenas: not to be used again yet, the oldest first
  size_t droppedBytes = 0;
};

} // namespace ferry::runtime
