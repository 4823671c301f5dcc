// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ferry build: each entry point is compiled for the host, and for the device if there is one; the machine's own
// compiler links that with the run-time. The executable appears when it is whole.

#include "ferry/compile.h"
#include "ferry/compiler_commands.h"
#include "ferry/device_choice.h"
#include "ferry/errors.h"
#include "ferry/placement.h"

#include "codegen/Program.h"
#include "report/problem_file.h"
#include "runtime/processor.h"
#include "standalone/program.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace ferry {

namespace {

/// A folder of files on their way into an executable, which goes with it.
class Workshop {
public:
  Workshop() { made = !llvm::sys::fs::createUniqueDirectory("ferry-build", folder); }
  ~Workshop() {
    if (made)
      std::ignore = llvm::sys::fs::remove_directories(folder); // what cannot be removed stays
  }
  Workshop(const Workshop &) = delete;
  Workshop &operator=(const Workshop &) = delete;

  std::string path(const std::string &name) const { return (folder + "/" + name).str(); }

  /// Adds an object file. False if it cannot be written.
  bool addObject(const std::string &content) {
    std::string file = path(std::to_string(objects.size()) + ".o");
    std::error_code failed;
    llvm::raw_fd_ostream stream(file, failed);
    if (!made || failed)
      return false;
    stream << content;
    stream.close();
    objects.push_back(file);
    bool isWritten = !stream.has_error();
    stream.clear_error();
    return isWritten;
  }

  std::vector<std::string> objects;

private:
  llvm::SmallString<128> folder;
  bool made;
};

class Builder {
public:
  Builder(const BuildOptions &options, array::PlacementOptions placement, runtime::DeviceKind device,
          codegen::Processor processor)
      : options(options), placement(std::move(placement)), device(device), processor(std::move(processor)) {}

  int build();

private:
  int compile(const std::string &entry, runtime::DeviceKind kind, bool isQuiet);
  int describe();
  int link(const std::string &output);

