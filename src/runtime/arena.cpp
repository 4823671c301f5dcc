// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arena.h"
#include "runtime/block.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace ferry::runtime {

static constexpr size_t page = 4096;

static size_t roundUp(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

static std::unique_ptr<Arena> fail(std::string &error, const char *what) {
  error = std::string("cannot reserve memory for a device (") + what + ": " + std::strerror(errno) + ")";
  return nullptr;
}

std::unique_ptr<Arena> Arena::make(size_t bytes, bool isProtected, Budget budget, std::string &error) {
  bytes = roundUp(std::max(bytes, page), page);
  if (!isProtected) {
    void *p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
      return fail(error, "mmap");
    return std::unique_ptr<Arena>(new Arena({reinterpret_cast<uintptr_t>(p), bytes}, 0, false, std::move(budget)));
  }
  int fd = memfd_create("ferry-arena", MFD_CLOEXEC);
  if (fd < 0)
    return fail(error, "memfd_create");
  if (ftruncate(fd, static_cast<off_t>(bytes)) != 0) {
    ::close(fd);
    return fail(error, "ftruncate");
  }
  void *user = mmap(nullptr, bytes, PROT_NONE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  void *own = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  ::close(fd);
  if (user == MAP_FAILED || own == MAP_FAILED) {
    if (user != MAP_FAILED)
      munmap(user, bytes);
    if (own != MAP_FAILED)
      munmap(own, bytes);
    return fail(error, "mmap");
  }
  return std::unique_ptr<Arena>(new Arena({reinterpret_cast<uintptr_t>(user), bytes},
                                          static_cast<char *>(own) - static_cast<char *>(user), true,
                                          std::move(budget)));
}

Arena::~Arena() {
  void *user = reinterpret_cast<void *>(range.base);
  if (isProtected)
    munmap(alias(user), range.bytes);
  munmap(user, range.bytes);
}

void Arena::setReach(int protection) {
  if (isProtected && top > 0)
    mprotect(reinterpret_cast<void *>(range.base), top, protection);
}

void Arena::open() {
  setReach(PROT_READ | PROT_WRITE);
  opened = true;
}

void Arena::close() {
  setReach(PROT_NONE);
  opened = false;
}

void Arena::poison(size_t offset, size_t bytes) {
  if (isProtected)
    std::memset(alias(reinterpret_cast<char *>(range.base) + offset), 0xff, bytes);
}

void Arena::addFree(size_t offset, size_t bytes) {
  freeAt.emplace(offset, bytes);
  freeBySize.emplace(bytes, offset);
}

void Arena::removeFree(std::map<size_t, size_t>::iterator at) {
  freeBySize.erase({at->second, at->first});
  freeAt.erase(at);
}

bool Arena::spend(size_t bytes) {
  if (budget->fetch_sub(static_cast<int64_t>(bytes)) >= static_cast<int64_t>(bytes))
    return true;
  *budget += static_cast<int64_t>(bytes);
  return false;
}

void *Arena::allocate(int64_t asked) {
  if (asked < 0 || static_cast<size_t>(asked) > range.bytes)
    return nullptr;
  size_t bytes = roundUp(std::max<size_t>(static_cast<size_t>(asked), 1), blockAlignment);
  if (!spend(bytes))
    return nullptr;
  std::lock_guard lock(mutex);
  size_t offset;
  if (auto fit = freeBySize.lower_bound({bytes, 0}); fit != freeBySize.end()) {
    auto [found, at] = *fit;
    removeFree(freeAt.find(at));
    if (found > bytes)
      addFree(at + bytes, found - bytes);
    offset = at;
  } else {
    if (bytes > range.bytes - carved) {
      *budget += static_cast<int64_t>(bytes);
      return nullptr;
    }
    offset = carved;
    carved += bytes;
    poison(offset, bytes);
    size_t newTop = roundUp(carved, page);
    if (newTop > top) {
      if (isProtected && opened)
        mprotect(reinterpret_cast<void *>(range.base + top), newTop - top, PROT_READ | PROT_WRITE);
      top = newTop;
    }
  }
  live.emplace(offset, bytes);
  return reinterpret_cast<void *>(range.base + offset);
}

void Arena::free(void *block) {
  std::lock_guard lock(mutex);
  auto at = live.find(reinterpret_cast<uintptr_t>(block) - range.base);
  if (at == live.end())
    return;
  size_t offset = at->first, bytes = at->second;
  live.erase(at);
  *budget += static_cast<int64_t>(bytes);
  poison(offset, bytes);
  auto after = freeAt.lower_bound(offset);
  if (after != freeAt.begin()) {
    if (auto before = std::prev(after); before->first + before->second == offset) {
      offset = before->first;
      bytes += before->second;
      removeFree(before);
    }
  }
  if (after = freeAt.lower_bound(offset); after != freeAt.end() && offset + bytes == after->first) {
    bytes += after->second;
    removeFree(after);
  }
  addFree(offset, bytes);
}

} // namespace ferry::runtime
