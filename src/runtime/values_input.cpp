// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/values.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ferry::runtime {

void InputBytes::Unmap::operator()(void *p) const { munmap(p, size); }

std::optional<InputBytes> InputBytes::fromDescriptor(int fd, std::string &error) {
  InputBytes input;
  struct stat facts;
  if (fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0 && lseek(fd, 0, SEEK_CUR) == 0) {
    auto size = static_cast<size_t>(facts.st_size);
    void *p = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p != MAP_FAILED) {
      input.mapped = {p, Unmap{size}};
      input.size = size;
      return input;
    }
  }
  constexpr size_t step = size_t(1) << 16;
  for (;;) {
    if (input.bytes.size() - input.size < step)
      input.bytes.resize(std::max(2 * input.bytes.size(), 2 * step));
    ssize_t got = read(fd, input.bytes.data() + input.size, input.bytes.size() - input.size);
    if (got == 0)
      return input;
    if (got > 0) {
      input.size += static_cast<size_t>(got);
    } else if (errno != EINTR) {
      error = std::strerror(errno);
      return std::nullopt;
    }
  }
}

} // namespace ferry::runtime
