// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main program of executables that `ferry build` makes.

#include "standalone/options.h"

#include "report/problem_file.h"
#include "runtime/processor.h"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstring>

using namespace ferry;
using namespace ferry::standalone;

extern "C" const FerryProgram ferry_program;

namespace {

// Before any of the code runs, which could be more than the processor can do.
void checkProcessor(const Program &program) {
  std::vector<std::string> here = runtime::processorFeatures();
  std::string missing;
  for (const std::string &feature : program.features)
    if (std::ranges::find(here, feature) == here.end())
      missing += (missing.empty() ? "" : ", ") + feature;
  if (!missing.empty())
    fail("this program was built for a processor that has " + missing + ", and this one has not; `ferry build --cpu " +
         runtime::leastProcessor + "` builds for all");
}

size_t variantOf(const Program &program, const Options &options) {
  std::string names;
  for (size_t i = 0; i < program.variants.size(); ++i) {
    const Variant &variant = program.variants[i];
    if (variant.device != options.device)
      continue;
    if (variant.entry.signature.name == options.entry)
      return i;
    names += "\n" + variant.entry.signature.name;
  }
  fail("no entry point '" + options.entry + "'. Select another with --entry-point. Options are:" + names);
}

runtime::Context openContext(const Program &program, const Options &options) {
  runtime::ContextOptions wanted;
  wanted.device = options.device;
  wanted.whichDevice = options.whichDevice;
  wanted.deviceMemory = options.deviceMemory;
  wanted.threads = options.threads;
  wanted.protect = options.debugging;
  if (options.debugging)
    wanted.checkMemory = runtime::MemoryCheck::after;
  std::string error;
  auto machine = report::readMachine(program.machine);
  if (!machine)
    fail(machine.error().message);
  wanted.machine = *machine;
  runtime::Context context = runtime::makeContext(wanted, error);
  if (!context)
    fail(error);
  return context;
}

runtime::Run runOnce(const Variant &variant, runtime::EntryFunction function, const Options &options,
                     const std::vector<runtime::Value> &arguments, FerryContext &context) {
  runtime::ProgramError error;
  auto run = runtime::call(variant.entry.signature, function, arguments, context, error);
  if (!run)
    fail(error.text());
  if (options.logs)
    std::fprintf(stderr, "run of %s: %.0f microseconds\n", options.entry.c_str(), run->microseconds);
  return std::move(*run);
}

void printCounters(const runtime::Report &report) {
  std::fprintf(stderr,
               "%" PRId64 " uploads (%" PRId64 " bytes), %" PRId64 " downloads (%" PRId64 " bytes), %" PRId64
               " peeks, %" PRId64 " pokes, %" PRId64 " launches\nat most %" PRId64 " bytes on the device, %" PRId64
               " on the host\n",
               report.uploads, report.uploadBytes, report.downloads, report.downloadBytes, report.peeks, report.pokes,
               report.launches, report.devicePeak, report.hostPeak);
}

// A new line ends each result, in binary form, too.
void print(const std::vector<runtime::Value> &results, bool binary) {
  for (const runtime::Value &result : results) {
    std::string text;
    if (binary)
      runtime::writeBinary(result, text);
    else
      runtime::writeText(result, text);
    text += '\n';
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
      break;
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    fail(std::string("cannot write to standard output: ") + std::strerror(errno));
}

} // namespace

int main(int argc, char **argv) {
  setName(argv[0]);
  auto program = programFromBytes({ferry_program.description, static_cast<size_t>(ferry_program.size)});
  if (!program)
    fail("this executable is damaged");
  checkProcessor(*program);
  Options options = readOptions(argc, argv, *program);
  size_t chosen = variantOf(*program, options);
  const Variant &variant = program->variants[chosen];
  runtime::Context context = openContext(*program, options);
  std::string error;
  auto arguments = runtime::readArguments(variant.entry, error);
  if (!arguments)
    fail(error);
  auto once = [&] { return runOnce(variant, ferry_program.functions[chosen], options, *arguments, *context); };
  if (options.warmsUp)
    once();
  runtime::Run last;
  for (int i = 0; i < options.runs; ++i) {
    last = once();
    if (options.runtimes)
      std::fprintf(options.runtimes, "%.0f\n", last.microseconds);
  }
  if (options.runtimes && std::fclose(options.runtimes) != 0)
    fail(std::string("cannot write the times: ") + std::strerror(errno));
  if (std::string held = runtime::heldBlocks(*context); !held.empty())
    fail(held);
  if (options.prints)
    print(last.results, options.binary);
  if (options.logs || options.profiles)
    printCounters(runtime::report(*context));
  return 0;
}
