// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ferry solve: a placement problem from a file, for compilers that do not link the engine.

#include "ferry/files.h"
#include "ferry/options.h"

#include "report/problem_file.h"

#include <cstdio>

int ferry::solve(const SolveOptions &options) {
  std::string error;
  auto text = readFile(options.file, error);
  if (!text) {
    std::fprintf(stderr, "ferry: error: %s\n", error.c_str());
    return exitFailure;
  }
  auto plan = report::solveFile(*text);
  if (!plan) {
    std::fprintf(stderr, "ferry: error: %s: %s\n", options.file.c_str(), plan.error().message.c_str());
    return exitFailure;
  }
  return writeOutput(*plan);
}
