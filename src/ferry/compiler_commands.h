// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands of the compiler's library.

#pragma once

#include "ferry/compiler.h"

namespace ferry::compiler_commands {

int check(const CheckOptions &options);
int explain(const ExplainOptions &options);
int emit(const EmitOptions &options);
int build(const BuildOptions &options);
int calibrate(const CalibrateOptions &options);
std::string traceText(const PlanAccount &plan, const std::string &device,
                      const std::vector<std::vector<runtime::Measured>> &runs);
std::unique_ptr<RunCompiler> startRun(const RunOptions &options, const ChosenDevice &device, Progress &progress,
                                      int &status);

} // namespace ferry::compiler_commands
