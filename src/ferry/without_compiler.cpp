// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the commands for Futhark programs do in a build that has no MLIR.

#include "ferry/options.h"

#include <cstdio>

namespace ferry {

static int refuse(const std::string &file) {
  std::fprintf(stderr, "%s: error: this build of ferry has no compiler for Futhark (FERRY_COMPILER is off)\n",
               file.c_str());
  return exitUnsupported;
}

int check(const CheckOptions &options) { return refuse(options.file); }
int run(const RunOptions &options) { return refuse(options.file); }
int build(const BuildOptions &options) { return refuse(options.file); }
int explainProgram(const ExplainOptions &options) { return refuse(options.file); }
std::string realDevices() { return ""; }
int calibrate(const CalibrateOptions &) { return refuse("ferry"); }
int emit(const EmitOptions &options) { return refuse(options.file); }

} // namespace ferry
