// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `ferry build` puts into an executable beside the code, and the main program of every such executable finds
// there.

#pragma once

#include "runtime/entry_point.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::standalone {

/// An entry point, compiled for a kind of device. Its code is at the same place in FerryProgram::functions.
struct Variant {
  runtime::DeviceKind device;
  runtime::EntryPoint entry;
};

struct Program {
  std::vector<std::string> features; ///< Of the processor (runtime/processor.h), which the code uses.
  std::string machine;               ///< The profile, as report::writeMachine has it.
  std::vector<Variant> variants;
};

std::string toBytes(const Program &program);
/// Nothing if these are no such bytes.
std::optional<Program> programFromBytes(std::string_view bytes);

} // namespace ferry::standalone

extern "C" {
/// What an executable defines under the name ferry_program.
struct FerryProgram {
  const char *description; ///< as of toBytes
  int64_t size;            ///< of it
  ferry::runtime::EntryFunction const *functions;
};
}
