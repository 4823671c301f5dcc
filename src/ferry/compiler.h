// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler as `ferry` sees it. It is a library of its own, loaded when a command needs it: MLIR and LLVM take 20 ms
// to load, which a run from the cache does not have.

#pragma once

#include "ferry/compiled.h"
#include "ferry/device_choice.h"
#include "ferry/options.h"
#include "ferry/progress.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ferry {

/// The compilation of one entry point for a run. What it says is kept with what it makes.
class RunCompiler {
public:
  virtual ~RunCompiler() = default;

  /// Reads and checks the sources. The exit status; errors are printed, and warnings unless `isQuiet`.
  virtual int load(bool isQuiet) = 0;
  virtual const runtime::EntryPoint &entry() const = 0;
  /// Each source file that was read, with its text.
  virtual std::vector<std::pair<std::string, std::string_view>> sources() const = 0;
  /// Warnings and notes so far.
  virtual const std::string &messages() const = 0;

  /// Compiles for arguments like these. The exit status; errors are printed.
  virtual int compile(const std::vector<runtime::Value> &arguments, CompiledEntry &made) = 0;
};

struct CompilerLibrary {
  int (*check)(const CheckOptions &options);
  int (*explain)(const ExplainOptions &options);
  int (*emit)(const EmitOptions &options);
  int (*build)(const BuildOptions &options);
  int (*calibrate)(const CalibrateOptions &options);
  /// Null if an option is wrong: `status` then is the exit status, and the error printed.
  std::unique_ptr<RunCompiler> (*startRun)(const RunOptions &options, const ChosenDevice &device, Progress &progress,
                                           int &status);
  /// The file of a trace: what each run of a program measured.
  std::string (*traceText)(const PlanAccount &plan, const std::string &device,
                           const std::vector<std::vector<runtime::Measured>> &runs);
  /// The libraries that it compiles with, beside itself: LLVM's and MLIR's, and what kernels are linked with.
  std::vector<std::string> (*libraries)();
};

/// What the library exports under this name, a CompilerLibrary.
inline constexpr char compilerSymbol[] = "ferry_compiler";

/// The library's file; empty if there is none beside this program.
const std::string &compilerPath();

/// The library; null, with the error printed, if it cannot be loaded.
const CompilerLibrary *compiler();

} // namespace ferry
