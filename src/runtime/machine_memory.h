// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>

namespace ferry::runtime {

/// The machine's memory in bytes.
int64_t machineMemory();

/// How many bytes could be written to now without the system having to end a process: what the kernel estimates, and no
/// more than is left of the process's memory control group. The machine's memory where neither is known.
int64_t availableMemory();

} // namespace ferry::runtime
