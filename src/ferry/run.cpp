// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ferry run: read the arguments, plan with their sizes, compile, run, write the results; or take from the cache what an
// earlier run has compiled. Nothing is written to standard output unless all went well.

#include "ferry/device_choice.h"
#include "ferry/errors.h"
#include "ferry/files.h"
#include "ferry/kept.h"
#include "ferry/run_report.h"
#include "ferry/source_line.h"

#include "runtime/shared_object.h"

#include <algorithm>
#include <cstdio>

namespace ferry {

namespace {

/// An error of the run as those of the compilation are: with its source line.
void print(const runtime::ProgramError &error) {
  std::string text = error.text() + "\n";
  futhark::Sources sources;
  const futhark::SourceFile *file = error.line > 0 && error.column > 0 ? sources.load(error.file) : nullptr;
  if (file)
    text += sourceLine(*file, static_cast<unsigned>(error.line), static_cast<unsigned>(error.column));
  std::fputs(text.c_str(), stderr);
}

/// What runs of the entry took, one by one.
struct Times {
  std::vector<double> microseconds;
  std::vector<std::vector<runtime::Measured>> traces; ///< where they are kept
};

/// One or more runs on one context, and one before them if they are traced; the last one's results.
std::optional<std::vector<runtime::Value>> runEntry(const CompiledEntry &compiled, runtime::EntryFunction function,
                                                    const std::vector<runtime::Value> &arguments,
                                                    const RunOptions &options, FerryContext &context, Times &times) {
  std::optional<runtime::Run> last;
  for (int i = options.trace.empty() ? 0 : -1; i < options.runs; ++i) {
    runtime::ProgramError error;
    last.reset();
    last = runtime::call(compiled.entry.signature, function, arguments, context, error);
    if (!last) {
      print(error);
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
  for (double time : times) {
    char line[64];
    std::snprintf(line, sizeof line, "%.3f\n", time);
    text += line;
  }
  return text;
}

/// What was asked for beside the results. The exit status.
int writeAccounts(const RunOptions &options, const std::optional<PlanAccount> &plan, const FerryContext &context,
                  const Times &times) {
  runtime::Report report = runtime::report(context);
  int runs = options.runs + (options.trace.empty() ? 0 : 1);
  if (options.explain)
    std::fputs(((plan ? plan->explanation : "") + explainRun(report)).c_str(), stderr);
  std::string error;
  if (!options.report.empty() && !writeFile(options.report, runReport(plan, report, runs), "the report", error))
    return fail(error);
  if (!options.timings.empty() && !writeFile(options.timings, timingsText(times.microseconds), "the timings", error))
    return fail(error);
  if (!options.trace.empty()) {
    if (!compiler())
      return exitFailure;
    std::string text = compiler()->traceText(*plan, std::string(runtime::deviceName(context)), times.traces);
    if (!writeFile(options.trace, text, "the trace", error))
      return fail(error);
  }
  return exitSuccess;
}

/// Text, one a line, or binary. The exit status.
int writeResults(const std::vector<runtime::Value> &results, bool binary) {
  int status = exitSuccess;
  for (size_t i = 0; i < results.size() && status == exitSuccess; ++i) {
    std::string text;
    if (binary) {
      runtime::writeBinary(results[i], text);
    } else {
      runtime::writeText(results[i], text);
      text += '\n';
    }
    status = writeOutput(text);
  }
  return status;
}

/// Runs the code that was loaded and writes the results.
int runCompiled(const RunOptions &options, const CompiledEntry &compiled, const runtime::SharedObject &code,
                const runtime::ContextOptions &contextOptions, const std::vector<runtime::Value> &arguments,
                Progress &progress) {
  std::string error;
  void *function = code.find(runtime::entryPrefix + compiled.entry.signature.name);
  if (!function)
    return failAsDefect("compiled code has no entry point");
  runtime::Context context = runtime::makeContext(contextOptions, error);
  if (!context)
    return fail(error);
  progress.stage("running");
  Times times;
  auto results =
      runEntry(compiled, reinterpret_cast<runtime::EntryFunction>(function), arguments, options, *context, times);
  if (!results)
    return exitFailure;
  progress.stage("writing the results");
  if (std::string held = runtime::heldBlocks(*context); !held.empty())
    return fail(held, exitViolation);
  int status = writeAccounts(options, compiled.plan, *context, times);
  return status ? status : writeResults(*results, options.binary);
}

/// The compiler with its sources read and checked; null if it printed an error: `status` then is the exit status.
std::unique_ptr<RunCompiler> loaded(const RunOptions &options, const ChosenDevice &device, bool isQuiet,
                                    Progress &progress, int &status) {
  status = exitFailure;
  auto made = compiler() ? compiler()->startRun(options, device, progress, status) : nullptr;
  if (made)
    status = made->load(isQuiet);
  return status == exitSuccess ? std::move(made) : nullptr;
}

} // namespace

int run(const RunOptions &options) {
  std::string error;
  const char *askedBy = options.explain ? "--explain" : options.noProtection ? "--no-protection" : nullptr;
  auto machine = machineOf(options.placement, error);
  auto device = machine ? chooseDevice(options.placement, askedBy, error) : std::nullopt;
  auto deviceMemory = device ? deviceMemoryOf(options.placement, error) : std::nullopt;
  if (deviceMemory && !options.trace.empty() && !device->takesTime()) {
    error = "--trace is of a device that takes time of its own: say --device opencl or cuda, and --plan all-host for "
            "the host";
    deviceMemory.reset();
  }
  if (!deviceMemory)
    return fail(error, exitUsage);

  Progress progress;
  progress.stage("checking");
  int status = exitSuccess;
  Kept kept(options, *device, *machine);
  std::unique_ptr<RunCompiler> compiling;
  auto checked = kept.checked();
  if (checked) {
    std::fputs(checked->messages.c_str(), stderr);
  } else {
    compiling = loaded(options, *device, false, progress, status);
    if (!compiling)
      return status;
    checked = Kept::Checked{compiling->entry(), compiling->messages()};
    kept.keep(*compiling);
  }
  progress.stage("reading the arguments");
  auto arguments = runtime::readArguments(checked->entry, error);
  if (!arguments) {
    // What is wrong with the options goes first.
    if (!compiling && (!compiler() || !compiler()->startRun(options, *device, progress, status)))
      return status ? status : exitFailure;
    std::fprintf(stderr, "%s\n", error.c_str());
    return exitFailure;
  }
  auto compiled = kept.compiled(*arguments);
  auto code = compiled ? runtime::SharedObject::load(compiled->code, error) : nullptr;
  // Where the system's libraries are older than those that it was linked with, it is made again.
  if (code) {
    // Those of checking were printed already.
    std::fputs(compiled->messages.substr(std::min(checked->messages.size(), compiled->messages.size())).c_str(),
               stderr);
  } else {
    progress.stage("checking");
    if (!compiling)
      compiling = loaded(options, *device, true, progress, status);
    if (!compiling)
      return status;
    compiled.emplace();
    status = compiling->compile(*arguments, *compiled);
    if (status)
      return status;
    kept.keep(*compiled, *arguments);
    code = runtime::SharedObject::load(compiled->code, error);
    if (!code)
      return failAsDefect(error);
  }

  runtime::ContextOptions contextOptions;
  contextOptions.device = device->kind;
  contextOptions.whichDevice = device->which;
  contextOptions.machine = *machine;
  contextOptions.protect = !options.noProtection;
  contextOptions.deviceMemory = *deviceMemory;
  contextOptions.threads = options.threads;
  contextOptions.groupItems = options.groupSize;
  contextOptions.trace = !options.trace.empty();
  return runCompiled(options, *compiled, *code, contextOptions, *arguments, progress);
}

} // namespace ferry
