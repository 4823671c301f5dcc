// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ferry run: read the arguments, plan with their sizes, compile, run, write the results. Nothing is written to standard
// output unless all went well.

#include "ferry/arguments.h"
#include "ferry/files.h"
#include "ferry/placement.h"
#include "ferry/progress.h"
#include "ferry/report.h"
#include "ferry/trace_file.h"

#include "codegen/Program.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace ferry {

namespace {

int fail(const std::string &message, int status = exitFailure) {
  llvm::errs() << "ferry: error: " << message << '\n';
  return status;
}

/// What runs of the entry took, one by one.
struct Times {
  std::vector<double> microseconds;
  std::vector<std::vector<runtime::Measured>> traces; ///< where they are kept
};

/// One or more runs on one context, and one before them if they are traced; the last one's results.
std::optional<std::vector<runtime::Value>> runEntry(Compilation &compilation, const codegen::Program &program,
                                                    const std::vector<runtime::Value> &arguments,
                                                    const RunOptions &options, FerryContext &context, Times &times) {
  std::optional<codegen::Run> last;
  for (int i = options.trace.empty() ? 0 : -1; i < options.runs; ++i) {
    runtime::ProgramError error;
    last.reset();
    last = program.run(compilation.entry().name, arguments, context, error);
    if (!last) {
      compilation.print(error);
      return std::nullopt;
    }
    std::vector<runtime::Measured> trace = runtime::takeTrace(context);
    if (i < 0)
      continue;
    times.microseconds.push_back(last->microseconds);
    times.traces.push_back(std::move(trace));
  }
  return std::move(last->results);
}

/// A line for each.
std::string timingsText(const std::vector<double> &times) {
  std::string text;
  for (double time : times)
    text += llvm::formatv("{0:f3}\n", time);
  return text;
}

/// The limit on the device's memory, 0 for none. Nothing, with an error, if it is no number of bytes.
std::optional<int64_t> deviceMemoryOf(const RunOptions &options, std::string &error) {
  if (options.placement.deviceMemory.empty())
    return 0;
  auto bytes = parseBytes(options.placement.deviceMemory);
  if (!bytes)
    error = "--device-memory: '" + options.placement.deviceMemory + "' is no number of bytes, such as 512M";
  return bytes;
}

/// What was asked for beside the results. The exit status.
int writeAccounts(const RunOptions &options, const std::optional<array::PlacementReport> &plan, FerryContext &context,
                  const Times &times) {
  runtime::Report report = runtime::report(context);
  int runs = options.runs + (options.trace.empty() ? 0 : 1);
  if (options.explain) {
    if (plan) {
      auto text = explainPlan(*plan, false);
      if (!text)
        return fail(text.error().message);
      llvm::errs() << *text;
    }
    llvm::errs() << explainRun(report);
  }
  std::string error;
  if (!options.report.empty() && !writeFile(options.report, runReport(plan, report, runs), "the report", error))
    return fail(error);
  if (!options.timings.empty() && !writeFile(options.timings, timingsText(times.microseconds), "the timings", error))
    return fail(error);
  if (!options.trace.empty()) {
    TraceFile trace{programMark(*plan), planMark(*plan), std::string(runtime::deviceName(context)), options.runs,
                    quarterOf(times.traces)};
    if (!writeFile(options.trace, traceText(trace), "the trace", error))
      return fail(error);
  }
  return exitSuccess;
}

/// Compiles what is left of the program, runs it and writes the results.
int runCompiled(const RunOptions &options, Compilation &compilation, const runtime::ContextOptions &contextOptions,
                const std::vector<runtime::Value> &arguments, const std::optional<array::PlacementReport> &plan,
                Progress &progress) {
  progress.stage("compiling");
  std::string error;
  codegen::Options codegenOptions;
  codegenOptions.entries.push_back(codegenEntry(compilation.entry()));
  codegenOptions.kernels = kernelTarget({contextOptions.device, contextOptions.whichDevice});
  auto program = codegen::Program::compile(compilation.module(), codegenOptions, error);
  if (!program && error.empty())
    return exitFailure;
  if (!program)
    return fail(error + "; this is a defect of Ferry, please report it", exitViolation);
  runtime::Context context = runtime::makeContext(contextOptions, error);
  if (!context)
    return fail(error);
  progress.stage("running");
  Times times;
  auto results = runEntry(compilation, *program, arguments, options, *context, times);
  if (!results)
    return exitFailure;
  progress.stage("writing the results");
  if (std::string held = runtime::heldBlocks(*context); !held.empty())
    return fail(held, exitViolation);
  int status = writeAccounts(options, plan, *context, times);
  return status ? status : writeResults(*results, options.binary);
}

} // namespace

int run(const RunOptions &options) {
  std::string error;
  auto placement = readPlacement(options.placement, error);
  const char *askedBy = options.explain ? "--explain" : options.noProtection ? "--no-protection" : nullptr;
  auto device = placement ? chooseDevice(options.placement, askedBy, error) : std::nullopt;
  auto deviceMemory = device ? deviceMemoryOf(options, error) : std::nullopt;
  if (deviceMemory && !options.trace.empty() && !device->takesTime()) {
    error = "--trace is of a device that takes time of its own: say --device opencl or cuda, and --plan all-host for "
            "the host";
    deviceMemory.reset();
  }
  if (!deviceMemory)
    return fail(error, exitUsage);

  Progress progress;
  progress.stage("checking");
  Compilation compilation;
  if (int status = compilation.load(options.file, options.entry))
    return status;
  progress.stage("reading the arguments");
  auto arguments = readArguments(compilation.entry(), error);
  if (!arguments) {
    llvm::errs() << error << '\n';
    return exitFailure;
  }
  progress.stage("optimizing");
  if (int status = compilation.optimize(device->hasMemory()))
    return status;
  std::optional<array::PlacementReport> plan;
  if (device->hasMemory()) {
    placement->inputs.arguments = placementInputs(*arguments);
    placement->ticks = device->kind == runtime::DeviceKind::sim;
    placement->observe = !options.report.empty();
    placement->trace = !options.trace.empty();
    progress.stage("planning");
    if (int status = compilation.place(*placement, plan))
      return status;
  }
  if (int status = compilation.finish())
    return status;

  runtime::ContextOptions contextOptions;
  contextOptions.device = device->kind;
  contextOptions.whichDevice = device->which;
  contextOptions.machine = placement->machine;
  contextOptions.protect = !options.noProtection;
  contextOptions.deviceMemory = *deviceMemory;
  contextOptions.trace = !options.trace.empty();
  return runCompiled(options, compilation, contextOptions, *arguments, plan, progress);
}

} // namespace ferry
