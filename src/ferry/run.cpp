// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ferry run: read the arguments, plan with their sizes, compile, run, write the results. Nothing is written to standard
// output unless all went well.

#include "ferry/arguments.h"
#include "ferry/files.h"
#include "ferry/placement.h"
#include "ferry/progress.h"
#include "ferry/report.h"

#include "codegen/Program.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace ferry {

namespace {

int fail(const std::string &message, int status = exitFailure) {
  llvm::errs() << "ferry: error: " << message << '\n';
  return status;
}

codegen::Entry codegenEntry(const futhark::EntryPoint &entry) {
  codegen::Entry result{entry.name, {}, {}};
  auto add = [](std::vector<runtime::ExpectedValue> &list, const std::vector<futhark::EntryValue> &values) {
    for (const futhark::EntryValue &value : values)
      for (const futhark::EntryComponent &component : value.components)
        list.push_back({elementType(component.prim), component.rank});
  };
  add(result.parameters, entry.parameters);
  add(result.results, entry.results);
  return result;
}

/// One or more runs on one context; the last one's results, and the times of each in microseconds.
std::optional<std::vector<runtime::Value>> runEntry(Compilation &compilation, const codegen::Program &program,
                                                    const std::vector<runtime::Value> &arguments, int runs,
                                                    FerryContext &context, std::vector<double> &times) {
  std::optional<codegen::Run> last;
  for (int i = 0; i < runs; ++i) {
    runtime::ProgramError error;
    last.reset();
    last = program.run(compilation.entry().name, arguments, context, error);
    if (!last) {
      compilation.print(error);
      return std::nullopt;
    }
    times.push_back(last->microseconds);
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
int writeAccounts(const RunOptions &options, const std::optional<array::PlacementReport> &plan,
                  const runtime::Report &report, const std::vector<double> &times) {
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
  if (!options.report.empty() && !writeFile(options.report, runReport(plan, report, options.runs), "the report", error))
    return fail(error);
  if (!options.timings.empty() && !writeFile(options.timings, timingsText(times), "the timings", error))
    return fail(error);
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
  std::vector<double> times;
  auto results = runEntry(compilation, *program, arguments, options.runs, *context, times);
  if (!results)
    return exitFailure;
  progress.stage("writing the results");
  if (std::string held = runtime::heldBlocks(*context); !held.empty())
    return fail(held, exitViolation);
  int status = writeAccounts(options, plan, runtime::report(*context), times);
  return status ? status : writeResults(*results, options.binary);
}

} // namespace

int run(const RunOptions &options) {
  std::string error;
  auto placement = readPlacement(options.placement, error);
  const char *askedBy = options.explain ? "--explain" : options.noProtection ? "--no-protection" : nullptr;
  auto device = placement ? chooseDevice(options.placement, askedBy, error) : std::nullopt;
  auto deviceMemory = device ? deviceMemoryOf(options, error) : std::nullopt;
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
  return runCompiled(options, compilation, contextOptions, *arguments, plan, progress);
}

} // namespace ferry
