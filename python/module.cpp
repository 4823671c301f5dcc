// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the Python package asks of the engine: a graph's text in, the placed graph's text out. All that knows DaCe's
// classes is written in Python.

#include "ferry/machine.h"
#include "report/plan_report.h"
#include "sdfg/file.h"
#include "sdfg/place/place.h"
#include "sdfg/price/price.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <limits>

namespace nb = nanobind;
using namespace ferry;

namespace {

/// A graph that cannot be placed, or options that mean nothing; Python's ferry.PlacementError.
struct PlacementError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

sdfg::ExtractOptions optionsOf(const std::string &machine, const std::map<std::string, std::int64_t> &assume) {
  std::string error;
  auto profile = readMachine(machine, error);
  if (!profile)
    throw PlacementError(error.starts_with("--") ? error.substr(2) : error); // there is no command line
  sdfg::ExtractOptions options;
  options.machine = *profile;
  options.assume.insert(assume.begin(), assume.end());
  return options;
}

sdfg::Program read(const std::string &text, const std::string &name) {
  auto program = sdfg::parseProgram(text, name);
  if (!program)
    throw PlacementError(program.error().message);
  return std::move(*program);
}

struct Placed {
  std::string text;               ///< The graph.
  std::string explanation;        ///< If it was asked for; it takes longer than placing.
  std::vector<std::string> notes; ///< What was asked for and could not be.
  double bound = 0;               ///< Picoseconds; no plan goes below.
  double cost = 0;                ///< Of the plan.
  /// By name of each operation that runs more than once as a launch of a single thread: the price of the cheapest plan
  /// that has it on the host; infinite where there is none. If asked for.
  std::vector<std::pair<std::string, double>> singleThreads;
};

/// What was computed of a graph, or its error with the graph's name.
template <typename T> T resultFor(const std::string &graph, placement::Result<T> result) {
  if (!result)
    throw PlacementError(graph + ": error: " + result.error().message);
  return std::move(*result);
}

/// Prices of the cheapest plans without each launch of a single thread.
std::vector<std::pair<std::string, double>>
withoutSingleThreads(const std::string &name, const sdfg::PlacedProgram &placed, const placement::Machine &machine) {
  std::vector<std::pair<std::string, double>> result;
  auto prices = resultFor(name, placement::pricesOtherwise(placed.graph, machine, placed.plan, placed.singleThreads));
  for (std::size_t i = 0; i < prices.size(); ++i) {
    const placement::Point &point = placed.graph.points[placed.singleThreads[i]];
    bool hasOther = prices[i] && !point.pin;
    result.emplace_back(point.name, hasOther ? prices[i]->toDouble() : std::numeric_limits<double>::infinity());
  }
  return result;
}

Placed place(const std::string &text, const std::string &name, const std::string &machine,
             const std::map<std::string, std::int64_t> &assume, const std::vector<std::string> &hostMaps, bool explains,
             bool judgesSingleThreads) {
  nb::gil_scoped_release others;
  sdfg::ExtractOptions options = optionsOf(machine, assume);
  options.hostMaps = hostMaps;
  sdfg::Program program = read(text, name);
  sdfg::PlacedProgram placed = resultFor(name, sdfg::place(program, options));
  Placed result{sdfg::printProgram(program), "", placed.notes, placed.plan.bound.toDouble(),
                placed.plan.cost.toDouble(), {}};
  if (judgesSingleThreads)
    result.singleThreads = withoutSingleThreads(name, placed, options.machine);
  if (explains) {
    auto reasons = resultFor(name, placement::explain(placed.graph, options.machine, placed.plan));
    result.explanation = report::planText(placed.graph, placed.plan, reasons, report::peakOf(placed.graph, placed.plan),
                                          placed.copyTargets) +
                         placed.guesses;
  }
  return result;
}

/// What a graph costs as it is written, whoever placed it.
sdfg::GraphPrice price(const std::string &text, const std::string &name, const std::string &machine,
                       const std::map<std::string, std::int64_t> &assume) {
  nb::gil_scoped_release others;
  sdfg::ExtractOptions options = optionsOf(machine, assume);
  return resultFor(name, sdfg::priceOf(read(text, name), options.machine, options.assume));
}

} // namespace

NB_MODULE(_ferry, module) {
  nb::exception<PlacementError> placementError(module, "PlacementError", PyExc_ValueError);
  nb::class_<Placed>(module, "Placed")
      .def_ro("text", &Placed::text)
      .def_ro("explanation", &Placed::explanation)
      .def_ro("notes", &Placed::notes)
      .def_ro("bound", &Placed::bound)
      .def_ro("cost", &Placed::cost)
      .def_ro("single_threads", &Placed::singleThreads);
  nb::class_<sdfg::GraphPrice>(module, "GraphPrice")
      .def_prop_ro("total", &sdfg::GraphPrice::total)
      .def_ro("host", &sdfg::GraphPrice::host)
      .def_ro("launches", &sdfg::GraphPrice::launchCount)
      .def_ro("single_threaded", &sdfg::GraphPrice::singleThreaded)
      .def_ro("bytes_to_device", &sdfg::GraphPrice::toDeviceBytes)
      .def_ro("bytes_to_host", &sdfg::GraphPrice::toHostBytes);
  module.def("place", &place, nb::arg("text"), nb::arg("name"), nb::arg("machine"), nb::arg("assume"),
             nb::arg("host_maps"), nb::arg("explains"), nb::arg("judges_single_threads") = false);
  module.def("price", &price, nb::arg("text"), nb::arg("name"), nb::arg("machine"), nb::arg("assume"));
}
