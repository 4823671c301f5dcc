// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of executables, which is that of the ones which Futhark's compilers make.

#pragma once

#include "standalone/program.h"

#include <cstdio>
#include <string>

namespace ferry::standalone {

struct Options {
  std::string entry = "main";
  bool binary = false;
  bool prints = true;     ///< the results
  bool logs = false;      ///< what happens, and what was counted
  bool profiles = false;  ///< what was counted
  bool debugging = false; ///< with accesses outside of arrays found
  int runs = 1;
  bool warmsUp = false; ///< with a run before them
  std::FILE *runtimes = nullptr;
  runtime::DeviceKind device = runtime::DeviceKind::none;
  std::string whichDevice; ///< of several of a kind
  int64_t deviceMemory = 0;
  int threads = 0;
};

/// The options; does not return if one is wrong, or asks for help.
Options readOptions(int argc, char **argv, const Program &program);

/// Ends the process with status 1: `name: message`.
[[noreturn]] void fail(const std::string &message);
/// What is before a message: how the program was called.
void setName(const char *name);

} // namespace ferry::standalone
