// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line's grammar. Each command is a function of its own, in the file of its name.

#include "ferry/files.h"
#include "ferry/options.h"
#include "ferry/version.h"
#include "placement/machine.h"

#include "CLI/CLI.hpp"

#include <cstdio>
#include <fcntl.h>
#include <iostream>
#include <limits>
#include <new>
#include <sstream>
#include <unistd.h>

using namespace ferry;

namespace {

const char *const footer =
    R"(Exit status: 0 success; 1 an error in the program, its arguments or its run; 2 an error in the
command line; 70 an access to the wrong memory, a defect of Ferry; 77 a feature that is not supported yet.
`ferry COMMAND --help` has each command's options.)";

void addEntry(CLI::App &command, std::string &entry) {
  command.add_option("-e,--entry", entry, "The entry point")->type_name("ENTRY")->capture_default_str();
}

void addFile(CLI::App &command, std::string &file) {
  command.add_option("FILE", file, "A Futhark program")
      ->type_name("prog.fut")
      ->required()
      ->check([](const std::string &name) {
        return isGraph(name) ? name + " is a DaCe graph, which `ferry place` and `ferry explain` take" : "";
      });
}

CLI::Option *addMachine(CLI::App &command, std::string &machine) {
  std::string names;
  for (const std::string &name : placement::machineNames())
    names += name + ", ";
  return command.add_option("--machine", machine, "The machine's profile: " + names + "or a JSON file")
      ->type_name("PROFILE")
      ->capture_default_str();
}

void addPlacement(CLI::App &command, PlacementOptions &placement) {
  addMachine(command, placement.machine)->default_str("the device's own, as `ferry devices` lists it");
  command
      .add_option(
          "--plan", placement.plan,
          "auto (the cheapest), all-host, all-device, arrays-on-device (every array on the device, read element "
          "by element by host code), soacs-on-device (every array combinator on the device, the rest free), or a "
          "JSON file {\"plan\": ..., \"pins\": {\"NAME\": \"host\"}}")
      ->type_name("PLAN")
      ->capture_default_str();
  command.add_option("--pin", placement.pins, "Keep what has this name in the program on a side; may be repeated")
      ->type_name("NAME=host|device");
  command
      .add_option("--assume", placement.assume,
                  "The value of a size or number that planning does not know; may be repeated")
      ->type_name("NAME=NUMBER");
  command
      .add_option("--observed", placement.observed,
                  "Plan with the trip counts, branch frequencies and lengths that are in this report of an earlier run "
                  "(`ferry run --report`)")
      ->type_name("REPORT");
}

void addHostMaps(CLI::App &command, std::vector<std::string> &hostMaps) {
  command
      .add_option("--host-maps", hostMaps,
                  "Maps that stay on the host and may launch those in them: a label or a node's guid, True for those "
                  "that do nothing else, False for none; may be repeated")
      ->type_name("NAME")
      ->expected(0, 1)
      ->take_all()
      ->allow_extra_args(false);
}

constexpr const char *inputHelp = "Take sizes from arguments on standard input, as `ferry run` does";

CLI::App &addRun(CLI::App &app, RunOptions &options) {
  CLI::App &run = *app.add_subcommand(
      "run",
      "Run a program: arguments from standard input, in Futhark's text or binary form; results to standard output");
  addFile(run, options.file);
  addEntry(run, options.entry);
  run.add_option(
         "--device", options.placement.device,
         "host; sim: a simulated device; opencl, opencl:NUMBER or opencl:NAME: a device that has an OpenCL driver; "
         "cuda, cuda:NUMBER or cuda:NAME: a GPU that has NVIDIA's. Default: sim if placement is asked for, else host")
      ->type_name("DEVICE");
  addPlacement(run, options.placement);
  run.add_option("--device-memory", options.placement.deviceMemory, "A limit on the device's memory in bytes (K, M, G)")
      ->type_name("LIMIT");
  run.add_option(
         "--group-size", options.groupSize,
         "opencl: items of a group that reduces, scans or filters together, a power of two. Default: 1 on a CPU, "
         "else 256 or the most that the device takes")
      ->type_name("NUMBER")
      ->check(CLI::IsMember({1, 2, 4, 8, 16, 32, 64, 128, 256}));
  run.add_flag("--explain", options.explain, "Print the placement and what the run did, on standard error");
  run.add_flag("-b,--binary-output", options.binary, "Write the results in binary form");
  run.add_flag("--no-protection", options.noProtection,
               "sim: leave both memories open to all code, which is faster and finds no violations");
  run.add_option("--report", options.report, "Write the device's counters to a file, as JSON")->type_name("FILE");
  run.add_option("--threads", options.threads,
                 "Threads of parallel loops. Default: OMP_NUM_THREADS, else one for each processor")
      ->type_name("NUMBER")
      ->check(CLI::Range(1, 4096));
  run.add_option("-r,--runs", options.runs, "Run this many times; the results are the last run's")
      ->type_name("RUNS")
      ->check(CLI::Range(1, std::numeric_limits<int>::max()))
      ->capture_default_str();
  run.add_option("-t,--timings", options.timings,
                 "Write the time of each run of the entry in microseconds to a file, a line each")
      ->type_name("FILE");
  run.add_option("--trace", options.trace,
                 "Write what each operation and copy took to a file, for `ferry explain --against`: in the quick "
                 "quarter of RUNS, after one to warm up, each kernel waited for")
      ->type_name("FILE");
  return run;
}

CLI::App &addBuild(CLI::App &app, BuildOptions &options) {
  CLI::App &build = *app.add_subcommand(
      "build", "Make an executable that needs nothing of Ferry, with the command line of those of Futhark's compilers");
  addFile(build, options.file);
  build.add_option("-o,--output", options.output, "The executable. Default: the program's name without .fut")
      ->type_name("FILE");
  build.add_option("-e,--entry", options.entries, "An entry point; may be repeated. Default: all there are")
      ->type_name("ENTRY");
  build
      .add_option(
          "--device", options.placement.device,
          "host; sim or opencl: a device that it runs on by default, beside the host. Default: sim if placement is "
          "asked for, else host")
      ->type_name("DEVICE");
  build
      .add_option("--cpu", options.cpu,
                  "The oldest processor that it is to run on, by LLVM's names, as x86-64 (all), x86-64-v3, haswell or "
                  "znver3; native: the one that is here. On one that can do less it says so")
      ->type_name("NAME")
      ->capture_default_str();
  addPlacement(build, options.placement);
  return build;
}

CLI::App &addCheck(CLI::App &app, CheckOptions &options) {
  CLI::App &check = *app.add_subcommand("check", "Check a program's syntax, types, sizes and uniqueness");
  addFile(check, options.file);
  return check;
}

CLI::App &addExplain(CLI::App &app, ExplainOptions &options) {
  CLI::App &explain = *app.add_subcommand("explain", "Print where everything runs and lives, and why");
  explain
      .add_option("FILE", options.file, "A Futhark program, or a DaCe graph, whose machine is then pcie4 by default")
      ->type_name("prog.fut|prog.sdfg")
      ->required();
  addEntry(explain, options.entry);
  addPlacement(explain, options.placement);
  addHostMaps(explain, options.hostMaps);
  explain.add_flag("--json", options.json, "Print it as JSON; of graphs, with --diff");
  explain
      .add_option("--diff", options.diff,
                  "Compare with a second plan, as for --plan; of a graph, with another one, both as they are written")
      ->type_name("PLAN|other.sdfg");
  explain.add_flag("--input", options.input, inputHelp);
  explain
      .add_option("--device", options.placement.device,
                  "The device whose profile the plan is made for: sim, opencl or cuda")
      ->type_name("DEVICE");
  explain
      .add_option("--against", options.against,
                  "Set the prices beside what a run of the same plan took (`ferry run --trace`), and say what is "
                  "predicted / measured in the middle")
      ->type_name("TRACE");
  return explain;
}

CLI::App &addEmit(CLI::App &app, EmitOptions &options) {
  CLI::App &emit = *app.add_subcommand("emit", "Print the program at a stage of its compilation");
  addFile(emit, options.file);
  addEntry(emit, options.entry);
  emit.add_option("--stage", options.stage,
                  "array (as lowered), fused (before placement), placed, opencl or ptx (the kernels), buffers, llvm, "
                  "llvm-ir, asm")
      ->type_name("STAGE")
      ->capture_default_str();
  emit.add_option("--device", options.placement.device,
                  "host, sim, opencl or cuda; placement happens for all but the host")
      ->type_name("DEVICE");
  emit.add_option("--arch", options.arch,
                  "cuda: the GPU that PTX is for, as sm_90. Default: the one that is here, else sm_80")
      ->type_name("ARCH");
  addPlacement(emit, options.placement);
  emit.add_flag("--input", options.input, inputHelp);
  return emit;
}

CLI::App &addCalibrate(CLI::App &app, CalibrateOptions &options) {
  CLI::App &calibrate = *app.add_subcommand(
      "calibrate", "Measure a device and this machine, in less than a minute, and write the profile that plans go by");
  calibrate
      .add_option("--device", options.device, "opencl or cuda, alone, with a number or with a name, as for `ferry run`")
      ->type_name("DEVICE")
      ->capture_default_str();
  calibrate
      .add_option("-o,--output", options.output,
                  "The profile. Default: where `ferry run --device` looks for it, in $XDG_CONFIG_HOME/ferry/machines")
      ->type_name("profile.json");
  return calibrate;
}

CLI::App &addSolve(CLI::App &app, SolveOptions &options) {
  CLI::App &solve =
      *app.add_subcommand("solve", "Solve a placement problem (docs/problem-file.md) and print the plan as JSON");
  solve.add_option("FILE", options.file, "The problem as JSON; - is standard input")
      ->type_name("problem.json")
      ->required();
  return solve;
}

CLI::App &addPlace(CLI::App &app, GraphOptions &options) {
  CLI::App &place = *app.add_subcommand("place", "Place a DaCe graph: host and device, copies between them");
  place.add_option("FILE", options.file, "A graph as DaCe writes it, plain or gzip")
      ->type_name("prog.sdfg")
      ->required()
      ->check([](const std::string &name) {
        return name.ends_with(".fut") ? name + " is a Futhark program, which `ferry run` and `ferry explain` take" : "";
      });
  place.add_option("-o,--output", options.output, "The placed graph; gzip if the name ends in .sdfgz or .gz")
      ->type_name("FILE")
      ->required();
  addMachine(place, options.machine);
  place.add_option("--pin", options.pins, "Keep a map, tasklet or library node on a side; may be repeated")
      ->type_name("NAME=host|device");
  addHostMaps(place, options.hostMaps);
  place.add_option("--assume", options.assume, "The value of a symbol, for prices; may be repeated")
      ->type_name("NAME=NUMBER");
  place.add_flag("--explain", options.explain, "Print where everything runs and lives, and why");
  return place;
}

/// An empty value is a variable of the shell that is not set, not an option that is not given.
void refuseEmptyValues(CLI::App &app) {
  for (CLI::App *command : app.get_subcommands(nullptr))
    for (CLI::Option *option : command->get_options())
      option->check([](const std::string &value) { return std::string(value.empty() ? "the value is empty" : ""); });
}

/// A standard stream that the caller has closed would be the next file that is opened. Writing to what takes its place
/// fails as writing to a closed one does.
void keepStandardStreams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (fcntl(stream, F_GETFD) < 0)
      (void)!open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

} // namespace

