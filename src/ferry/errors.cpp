// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/errors.h"

#include <cstdio>

namespace ferry {

int fail(const std::string &message, ExitStatus status) {
  std::fprintf(stderr, "ferry: error: %s\n", message.c_str());
  return status;
}

int failAsDefect(const std::string &message) {
  return fail(message + "; this is a defect of Ferry, please report it", exitViolation);
}

} // namespace ferry