  const BuildOptions &options;
  array::PlacementOptions placement;
  runtime::DeviceKind device;
  codegen::Processor processor;
  standalone::Program program;
  std::vector<std::string> functions;
  Workshop workshop;
};

int Builder::compile(const std::string &entry, runtime::DeviceKind kind, bool isQuiet) {
  bool hasDevice = kind != runtime::DeviceKind::none;
  Compilation compilation;
  compilation.keepQuiet(isQuiet);
  if (int status = compilation.load(options.file, entry))
    return status;
  compilation.keepQuiet(false);
  if (int status = compilation.optimize(hasDevice))
    return status;
  if (hasDevice) {
    placement.ticks = kind == runtime::DeviceKind::sim;
    std::optional<array::PlacementReport> plan;
    if (int status = compilation.place(placement, plan))
      return status;
  }
  if (int status = compilation.finish())
    return status;
  codegen::Options wanted;
  wanted.kernels = kernelTarget({kind, ""});
  wanted.form = codegen::CodeForm::object;
  wanted.processor = processor;
  wanted.prefix = "ferry_variant_" + std::to_string(functions.size()) + "_";
  std::string object;
  if (int status = compilation.compile(wanted, object))
    return status;
  functions.push_back(wanted.prefix + entry);
  program.variants.push_back({kind, compilation.entry()});
  return workshop.addObject(object) ? exitSuccess : fail("cannot write to the folder for temporary files");
}

int Builder::describe() {
  program.features = processor.features;
  program.machine = report::writeMachine(placement.machine);
  std::string error;
  auto object = codegen::programObject(standalone::toBytes(program), functions, error);
  if (!object)
    return fail(error, exitViolation);
  return workshop.addObject(*object) ? exitSuccess : fail("cannot write to the folder for temporary files");
}

/// The first of the compilers that are there.
std::string findLinker(std::string &error) {
  const char *named = std::getenv("CXX");
  std::vector<std::string> names{"c++", "g++", "clang++", "clang++-22"};
  if (named && *named)
    names = {named};
  for (const std::string &name : names)
    if (auto found = llvm::sys::findProgramByName(name))
      return *found;
  error = named && *named ? std::string("CXX names '") + named + "', which is no program"
                          : "`ferry build` links with the machine's C++ compiler, and there is no " +
                                llvm::join(names, ", ") + "; install one (Debian: g++), or name one in CXX";
  return "";
}

int Builder::link(const std::string &output) {
  std::string error, linker = findLinker(error);
  if (linker.empty())
    return fail(error);
  if (!llvm::sys::fs::exists(options.runtime))
    return fail("the run-time for executables is not where ferry is installed: " + options.runtime);
  llvm::SmallString<128> unfinished;
  int descriptor = -1;
  if (auto failed = llvm::sys::fs::createUniqueFile(output + ".%%%%%%", descriptor, unfinished))
    return fail(output + ": cannot write the executable: " + failed.message());
  llvm::raw_fd_ostream(descriptor, true).close();
  std::vector<llvm::StringRef> arguments{linker, "-o", unfinished};
  arguments.insert(arguments.end(), workshop.objects.begin(), workshop.objects.end());
  for (llvm::StringRef argument :
       {llvm::StringRef(options.runtime), llvm::StringRef("-static-libstdc++"), llvm::StringRef("-static-libgcc"),
        llvm::StringRef("-pthread"), llvm::StringRef("-ldl"), llvm::StringRef("-lm")})
    arguments.push_back(argument);
  std::string log = workshop.path("log");
  std::optional<llvm::StringRef> redirects[] = {"", log, log};
  int status = llvm::sys::ExecuteAndWait(linker, arguments, std::nullopt, redirects, 0, 0, &error);
  if (status == 0 && !llvm::sys::fs::rename(unfinished, output))
    return exitSuccess;
  std::ignore = llvm::sys::fs::remove(unfinished);
  if (status == 0)
    return fail(output + ": cannot write the executable");
  auto said = llvm::MemoryBuffer::getFile(log);
  std::string line = said ? (*said)->getBuffer().split('\n').first.str() : error;
  return fail(linker + " cannot link the executable: " + line);
}

int Builder::build() {
  std::string output = options.output;
  if (output.empty())
    output = llvm::StringRef(options.file).ends_with(".fut") ? options.file.substr(0, options.file.size() - 4)
                                                             : options.file + ".out";
  std::vector<std::string> entries = options.entries;
  bool isQuiet = entries.empty(); // what is said of the sources has been said then
  if (isQuiet) {
    Compilation all;
    if (int status = all.listEntries(options.file, entries))
      return status;
    if (entries.empty()) {
      llvm::errs() << options.file << ": error: there is no entry point\nhint: `entry` instead of `def` makes one\n";
      return exitFailure;
    }
  }
  for (runtime::DeviceKind kind : {runtime::DeviceKind::none, device})
    for (const std::string &entry : entries) {
      bool isDone = std::ranges::any_of(program.variants, [&](const standalone::Variant &variant) {
        return variant.device == kind && variant.entry.signature.name == entry;
      });
      if (isDone)
        continue;
      if (int status = compile(entry, kind, isQuiet))
        return status;
      isQuiet = true;
    }
  if (int status = describe())
    return status;
  return link(output);
}

} // namespace

int compiler_commands::build(const BuildOptions &options) {
  std::string error;
  auto placement = readPlacement(options.placement, error);
  auto device = placement ? chooseDevice(options.placement, nullptr, error) : std::nullopt;
  if (device && !device->which.empty()) {
    error = "--device: '" + options.placement.device + "' is one of several; the executable is told which (-d)";
    device.reset();
  }
  auto processor = device ? codegen::processorNamed(options.cpu) : std::nullopt;
  if (device && !processor)
    error = "--cpu: LLVM knows no processor '" + options.cpu + "' of this architecture; " + runtime::leastProcessor +
            " is any, native the one that is here";
  if (!processor)
    return fail(error, exitUsage);
  return Builder(options, std::move(*placement), device->kind, std::move(*processor)).build();
}

} // namespace ferry
