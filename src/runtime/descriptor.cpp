// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/descriptor.h"

#include <unistd.h>

namespace ferry::runtime {

Descriptor::~Descriptor() {
  if (fd >= 0)
    ::close(fd);
}

bool writeAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written <= 0)
      return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

} // namespace ferry::runtime
