// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/kept.h"

#include "ferry/build_id.h"
#include "ferry/files.h"
#include "ferry/version.h"
#include "report/problem_file.h"
#include "runtime/cuda/driver.h"

#include <cstdlib>

namespace ferry {

using runtime::Sha256;

static std::string sumOf(std::string_view text) { return Sha256().add(text).text(); }

// Of a file that an option may name: its content, or nothing.
static std::string contentOf(const std::string &name) {
  std::string none;
  return name.empty() ? "" : readFile(name, none).value_or("");
}

Kept::Kept(const RunOptions &options, const ChosenDevice &device, const placement::Machine &machine)
    : options(options), device(device), machine(machine), cache(runtime::Cache::ofEnvironment()) {
  if (!cache.isOn() || options.file == "-")
    return;
  std::string program = buildIdOf("/proc/self/exe"), compiler = buildIdOf(compilerPath()), processor = processorId();
  std::string error;
  auto text = readFile(options.file, error);
  if (program.empty() || compiler.empty() || processor.empty() || !text)
    return;
  build.field(std::string_view(kVersion)).field(program).field(compiler).field(processor);
  build.field(options.file).field(options.entry);
  checkedKey = Sha256(build).field("checked").field(*text).text();
}

// PTX is made for the GPU that is there, with the library that is found by these.
static void addGpu(const ChosenDevice &device, Sha256 &to) {
  std::string none;
  auto gpu = runtime::cuda::choose(device.which, none);
  to.field(int64_t{gpu ? gpu->capability : 0});
  for (const char *name : {"FERRY_LIBDEVICE", "CUDA_HOME", "CUDA_PATH", "VIRTUAL_ENV"}) {
    const char *value = std::getenv(name);
    to.field(value ? value : "");
  }
}

// Whatever changes the code that is made, or what a run says of its plan.
static void addOptions(const RunOptions &options, const ChosenDevice &device, const placement::Machine &machine,
                       Sha256 &to) {
  to.field(static_cast<int64_t>(device.kind));
  if (!device.hasMemory())
    return;
  if (device.kind == runtime::DeviceKind::cuda)
    addGpu(device, to);
  const PlacementOptions &placement = options.placement;
  to.field(placement.device).field(placement.deviceMemory);
  to.field(report::writeMachine(machine));
  for (const std::string &name : {placement.plan, placement.observed})
    to.field(name).field(contentOf(name));
  for (const std::vector<std::string> &list : {placement.pins, placement.assume}) {
    to.field(static_cast<int64_t>(list.size()));
    for (const std::string &text : list)
      to.field(text);
  }
  to.field(int64_t(options.explain)).field(int64_t(!options.report.empty())).field(int64_t(!options.trace.empty()));
}

std::optional<Kept::Checked> Kept::checked() {
  auto bytes = checkedKey.empty() ? std::nullopt : cache.load(checkedKey);
  if (!bytes)
    return std::nullopt;
  runtime::ByteReader from(*bytes);
  Checked found;
  found.entry = runtime::readEntryPoint(from);
  found.messages = from.text();
  Sha256 sums = build;
  for (int64_t left = from.count(); left > 0; --left) {
    std::string name(from.text()), sum(from.text()), error;
    auto text = readFile(name, error);
    if (!text || sumOf(*text) != sum)
      return std::nullopt;
    sums.field(name).field(sum);
  }
  for (int64_t left = from.count(); left > 0; --left) {
    std::string library(from.text()), stamp(from.text());
    if (stampOf(library) != stamp)
      return std::nullopt;
    sums.field(library).field(stamp);
  }
  if (!from.isWhole())
    return std::nullopt;
  compiles = sums;
  return found;
}

void Kept::keep(const RunCompiler &compiler) {
  if (checkedKey.empty())
    return;
  Sha256 sums = build;
  runtime::ByteWriter to;
  runtime::write(compiler.entry(), to);
  to.text(compiler.messages());
  auto sources = compiler.sources();
  to.number(static_cast<int64_t>(sources.size()));
  for (const auto &[name, text] : sources) {
    std::string sum = sumOf(text);
    to.text(name);
    to.text(sum);
    sums.field(name).field(sum);
  }
  auto libraries = ferry::compiler()->libraries();
  to.number(static_cast<int64_t>(libraries.size()));
  for (const std::string &library : libraries) {
    std::string stamp = stampOf(library);
    to.text(library);
    to.text(stamp);
    sums.field(library).field(stamp);
  }
  compiles = sums;
  cache.store(checkedKey, to.bytes());
}

std::string Kept::compiledKey(const std::vector<runtime::Value> &arguments) const {
  Sha256 key = compiles;
  key.field("compiled");
  addOptions(options, device, machine, key);
  if (!device.hasMemory())
    return key.text();
  for (const runtime::Value &value : arguments) {
    key.field(value.rank());
    for (int64_t extent : value.shape)
      key.field(extent);
    if (value.rank() == 0)
      key.field(std::string_view(reinterpret_cast<const char *>(value.data.data()), value.data.size()));
  }
  return key.text();
}

std::optional<CompiledEntry> Kept::compiled(const std::vector<runtime::Value> &arguments) {
  auto bytes = checkedKey.empty() ? std::nullopt : cache.load(compiledKey(arguments));
  return bytes ? compiledFromBytes(*bytes) : std::nullopt;
}

void Kept::keep(const CompiledEntry &made, const std::vector<runtime::Value> &arguments) {
  if (!checkedKey.empty())
    cache.store(compiledKey(arguments), toBytes(made));
}

} // namespace ferry
