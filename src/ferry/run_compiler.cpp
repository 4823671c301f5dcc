// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `ferry run` has compiled: planned with the arguments' sizes, down to a shared object.

#include "ferry/compile.h"
#include "ferry/compiler_commands.h"
#include "ferry/errors.h"
#include "ferry/placement.h"
#include "ferry/plan_text.h"
#include "ferry/trace_file.h"

namespace ferry {

namespace {

PlanAccount accountOf(const array::PlacementReport &plan) {
  const array::PredictedCounters &counters = plan.counters;
  PlanAccount account;
  account.exact = plan.exact;
  account.clock = counters.clock;
  account.uploads = counters.uploads;
  account.uploadBytes = counters.uploadBytes;
  account.downloads = counters.downloads;
  account.downloadBytes = counters.downloadBytes;
  account.peeks = counters.peeks;
  account.pokes = counters.pokes;
  account.launches = counters.launches;
  account.devicePeak = counters.peakDeviceBytes;
  account.leastDevicePeak = counters.leastPeakDeviceBytes;
  account.observationSites = plan.observationSites;
  account.programMark = programMark(plan);
  account.planMark = planMark(plan);
  return account;
}

class Compiler final : public RunCompiler {
public:
  Compiler(const RunOptions &options, array::PlacementOptions placement, ChosenDevice device, Progress &progress)
      : options(options), placement(std::move(placement)), device(std::move(device)), progress(progress) {}

  int load(bool isQuiet) override {
    compilation.keepQuiet(isQuiet);
    int status = compilation.load(options.file, options.entry);
    compilation.keepQuiet(false);
    return status;
  }
  const runtime::EntryPoint &entry() const override { return compilation.entry(); }
  const std::string &messages() const override { return compilation.messages(); }
  std::vector<std::pair<std::string, std::string_view>> sources() const override {
    std::vector<std::pair<std::string, std::string_view>> texts;
    for (const futhark::SourceFile *file : compilation.sources().loaded())
      texts.emplace_back(file->path(), file->text());
    return texts;
  }

  int compile(const std::vector<runtime::Value> &arguments, CompiledEntry &made) override;

private:
  int place(const std::vector<runtime::Value> &arguments, CompiledEntry &made);

  const RunOptions &options;
  array::PlacementOptions placement;
  ChosenDevice device;
  Progress &progress;
  Compilation compilation;
};

int Compiler::place(const std::vector<runtime::Value> &arguments, CompiledEntry &made) {
  placement.inputs.arguments = placementInputs(arguments);
  placement.ticks = device.kind == runtime::DeviceKind::sim;
  placement.observe = !options.report.empty();
  placement.trace = !options.trace.empty();
  progress.stage("planning");
  std::optional<array::PlacementReport> plan;
  if (int status = compilation.place(placement, plan))
    return status;
  if (!plan)
    return exitSuccess;
  made.plan = accountOf(*plan);
  if (!options.explain)
    return exitSuccess;
  auto text = explainPlan(*plan, false);
  if (!text)
    return fail(text.error().message);
  made.plan->explanation = *text;
  return exitSuccess;
}

int Compiler::compile(const std::vector<runtime::Value> &arguments, CompiledEntry &made) {
  progress.stage("optimizing");
  if (int status = compilation.optimize(device.hasMemory()))
    return status;
  if (device.hasMemory())
    if (int status = place(arguments, made))
      return status;
  if (int status = compilation.finish())
    return status;
  progress.stage("compiling");
  codegen::Options wanted;
  wanted.kernels = kernelTarget(device);
  if (int status = compilation.compile(wanted, made.code))
    return status;
  made.entry = compilation.entry();
  made.messages = compilation.messages();
  return exitSuccess;
}

} // namespace

std::unique_ptr<RunCompiler> compiler_commands::startRun(const RunOptions &options, const ChosenDevice &device,
                                                         Progress &progress, int &status) {
  std::string error;
  auto placement = readPlacement(options.placement, error);
  if (!placement) {
    status = fail(error, exitUsage);
    return nullptr;
  }
  return std::make_unique<Compiler>(options, std::move(*placement), device, progress);
}

std::string compiler_commands::traceText(const PlanAccount &plan, const std::string &device,
                                         const std::vector<std::vector<runtime::Measured>> &runs) {
  return ferry::traceText({plan.programMark, plan.planMark, device, static_cast<int>(runs.size()), quarterOf(runs)});
}

} // namespace ferry
