// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tells one build, processor or library from another.

#pragma once

#include <string>

namespace ferry {

/// The linker's sum of a program or library (its note NT_GNU_BUILD_ID); empty if it has none.
std::string buildIdOf(const std::string &file);

/// What the processor says of its kind and of what it can do; empty where it cannot be asked.
std::string processorId();

/// Another one when the file is replaced: its size and the time it was written.
std::string stampOf(const std::string &file);

} // namespace ferry
