// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "ferry/options.h"

#include <string>

namespace ferry {

/// Says on standard error what is wrong. The exit status.
int fail(const std::string &message, ExitStatus status = exitFailure);

/// The same of what is nobody's fault but Ferry's.
int failAsDefect(const std::string &message);

} // namespace ferry
