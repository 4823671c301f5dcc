// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ferry calibrate: measure a device and this machine by what programs will do to them, and write the profile.
//
// Elements cross the bus as the run-time has them cross it. Copies and work are those of small programs, compiled as
// any other, pinned to the device and to the host, and traced; what a program does in the terms of a plan is what the
// plan prices it at on a machine where only one of those terms costs anything. What is measured is measured again and
// again, and the time that a quarter of them stay below is taken: what others take of the machine makes times longer,
// never shorter.

#include "ferry/against.h"
#include "ferry/calibration_programs.h"
#include "ferry/compile.h"
#include "ferry/compiler_commands.h"
#include "ferry/errors.h"
#include "ferry/files.h"
#include "ferry/placement.h"
#include "ferry/profiles.h"
#include "ferry/progress.h"

#include "codegen/Program.h"
#include "placement/fit.h"
#include "report/problem_file.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <random>
#include <thread>

namespace ferry {

namespace {

using placement::Machine;
using placement::Rational;
using placement::Roofline;
using runtime::Measured;
using Clock = std::chrono::steady_clock;

/// Before each measurement: a program that comes from other work finds threads asleep and caches used.
constexpr std::chrono::microseconds pauseBetween(200);

constexpr double perNanosecond = 1e3, perMicrosecond = 1e6; // picoseconds

/// What repeated measurements come to. How far those that are longer lie above it is kept, to tell a busy machine.
class Quarters {
public:
  double of(std::vector<double> times) {
    llvm::sort(times);
    double quarter = times[times.size() / 4];
    if (quarter > 0)
      spreads.push_back(times[times.size() * 3 / 4] / quarter - 1);
    return quarter;
  }

  double spread() {
    llvm::sort(spreads);
    return spreads.empty() ? 0 : spreads[spreads.size() / 2];
  }

private:
  std::vector<double> spreads;
};

//===- Elements ---------------------------------------------------------------------------------------------------===//

/// One way across, over and over; a plain struct, since a failure of the device unwinds past what uses it.
struct Crossings {
  Measured::Kind kind;
  int64_t bytes;
  void *host;
  double *nanoseconds;
  int repeats;
};

void crossOnce(FerryContext *context, const Crossings &what, void *device) {
  switch (what.kind) {
  case Measured::upload:
    return ferry_rt_upload(context, device, what.host, what.bytes, "calibration");
  case Measured::download:
    return ferry_rt_download(context, what.host, device, what.bytes, "calibration");
  case Measured::peek:
    return ferry_rt_peek(context, what.host, device, what.bytes, "calibration");
  case Measured::poke:
    return ferry_rt_poke(context, device, what.host, what.bytes, "calibration");
  default:
    return ferry_rt_pass(context, device, what.host, what.bytes);
  }
}

void crossAll(FerryContext *context, void *argument) {
  const auto &what = *static_cast<const Crossings *>(argument);
  void *device = ferry_rt_alloc(context, FERRY_DEVICE, what.bytes, "calibration");
  ferry_rt_upload(context, device, what.host, what.bytes, "calibration");
  for (int i = 0; i < what.repeats; ++i) {
    std::this_thread::sleep_for(pauseBetween);
    Clock::time_point began = Clock::now();
    crossOnce(context, what, device);
    what.nanoseconds[i] = std::chrono::duration<double, std::nano>(Clock::now() - began).count();
  }
  ferry_rt_release(context, device);
}

//===- Programs ---------------------------------------------------------------------------------------------------===//

runtime::Value randomArray(const runtime::ExpectedValue &type, int64_t n) {
  std::vector<int64_t> shape = {n};
  if (type.rank == 2)
    shape = {std::llround(std::sqrt(n)), std::llround(std::sqrt(n))};
  runtime::Value value = runtime::Value::withShape(type.type, shape);
  std::minstd_rand random(1); // NOLINT(bugprone-random-generator-seed): the same each time
  auto fill = [&](auto elements, auto make) {
    for (auto &element : elements)
      element = make();
  };
  std::uniform_real_distribution<double> fraction(0, 1);
  if (type.type == runtime::ElementType::f32)
    fill(value.as<float>(), [&] { return static_cast<float>(fraction(random)); });
  else if (type.type == runtime::ElementType::f64)
    fill(value.as<double>(), [&] { return fraction(random); });
  else
    fill(value.as<int64_t>(), [&] { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); });
  return value;
}

std::vector<runtime::Value> argumentsOf(const codegen::Entry &entry, int64_t n) {
  std::vector<runtime::Value> arguments;
  for (const runtime::ExpectedValue &type : entry.parameters)
    arguments.push_back(type.rank == 0 ? runtime::Value::scalar<int64_t>(type.type, n) : randomArray(type, n));
  return arguments;
}

/// A program on one side, ready to run.
struct Compiled {
  Compilation compilation;
  codegen::Entry entry;
  std::optional<array::PlacementReport> plan;
  std::unique_ptr<codegen::Program> program;
};

class Calibration {
public:
  Calibration(const ChosenDevice &device, const DeviceIdentity &identity)
      : device(device), identity(identity), machine(shippedProfile(identity)) {}

