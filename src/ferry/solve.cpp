// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ferry solve: a placement problem from a file, for compilers that do not link the engine.

#include "ferry/files.h"
#include "ferry/options.h"

#include "report/problem_file.h"

#include <iostream>

int ferry::solve(const SolveOptions &options) {
  std::string error;
  auto text = readFile(options.file, error);
  if (!text) {
    std::cerr << error << '\n';
    return exitFailure;
  }
  return report::solveFile(*text, std::cout, std::cerr);
}
