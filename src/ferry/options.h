// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the command line can say. main.cpp fills these in; each command has a file of its own.

#pragma once

#include <string>
#include <vector>

namespace ferry {

/// Exit statuses, as `ferry --help` documents them.
enum ExitStatus {
  exitSuccess = 0,
  exitFailure = 1,      ///< The program, its arguments or its run failed; the message says where.
  exitUsage = 2,        ///< The command line is wrong.
  exitViolation = 70,   ///< Something touched the wrong memory. A defect of Ferry.
  exitUnsupported = 77, ///< The program uses a feature that Ferry does not have yet; the message names it.
};

/// How a program is to be placed. What a plan depends on belongs into the key of what is kept of it (kept.cpp).
struct PlacementOptions {
  std::string device;              ///< "host", "sim", "opencl", "opencl:NAME", "cuda", …, or empty: chosen by Ferry.
  std::string machine;             ///< A profile's name or file; empty: the device's.
  std::string plan = "auto";       ///< auto, all-host, all-device, arrays-on-device, or a JSON file of pins.
  std::vector<std::string> pins;   ///< NAME=host or NAME=device.
  std::vector<std::string> assume; ///< NAME=NUMBER.
  std::string observed;            ///< A report of an earlier run.
  std::string deviceMemory;        ///< Bytes, with K, M or G; empty: the profile's.
};

struct CheckOptions {
  std::string file;
};

struct RunOptions {
  std::string file;
  std::string entry = "main";
  PlacementOptions placement;
  bool explain = false;
  bool binary = false;
  bool noProtection = false; ///< sim: leave both memories open, for timing.
  std::string report;        ///< File for the counters as JSON.
  int threads = 0;           ///< Of parallel loops; 0: one for each processor.
  int groupSize = 0;         ///< opencl: items of a group; 0: as suits the device.
  int runs = 1;
  std::string timings; ///< File for each run's microseconds.
  std::string trace;   ///< File for what each operation took.
};

struct BuildOptions {
  std::string file;
  std::string output;               ///< Empty: the program's name without .fut.
  std::vector<std::string> entries; ///< Empty: all there are.
  std::string cpu = "native";       ///< As of codegen::processorNamed.
  PlacementOptions placement;
  std::string runtime; ///< The archive that is linked with.
};

struct ExplainOptions {
  std::string file, entry = "main";
  PlacementOptions placement;
  std::vector<std::string> hostMaps; ///< As of GraphOptions.
  bool json = false;
  std::string diff;    ///< A second plan, as for --plan; of a graph, another graph.
  bool input = false;  ///< Take sizes from arguments on standard input.
  std::string against; ///< A trace of a run, to be set beside the prices.
};

struct EmitOptions {
  std::string file, entry = "main";
  std::string stage = "placed";
  std::string arch; ///< "sm_90", …, or empty: that of the device.
  PlacementOptions placement;
  bool input = false; ///< Take sizes from arguments on standard input.
};

struct SolveOptions {
  std::string file;
};

/// How a DaCe graph is to be placed.
struct GraphOptions {
  std::string file;
  std::string output;
  std::string machine = "pcie4";
  std::vector<std::string> pins, assume; ///< As of PlacementOptions.
  std::vector<std::string> hostMaps;     ///< As of sdfg::hostMaps.
  bool explain = false;
};

struct CalibrateOptions {
  std::string device = "opencl"; ///< As of PlacementOptions.
  std::string output;            ///< Empty: where profiles of devices are kept.
};

int check(const CheckOptions &options);
int run(const RunOptions &options);
int build(const BuildOptions &options);
int explain(const ExplainOptions &options);        ///< Of a program or a graph.
int explainProgram(const ExplainOptions &options); ///< Of a program.
int emit(const EmitOptions &options);
int solve(const SolveOptions &options);
int devices();
int calibrate(const CalibrateOptions &options);

/// The lines of what `devices` prints that are about this machine's accelerators.
std::string realDevices();
/// Whether a file is a DaCe graph, by its name.
bool isGraph(const std::string &file);
int placeGraph(const GraphOptions &options);

} // namespace ferry