  /// Nothing, after an error, if something cannot be measured.
  std::optional<Machine> run(Progress &progress) {
    progress.stage("measuring accesses to elements");
    machine.name = identity.name;
    machine.sharedMemory = identity.sharesMemory;
    if (!measureElements())
      return std::nullopt;
    progress.stage("measuring launches");
    if (!measureLaunches())
      return std::nullopt;
    progress.stage("measuring the device");
    if (!measureWork(placement::Side::Device))
      return std::nullopt;
    progress.stage("measuring the host");
    if (!measureWork(placement::Side::Host))
      return std::nullopt;
    if (auto problem = placement::implausible(machine)) {
      fail("the measurements make no profile: " + *problem + "; try again when the machine is less busy");
      return std::nullopt;
    }
    return machine;
  }

  double spread() { return quarters.spread(); }

private:
  runtime::Context makeContext(bool isTraced) {
    runtime::ContextOptions options;
    options.device = device.kind;
    options.whichDevice = device.which;
    options.machine = machine;
    options.trace = isTraced;
    std::string error;
    runtime::Context context = runtime::makeContext(options, error);
    if (!context)
      fail(error);
    return context;
  }

  //===- Elements -------------------------------------------------------------------------------------------------===//

  /// Of eight bytes, in picoseconds; nothing after an error.
  std::optional<double> crossingTime(FerryContext &context, Measured::Kind kind) {
    constexpr size_t repeats = 200;
    int64_t host = 1;
    std::vector<double> times(repeats);
    Crossings what{kind, sizeof host, &host, times.data(), static_cast<int>(times.size())};
    runtime::ProgramError error;
    if (!runtime::run(context, crossAll, &what, error)) {
      fail(error.message);
      return std::nullopt;
    }
    return quarters.of(times) * perNanosecond;
  }

  bool measureElements() {
    runtime::Context context = makeContext(false);
    if (!context)
      return false;
    for (auto [kind, price] : {std::pair(Measured::peek, &machine.peek), std::pair(Measured::poke, &machine.poke),
                               std::pair(Measured::argument, &machine.argument)}) {
      auto time = crossingTime(*context, kind);
      if (!time)
        return false;
      *price = std::llround(*time);
    }
    machine.exit = machine.peek; // a word that the kernel has left
    return true;
  }

  //===- Programs -------------------------------------------------------------------------------------------------===//

  array::PlacementOptions placementOptions(placement::Side side, const std::vector<runtime::Value> &arguments) {
    array::PlacementOptions options;
    options.machine = machine;
    options.strategy = side == placement::Side::Host ? array::Strategy::allHost : array::Strategy::allDevice;
    options.inputs.arguments = placementInputs(arguments);
    return options;
  }

  /// Placed on a side, for so many elements, at the prices of a machine. False after an error.
  bool place(Compiled &made, const CalibrationProgram &program, placement::Side side, int64_t n,
             const std::optional<Roofline> &prices, bool isTraced) {
    if (made.compilation.loadText("calibration.fut", calibrationText, program.entry))
      return false;
    made.entry = made.compilation.entry().signature;
    array::PlacementOptions options = placementOptions(side, argumentsOf(made.entry, n));
    options.trace = isTraced;
    if (prices) {
      options.machine = *placement::machineByName("sim");
      options.machine.host = options.machine.device = *prices;
    }
    return !made.compilation.optimize(true) && !made.compilation.place(options, made.plan);
  }

