// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "races.h"

#include "ptx.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace ptx {

static constexpr uint64_t never = std::numeric_limits<uint64_t>::max(), writes = 1, isVolatileMark = 2;
static constexpr int intervalAt = 32, threadAt = 16, releasesAt = 8;
static constexpr uint32_t mostReleases = 255;

static uint32_t intervalOf(uint64_t access) { return static_cast<uint32_t>(access >> intervalAt); }
static uint32_t threadOf(uint64_t access) { return access >> threadAt & 0xffff; }
static bool isSameThread(uint64_t a, uint64_t b) { return (a ^ b) >> threadAt == 0; }

void Races::beginLaunch() {
  first += static_cast<uint32_t>(intervals.size());
  intervals.clear();
  releases.clear();
  now = 0;
}

uint32_t Races::beginInterval(uint32_t group, uint32_t before) {
  auto made = first + static_cast<uint32_t>(intervals.size());
  intervals.push_back({group, before, never});
  return made;
}

void Races::acquire(Observer &by, bool isWide) const {
  by.acquired = now;
  if (isWide)
    by.acquiredWide = now;
}

// Also of what the group's threads did before the last barrier.
void Races::release(Observer &by, bool isWide) {
  ++now;
  if (by.releases < mostReleases) {
    ++by.releases;
    releases[by.interval * (uint64_t(1) << intervalAt) + by.thread].push_back({now, isWide});
  }
  if (isWide)
    for (uint32_t at = intervals[by.interval - first].before; at != 0; at = intervals[at - first].before) {
      if (intervals[at - first].released != never)
        break;
      intervals[at - first].released = now;
    }
}

bool Races::isBefore(Access other, const Observer &by, bool isShared) const {
  const Interval &theirs = intervals[intervalOf(other) - first];
  bool isOfGroup = theirs.group == intervals[by.interval - first].group;
  if (isOfGroup ? intervalOf(other) != by.interval : isShared)
    return true;
  uint64_t acquired = isOfGroup ? by.acquired : by.acquiredWide;
  if (!isOfGroup && theirs.released <= acquired)
    return true;
  auto found = releases.find(intervalOf(other) * (uint64_t(1) << intervalAt) + threadOf(other));
  if (found == releases.end())
    return false;
  size_t before = other >> releasesAt & mostReleases;
  for (size_t i = std::min<size_t>(before, mostReleases - 1); i < found->second.size(); ++i)
    if (isOfGroup || found->second[i].isWide)
      return found->second[i].time <= acquired;
  return false;
}

void Races::report(Access other, const Observer &by, Touch how, const std::string &text) const {
  auto named = [&](uint32_t thread, uint32_t interval) {
    return "thread " + std::to_string(thread) + " of group " + std::to_string(intervals[interval - first].group);
  };
  throw Error("a race: " + named(by.thread, by.interval) + (how.isWrite ? " writes" : " reads") + " what " +
              named(threadOf(other), intervalOf(other)) + ((other & writes) != 0 ? " wrote" : " read") +
              ", and nothing orders them: " + text);
}

void Races::visit(Cell &cell, Access mine, const Observer &by, Touch how, const std::string &text) const {
  Access oldest = static_cast<Access>(first) << intervalAt;
  auto meet = [&](Access other) {
    if (other >= oldest && !isSameThread(other, mine) && !isBefore(other, by, how.isShared))
      report(other, by, how, text);
  };
  auto keep = [&](std::array<Access, 2> &last) {
    if (!isSameThread(last[0], mine))
      last[1] = last[0];
    else if ((last[0] & writes) != 0)
      return;
    last[0] = mine;
  };
  meet(cell.write);
  if (!how.isStrong)
    for (Access other : cell.strong)
      if (how.isWrite || (other & (writes | isVolatileMark)) == writes)
        meet(other);
  if (how.isWrite && !how.isVolatile)
    for (Access other : cell.reads)
      meet(other);
  if (how.isStrong)
    keep(cell.strong);
  else if (how.isWrite)
    cell.write = mine;
  else
    keep(cell.reads);
}

Races::Page &Races::pageAt(uint64_t address, size_t bytes) {
  uint64_t key = address / pageBytes;
  auto &[known, page] = recent[key % recent.size()];
  if (known != key || !page) {
    std::unique_ptr<Page> &found = pages[key];
    if (!found)
      found = std::make_unique<Page>();
    known = key;
    page = found.get();
  }
  // The largest power of two that the access is made of.
  int shift = std::min(std::countr_zero(address | bytes), 3);
  if (page->cells.empty()) {
    page->shift = shift;
    page->cells.resize(pageBytes >> shift);
  } else if (shift < page->shift) {
    std::vector<Cell> finer;
    finer.reserve(pageBytes >> shift);
    for (const Cell &cell : page->cells)
      finer.insert(finer.end(), size_t(1) << (page->shift - shift), cell);
    page->cells = std::move(finer);
    page->shift = shift;
  }
  return *page;
}

void Races::touch(const Observer &by, uint64_t address, size_t bytes, Touch how, const std::string &text) {
  Page &page = pageAt(address, bytes);
  Access mine = static_cast<Access>(by.interval) << intervalAt | by.thread << threadAt | by.releases << releasesAt |
                (how.isWrite ? writes : 0) | (how.isVolatile ? isVolatileMark : 0);
  size_t from = address % pageBytes >> page.shift, count = bytes >> page.shift;
  for (size_t i = 0; i < count; ++i)
    visit(page.cells[from + i], mine, by, how, text);
}

} // namespace ptx
