// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds two threads of a launch that touch the same byte, one of them writing, with nothing to say which of them is
// first: no barrier of their group between them, and no release by the one before an acquire by the other. Two atomic
// accesses (or volatile, relaxed, acquire, release ones) are no race, and neither is a plain read of what is written as
// volatile, which is how a kernel looks whether another has failed.
//
// Threads run in turn, so there is one order of all that happens. A release is taken to be seen by each acquire behind
// it in that order, which finds a release that is missing, but not one through the wrong variable.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ptx {

/// A thread, as far as others' accesses are ordered before its own.
struct Observer {
  uint32_t interval = 0, thread = 0;       ///< between two barriers of its group; in the group
  uint32_t releases = 0;                   ///< in this interval
  uint64_t acquired = 0, acquiredWide = 0; ///< when it last did, in any scope and in one of all groups
};

struct Touch {
  bool isWrite, isStrong, isVolatile, isShared;
};

class Races {
public:
  /// What was touched before is no matter any more.
  void beginLaunch();

  /// A number for the time until the group's next barrier. `before`: the group's one before; 0: there is none.
  uint32_t beginInterval(uint32_t group, uint32_t before);

  void acquire(Observer &by, bool isWide) const;
  void release(Observer &by, bool isWide);

  /// Of at most `pageBytes` that lie in one page. Throws Error, which says `text`.
  void touch(const Observer &by, uint64_t address, size_t bytes, Touch how, const std::string &text);

  static constexpr uint64_t pageBytes = 1024;

private:
  /// An access: interval, thread, releases of the thread before it, whether it writes (1), volatile (2).
  using Access = uint64_t;

  /// The last write; of reads, and of strong accesses, those of the last two threads.
  struct Cell {
    Access write = 0;
    std::array<Access, 2> reads{}, strong{};
  };

  /// One cell for so many bytes as all accesses to the page had at least.
  struct Page {
    int shift = 0;
    std::vector<Cell> cells;
  };

  struct Interval {
    uint32_t group, before;
    uint64_t released; ///< when a thread of the group first released it for other groups, behind its barrier
  };

  struct Release {
    uint64_t time;
    bool isWide;
  };

  Page &pageAt(uint64_t address, size_t bytes);
  bool isBefore(Access other, const Observer &by, bool isShared) const;
  void visit(Cell &cell, Access mine, const Observer &by, Touch how, const std::string &text) const;
  [[noreturn]] void report(Access other, const Observer &by, Touch how, const std::string &text) const;

  uint32_t first = 1; ///< interval of the launch
  uint64_t now = 0;   ///< counts releases
  std::vector<Interval> intervals;
  std::unordered_map<uint64_t, std::vector<Release>> releases; ///< of a thread in an interval
  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages;
  std::array<std::pair<uint64_t, Page *>, 256> recent{};
};

} // namespace ptx
