// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ferry solve: a placement problem from a file, for compilers that do not link the engine.

#include "ferry/errors.h"
#include "ferry/files.h"
#include "ferry/options.h"

#include "report/problem_file.h"

int ferry::solve(const SolveOptions &options) {
  std::string error;
  auto text = readFile(options.file, error);
  if (!text)
    return fail(error);
  auto plan = report::solveFile(*text);
  if (!plan)
    return fail(options.file + ": " + plan.error().message);
  return writeOutput(*plan);
}