  bool compile(Compiled &made, const CalibrationProgram &program, placement::Side side, bool isTraced) {
    if (!place(made, program, side, program.sizes.back(), std::nullopt, isTraced) || made.compilation.finish())
      return false;
    codegen::Options options;
    options.entries.push_back(made.entry);
    options.kernels = kernelTarget(device);
    std::string error;
    made.program = codegen::Program::compile(made.compilation.module(), options, error);
    if (!made.program)
      failAsDefect(error);
    return made.program != nullptr;
  }

  /// What a program does on a side in one term of the plan, by its price where nothing else costs anything.
  std::optional<int64_t> amount(const CalibrationProgram &program, placement::Side side, int64_t n,
                                const Roofline &prices) {
    Compiled made;
    if (!place(made, program, side, n, prices, false))
      return std::nullopt;
    const Machine &free = made.plan->machine;
    Measured::Kind kind = side == placement::Side::Host ? Measured::host : Measured::launch;
    Rational sum = 0;
    for (const PricedPart &part : pricedParts(*made.plan))
      if (part.part.kind == kind)
        sum +=
            part.price - (kind == Measured::host ? Rational(0) : part.count * Rational(free.launch + free.synchronize));
    return static_cast<int64_t>(sum.ceiling());
  }

  std::optional<placement::Work> workOf(const CalibrationProgram &program, placement::Side side, int64_t n) {
    placement::Work work;
    for (auto [prices, term] :
         {std::pair(Roofline{1, 0, 0, 0}, &work.bytes), std::pair(Roofline{0, 1, 0, 0}, &work.operations),
          std::pair(Roofline{0, 0, 1, 0}, &work.sequentialOps)}) {
      auto found = amount(program, side, n, prices);
      if (!found)
        return std::nullopt;
      *term = *found;
    }
    work.sequentialBytes = n * program.bytesEach;
    return work;
  }

  /// What repeated runs took in picoseconds, run by run.
  struct Times {
    std::vector<double> whole, launches, host, uploads, downloads;
    int64_t uploadBytes = 0, downloadBytes = 0; ///< Of one copy; a program's have all about the same.
  };

  /// Adds a run. False after an error.
  bool runOnce(Compiled &made, FerryContext &context, const std::vector<runtime::Value> &arguments, Times &times) {
    std::this_thread::sleep_for(pauseBetween);
    runtime::ProgramError error;
    auto run = made.program->run(made.entry.name, arguments, context, error);
    if (!run) {
      fail(error.message);
      return false;
    }
    std::map<Measured::Kind, Measured> sums;
    for (const Measured &part : runtime::takeTrace(context)) {
      Measured &sum = sums[part.kind];
      sum.nanoseconds += part.nanoseconds;
      sum.bytes += part.bytes;
      sum.count += part.count;
    }
    auto add = [&](Measured::Kind kind, std::vector<double> &to, int64_t count) {
      to.push_back(static_cast<double>(sums[kind].nanoseconds) * perNanosecond / static_cast<double>(count));
    };
    times.whole.push_back(run->microseconds * perMicrosecond);
    add(Measured::launch, times.launches, 1);
    add(Measured::host, times.host, 1);
    for (auto [kind, to, bytes] : {std::tuple(Measured::upload, &times.uploads, &times.uploadBytes),
                                   std::tuple(Measured::download, &times.downloads, &times.downloadBytes)})
      if (const Measured &sum = sums[kind]; sum.count > 0) {
        add(kind, *to, sum.count);
        *bytes = sum.bytes / sum.count;
      }
    return true;
  }

  void addCopies(const Times &times) {
    if (times.uploadBytes > 0)
      uploads.push_back({times.uploadBytes, quarters.of(times.uploads)});
    if (times.downloadBytes > 0)
      downloads.push_back({times.downloadBytes, quarters.of(times.downloads)});
  }

  /// What a kernel costs that does next to nothing, waited for and not.
  bool measureLaunches() {
    constexpr int pairs = 150, warm = 5;
    Compiled made;
    const CalibrationProgram tiny{"stream", {int64_t{64}}};
    runtime::Context traced = makeContext(true), plain = makeContext(false);
    if (!traced || !plain || !compile(made, tiny, placement::Side::Device, true))
      return false;
    std::vector<runtime::Value> arguments = argumentsOf(made.entry, tiny.sizes.back());
    Times waited, together;
    for (int i = -warm; i < pairs; ++i) {
      if (i == 0)
        waited = together = {};
      if (!runOnce(made, *traced, arguments, waited) || !runOnce(made, *plain, arguments, together))
        return false;
    }
    addCopies(waited);
    double both = quarters.of(waited.launches);
    // What waiting in between adds to a run that waits at its end in any event.
    double wait = std::clamp(quarters.of(waited.whole) - quarters.of(together.whole), both / 20, both / 2);
    machine.synchronize = std::llround(wait);
    machine.launch = std::llround(both - wait);
    return true;
  }

