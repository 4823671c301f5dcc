// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string_view>

namespace ferry::runtime {

/// An open file, closed at the end; a negative one is none.
class Descriptor {
public:
  explicit Descriptor(int fd) : fd(fd) {}
  ~Descriptor();
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  operator int() const { return fd; }

private:
  int fd;
};

/// False, with errno set, if not all of it can be written.
bool writeAll(int fd, std::string_view bytes);

} // namespace ferry::runtime