int main(int argc, char **argv) {
  keepStandardStreams();
  CLI::App app("Ferry compiles Futhark programs, places DaCe graphs, and decides, exactly, what runs and lives on the "
               "host and on the device.",
               "ferry");
  app.footer(footer);
  app.set_version_flag("--version", std::string("ferry ") + kVersion);
  app.require_subcommand(1);
  int status = exitSuccess;
  RunOptions run;
  addRun(app, run).callback([&] { status = ferry::run(run); });
  BuildOptions build;
  addBuild(app, build).callback([&] { status = ferry::build(build); });
  CheckOptions check;
  addCheck(app, check).callback([&] { status = ferry::check(check); });
  ExplainOptions explain;
  CLI::App &explaining = addExplain(app, explain);
  explaining.callback([&] {
    if (isGraph(explain.file) && explaining.count("--machine") == 0)
      explain.placement.machine = GraphOptions().machine;
    status = ferry::explain(explain);
  });
  EmitOptions emit;
  addEmit(app, emit).callback([&] { status = ferry::emit(emit); });
  SolveOptions solve;
  addSolve(app, solve).callback([&] { status = ferry::solve(solve); });
  GraphOptions place;
  addPlace(app, place).callback([&] { status = ferry::placeGraph(place); });
  CalibrateOptions calibrate;
  addCalibrate(app, calibrate).callback([&] { status = ferry::calibrate(calibrate); });
  app.add_subcommand("devices", "List the devices and the machine profiles")->callback([&] {
    status = ferry::devices();
  });
  refuseEmptyValues(app);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    std::ostringstream help;
    return app.exit(error, help, std::cerr) == 0 ? writeOutput(help.view()) : exitUsage;
  } catch (const std::bad_alloc &) {
    std::fputs("ferry: error: not enough memory\n", stderr);
    return exitFailure;
  } catch (const placement::Overflow &) {
    std::fputs("ferry: error: a price or a counter of the plan is out of range; assume smaller sizes or fewer runs\n",
               stderr);
    return exitFailure;
  }
  return status;
}