  /// As often as it takes to tell. Nothing after an error.
  std::optional<Times> timesOf(Compiled &made, FerryContext &context, const std::vector<runtime::Value> &arguments) {
    constexpr int warm = 2, least = 5, most = 40;
    constexpr double longEnough = 0.15; // seconds
    Times times;
    Clock::time_point began = Clock::now();
    for (int i = -warm; i < most; ++i) {
      if (i == 0)
        times = {};
      if (!runOnce(made, context, arguments, times))
        return std::nullopt;
      if (i >= least && std::chrono::duration<double>(Clock::now() - began).count() > longEnough)
        break;
    }
    return times;
  }

  bool measureWork(placement::Side side) {
    bool onHost = side == placement::Side::Host;
    std::vector<placement::WorkSample> samples;
    for (const CalibrationProgram &program : calibrationPrograms()) {
      bool asWhole = onHost && program.isSequential; // trips are too short to be measured one by one
      Compiled made;
      runtime::Context context = makeContext(!asWhole);
      if (!context || !compile(made, program, side, !asWhole))
        return false;
      for (int64_t n : program.sizes) {
        auto work = workOf(program, side, n);
        auto times = work ? timesOf(made, *context, argumentsOf(made.entry, n)) : std::nullopt;
        if (!times)
          return false;
        if (!onHost)
          addCopies(*times);
        double time = quarters.of(asWhole ? times->whole : onHost ? times->host : times->launches);
        double rest = time - static_cast<double>(onHost ? 0 : machine.launch + machine.synchronize);
        if (rest > 0)
          samples.push_back({*work, rest});
      }
    }
    Roofline &roof = onHost ? machine.host : machine.device;
    roof = placement::fitRoofline(samples, roof);
    if (onHost)
      return true;
    machine.h2d = placement::fitLink(uploads);
    machine.d2h = placement::fitLink(downloads);
    return true;
  }

  ChosenDevice device;
  DeviceIdentity identity;
  Machine machine;
  Quarters quarters;
  std::vector<placement::CopySample> uploads, downloads;
};

/// Makes the folders of a file that is to be kept. False, with an error, if one cannot be made.
bool makeFolders(const std::string &path, std::string &error) {
  std::error_code code;
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::filesystem::create_directories(folder, code);
  if (code)
    error = folder.string() + ": cannot make the folder: " + code.message();
  return !code;
}

} // namespace

int compiler_commands::calibrate(const CalibrateOptions &options) {
  std::string error;
  PlacementOptions spelled;
  spelled.device = options.device;
  auto device = chooseDevice(spelled, nullptr, error);
  if (device && !device->takesTime()) {
    error = "--device: '" + options.device +
            "' has no pace of its own to measure; say opencl or cuda, or one of several, as `ferry devices` lists them";
    device.reset();
  }
  if (!device)
    return fail(error, exitUsage);
  auto identity = identify(device->kind, device->which, error);
  if (!identity)
    return fail(error);
  std::string path = options.output.empty() ? profilePath(*identity) : options.output;
  if (path.empty())
    return fail("neither XDG_CONFIG_HOME nor HOME is set, so there is no place for the profile; say -o FILE",
                exitUsage);
  if (options.output.empty() && !makeFolders(path, error))
    return fail(error);
  Calibration calibration(*device, *identity);
  Progress progress;
  auto machine = calibration.run(progress);
  if (!machine)
    return exitFailure;
  if (!writeFile(path, report::writeMachine(*machine), "the profile", error))
    return fail(error);
  constexpr double quiet = 0.2;
  if (double spread = calibration.spread(); spread > quiet)
    llvm::errs() << "ferry: note: the machine was busy: half of what was measured varied by "
                 << std::llround(spread * 100) << " % or more; calibrate again when it is quiet\n";
  return writeOutput(identity->name + ": " + path + "\n");
}

} // namespace ferry
