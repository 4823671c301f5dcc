// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ferry solve: a placement problem from a file, for compilers that do not link the engine.

#include "ferry/files.h"
#include "ferry/options.h"

#include "report/problem_file.h"

#include <cstdio>
#include <sstream>

int ferry::solve(const SolveOptions &options) {
  std::string error;
  auto text = readFile(options.file, error);
  if (!text) {
    std::fprintf(stderr, "ferry: error: %s\n", error.c_str());
    return exitFailure;
  }
  std::ostringstream plan, errors;
  int status = report::solveFile(*text, plan, errors);
  std::fputs(errors.str().c_str(), stderr);
  return status ? status : writeOutput(plan.view());
}
