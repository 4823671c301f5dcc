// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ferry solve: a placement problem from a file, for compilers that do not link the engine.

#include "ferry/files.h"
#include "ferry/options.h"

#include "report/problem_file.h"

#include <iostream>
#include <sstream>

int ferry::solve(const SolveOptions &options) {
  std::string error;
  auto text = readFile(options.file, error);
  if (!text) {
    std::cerr << "ferry: error: " << error << '\n';
    return exitFailure;
  }
  std::ostringstream plan;
  if (int status = report::solveFile(*text, plan, std::cerr))
    return status;
  return writeOutput(plan.view());
}
