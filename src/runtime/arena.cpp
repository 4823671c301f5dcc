// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arena.h"
#include "runtime/block.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace ferry::runtime {

static constexpr size_t page = 4096;
static constexpr int poisonByte = 0xff;

static size_t roundUp(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

// Also in a signal handler. Going on would report accesses that are right, or none that are wrong.
[[noreturn]] static void endUnprotected() {
  char message[200];
  int length = std::snprintf(message, sizeof message,
                             "error: the protection of memory cannot be changed: %s; vm.max_map_count limits how many "
                             "arrays can be checked\n",
                             std::strerror(errno));
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, message, static_cast<size_t>(length));
  _exit(EXIT_FAILURE);
}

static void protect(void *pages, size_t bytes, int protection) {
  if (mprotect(pages, bytes, protection) != 0)
    endUnprotected();
}

std::unique_ptr<Arena> Arena::make(const char *what, size_t bytes, bool isProtected, Guard guard, Budget budget,
                                   std::string &error) {
  auto fail = [&](const char *call) {
    error = std::string("cannot reserve ") + std::to_string(bytes) + " bytes of addresses for " + what + " (" + call +
            ": " + std::strerror(errno) + "); `ulimit -v` and vm.overcommit_memory limit them";
    return nullptr;
  };
  // Each block takes two pages at least, and more of those that are not used again yet.
  if (guard != Guard::none)
    bytes = std::max(bytes, size_t(1) << 40);
  bytes = roundUp(std::max(bytes, page), page);
  if (!isProtected) {
    int reach = guard == Guard::none ? PROT_READ | PROT_WRITE : PROT_NONE;
    void *p = mmap(nullptr, bytes, reach, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
      return fail("mmap");
    return std::unique_ptr<Arena>(
        new Arena({reinterpret_cast<uintptr_t>(p), bytes}, 0, false, guard, std::move(budget)));
  }
  int fd = memfd_create("ferry-arena", MFD_CLOEXEC);
  if (fd < 0)
    return fail("memfd_create");
  if (ftruncate(fd, static_cast<off_t>(bytes)) != 0) {
    ::close(fd);
    return fail("ftruncate");
  }
  void *user = mmap(nullptr, bytes, PROT_NONE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  int reach = guard == Guard::none ? PROT_READ | PROT_WRITE : PROT_NONE;
  void *own = mmap(nullptr, bytes, reach, MAP_SHARED | MAP_NORESERVE, fd, 0);
  ::close(fd);
  if (user == MAP_FAILED || own == MAP_FAILED) {
    if (user != MAP_FAILED)
      munmap(user, bytes);
    if (own != MAP_FAILED)
      munmap(own, bytes);
    return fail("mmap");
  }
  return std::unique_ptr<Arena>(new Arena({reinterpret_cast<uintptr_t>(user), bytes},
                                          static_cast<char *>(own) - static_cast<char *>(user), true, guard,
                                          std::move(budget)));
}

Arena::~Arena() {
  void *user = reinterpret_cast<void *>(range.base);
  if (isProtected)
    munmap(alias(user), range.bytes);
  munmap(user, range.bytes);
}

void Arena::setReach(int protection) {
  if (guard == Guard::none) {
    if (top > 0)
      protect(at(0), top, protection);
    return;
  }
  for (auto &[offset, piece] : live)
    protect(at(pagesOf(piece)), piece.bytes - page, protection);
}

void Arena::open() {
  if (!isProtected)
    return;
  std::unique_lock lock(mutex, std::defer_lock);
  if (guard != Guard::none)
    lock.lock();
  setReach(PROT_READ | PROT_WRITE);
  opened = true;
}

void Arena::close() {
  if (!isProtected)
    return;
  std::unique_lock lock(mutex, std::defer_lock);
  if (guard != Guard::none)
    lock.lock();
  setReach(PROT_NONE);
  opened = false;
}

void Arena::poison(size_t offset, size_t bytes) {
  if (isProtected || guard != Guard::none)
    std::memset(alias(at(offset)), poisonByte, bytes);
}

bool Arena::spend(size_t bytes) {
  if (budget->fetch_sub(static_cast<int64_t>(bytes)) >= static_cast<int64_t>(bytes))
    return true;
  *budget += static_cast<int64_t>(bytes);
  return false;
}

bool Arena::take(size_t bytes, size_t &offset) {
  size_t before = ranges.end();
  std::optional<size_t> taken = ranges.take(bytes);
  if (!taken)
    return false;
  offset = *taken;
  if (ranges.end() == before)
    return true;
  if (guard == Guard::none)
    poison(offset, bytes);
  size_t newTop = roundUp(ranges.end(), page);
  if (newTop > top) {
    if (isProtected && opened && guard == Guard::none)
      protect(at(top), newTop - top, PROT_READ | PROT_WRITE);
    top = newTop;
  }
  return true;
}

void *Arena::allocate(int64_t asked) {
  if (asked < 0 || static_cast<size_t>(asked) > range.bytes / 2)
    return nullptr;
  Piece piece{0, 0, static_cast<size_t>(asked)};
  piece.bytes = guard == Guard::none ? roundUp(std::max<size_t>(piece.asked, 1), blockAlignment)
                                     : roundUp(piece.asked, page) + page;
  if (!spend(piece.bytes))
    return nullptr;
  std::lock_guard lock(mutex);
  if (!take(piece.bytes, piece.offset)) {
    *budget += static_cast<int64_t>(piece.bytes);
    return nullptr;
  }
  if (guard != Guard::none && !reveal(piece)) {
    *budget += static_cast<int64_t>(piece.bytes);
    ranges.give(piece.offset, piece.bytes);
    return nullptr;
  }
  size_t data = dataOf(piece);
  live.emplace(data, piece);
  return at(data);
}

void Arena::free(void *block) {
  std::lock_guard lock(mutex);
  auto found = live.find(reinterpret_cast<uintptr_t>(block) - range.base);
  if (found == live.end())
    return;
  Piece piece = found->second;
  live.erase(found);
  *budget += static_cast<int64_t>(piece.bytes);
  if (guard != Guard::none)
    return retire(piece);
  poison(piece.offset, piece.bytes);
  ranges.give(piece.offset, piece.bytes);
}

//===- Guards -----------------------------------------------------------------------------------------------------===//

size_t Arena::pagesOf(const Piece &piece) const { return piece.offset + (guard == Guard::before ? page : 0); }

size_t Arena::dataOf(const Piece &piece) const {
  return pagesOf(piece) + (guard == Guard::after ? piece.bytes - page - piece.asked : 0);
}

// False if the system gives no more separate pieces of memory.
bool Arena::reveal(const Piece &piece) {
  char *pages = at(pagesOf(piece));
  size_t bytes = piece.bytes - page;
  if (isProtected && mprotect(alias(pages), bytes, PROT_READ | PROT_WRITE) != 0)
    return false;
  if (opened && mprotect(pages, bytes, PROT_READ | PROT_WRITE) != 0)
    return false;
  poison(pagesOf(piece), bytes);
  return true;
}

void Arena::hide(const Piece &piece) {
  char *pages = at(pagesOf(piece));
  size_t bytes = piece.bytes - page;
  madvise(alias(pages), bytes, isProtected ? MADV_REMOVE : MADV_DONTNEED);
  protect(pages, bytes, PROT_NONE);
  if (isProtected)
    protect(alias(pages), bytes, PROT_NONE);
}

// A dropped block stays untouchable until many others were dropped, or much memory.
void Arena::retire(const Piece &piece) {
  constexpr size_t most = 4096;
  hide(piece);
  dropped.push_back(piece);
  droppedBytes += piece.bytes;
  while (dropped.size() > most || droppedBytes > range.bytes / 4) {
    ranges.give(dropped.front().offset, dropped.front().bytes);
    droppedBytes -= dropped.front().bytes;
    dropped.pop_front();
  }
}

bool Arena::isIntact(const void *block) {
  if (guard == Guard::none)
    return true;
  std::lock_guard lock(mutex);
  auto found = live.find(reinterpret_cast<uintptr_t>(block) - range.base);
  if (found == live.end() || found->second.asked == 0)
    return found != live.end();
  const Piece &piece = found->second;
  auto isPoison = [](char byte) { return byte == static_cast<char>(poisonByte); };
  const char *pages = static_cast<const char *>(alias(at(pagesOf(piece))));
  const char *data = static_cast<const char *>(alias(block));
  return std::all_of(pages, data, isPoison) && std::all_of(data + piece.asked, pages + piece.bytes - page, isPoison);
}

bool Arena::holds(const void *address) {
  std::lock_guard lock(mutex);
  size_t offset = reinterpret_cast<uintptr_t>(address) - range.base;
  auto after = live.upper_bound(offset);
  return after != live.begin() && offset - std::prev(after)->first < std::prev(after)->second.asked;
}

} // namespace ferry::runtime
