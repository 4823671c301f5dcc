// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ferry place: a DaCe graph in, the placed graph out. ferry explain of a graph: the same without writing it.

#include "ferry/compare.h"
#include "ferry/errors.h"
#include "ferry/files.h"
#include "ferry/machine.h"
#include "ferry/options.h"

#include "report/plan_report.h"
#include "sdfg/file.h"
#include "sdfg/place/place.h"
#include "sdfg/price/price.h"

#include <cstdio>
#include <utility>

namespace ferry {

namespace {

constexpr std::size_t kAlternatives = 200; ///< Each is a solve of its own.

/// The message names the file.
int failIn(const std::string &message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  return exitFailure;
}

int failIn(const std::string &file, const std::string &message) { return failIn(file + ": error: " + message); }

/// Absent if an option is wrong, which `error` then says.
std::optional<sdfg::ExtractOptions> readOptions(const GraphOptions &options, std::string &error) {
  sdfg::ExtractOptions result;
  auto machine = readMachine(options.machine, error);
  if (!machine)
    return std::nullopt;
  result.machine = *machine;
  auto pins = readPins(options.pins, error);
  if (!pins)
    return std::nullopt;
  for (const auto &[name, side] : *pins)
    result.pins.insert_or_assign(name, side);
  result.hostMaps = options.hostMaps;
  auto assumptions = readAssumptions(options.assume, error);
  if (!assumptions)
    return std::nullopt;
  for (const auto &[name, number] : *assumptions)
    result.assume.insert_or_assign(name, number);
  return result;
}

placement::Result<std::string> explanationOf(const sdfg::PlacedProgram &placed, const placement::Machine &machine) {
  placement::ExplainOptions options;
  options.alternatives = kAlternatives;
  auto reasons = placement::explain(placed.graph, machine, placed.plan, options);
  if (!reasons)
    return reasons.error();
  return report::planText(placed.graph, placed.plan, *reasons, report::peakOf(placed.graph, placed.plan),
                          placed.copyTargets) +
         placed.guesses;
}

} // namespace

bool isGraph(const std::string &file) {
  return file.ends_with(".sdfg") || file.ends_with(".sdfgz") || file.ends_with(".sdfg.gz");
}

int placeGraph(const GraphOptions &options) {
  std::string error;
  auto read = readOptions(options, error);
  if (!read)
    return fail(error, exitUsage);
  auto program = sdfg::readProgram(options.file);
  if (!program)
    return failIn(program.error().message);
  auto placed = sdfg::place(*program, *read);
  if (!placed)
    return failIn(options.file, placed.error().message);
  for (const std::string &note : placed->notes)
    std::fprintf(stderr, "ferry: note: %s\n", note.c_str());
  if (!options.output.empty())
    if (auto written = sdfg::writeProgram(*program, options.output); !written)
      return failIn(written.error().message);
  if (!options.explain)
    return exitSuccess;
  auto explanation = explanationOf(*placed, read->machine);
  return explanation ? writeOutput(*explanation) : failIn(options.file, explanation.error().message);
}

/// A graph as it is written. Absent, with an error, if it cannot be read or priced.
static std::optional<PricedGraph> pricedGraph(const std::string &file, const sdfg::ExtractOptions &options,
                                              std::string &error) {
  auto program = sdfg::readProgram(file);
  if (!program) {
    error = program.error().message;
    return std::nullopt;
  }
  auto price = sdfg::priceOf(*program, options.machine, options.assume);
  if (!price) {
    error = file + ": error: " + price.error().message;
    return std::nullopt;
  }
  return PricedGraph{file, sdfg::placesOf(program->root), std::move(*price)};
}

/// Two graphs as they are written, side by side.
static int compareGraphs(const GraphOptions &options, const std::string &other, bool asJson) {
  std::string error;
  auto read = readOptions(options, error);
  if (!read)
    return fail(error, exitUsage);
  std::array<PricedGraph, 2> graphs;
  for (std::size_t i = 0; i < 2; ++i) {
    auto priced = pricedGraph(i == 0 ? options.file : other, *read, error);
    if (!priced)
      return failIn(error);
    graphs[i] = std::move(*priced);
  }
  return writeOutput(asJson ? comparisonJson(graphs) : comparisonText(graphs));
}

/// An option that was given and says nothing about a graph, or null.
static const char *unusedOption(const ExplainOptions &options) {
  const std::pair<bool, const char *> given[] = {
      {options.input, "--input"},
      {options.entry != "main", "--entry"},
      {options.placement.plan != "auto", "--plan"},
      {!options.placement.observed.empty(), "--observed"},
      {!options.placement.device.empty(), "--device"},
      {!options.against.empty(), "--against"},
  };
  for (auto [isGiven, name] : given)
    if (isGiven)
      return name;
  return nullptr;
}

int explain(const ExplainOptions &options) {
  if (!isGraph(options.file)) {
    if (!options.hostMaps.empty())
      return fail("--host-maps is for DaCe graphs, and " + options.file + " is a Futhark program", exitUsage);
    return explainProgram(options);
  }
  if (const char *unused = unusedOption(options))
    return fail(std::string(unused) + " is for Futhark programs, and " + options.file + " is a DaCe graph", exitUsage);
  if (options.json && options.diff.empty())
    return fail("--json of a DaCe graph takes --diff with another one", exitUsage);
  if (!options.diff.empty() && !isGraph(options.diff))
    return fail("--diff of a DaCe graph takes another one (.sdfg, .sdfgz or .sdfg.gz), and " + options.diff +
                    " is none",
                exitUsage);
  if (!options.diff.empty() && !(options.placement.pins.empty() && options.hostMaps.empty()))
    return fail("--diff compares graphs as they are written; --pin and --host-maps say how one is placed", exitUsage);
  GraphOptions graph;
  graph.file = options.file;
  graph.machine = options.placement.machine;
  graph.pins = options.placement.pins;
  graph.assume = options.placement.assume;
  graph.hostMaps = options.hostMaps;
  graph.explain = true;
  if (!options.diff.empty())
    return compareGraphs(graph, options.diff, options.json);
  return placeGraph(graph);
}

} // namespace ferry
