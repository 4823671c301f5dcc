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
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

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
    throw PlacementError(error);
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
};

Placed place(const std::string &text, const std::string &name, const std::string &machine,
             const std::map<std::string, std::int64_t> &assume, const std::vector<std::string> &hostMaps,
             bool explains) {
  nb::gil_scoped_release others;
  sdfg::ExtractOptions options = optionsOf(machine, assume);
  options.hostMaps = hostMaps;
  sdfg::Program program = read(text, name);
  auto placed = sdfg::place(program, options);
  if (!placed)
    throw PlacementError(name + ": " + placed.error().message);
  Placed result{sdfg::printProgram(program), "", placed->notes, placed->plan.bound.toDouble()};
  if (explains)
    if (auto reasons = placement::explain(placed->graph, options.machine, placed->plan))
      result.explanation =
          report::planText(placed->graph, placed->plan, *reasons, report::peakOf(placed->graph, placed->plan));
  return result;
}

/// What a graph costs as it is written, whoever placed it.
sdfg::GraphPrice price(const std::string &text, const std::string &name, const std::string &machine,
                       const std::map<std::string, std::int64_t> &assume) {
  nb::gil_scoped_release others;
  sdfg::ExtractOptions options = optionsOf(machine, assume);
  auto found = sdfg::priceOf(read(text, name), options.machine, options.assume);
  if (!found)
    throw PlacementError(name + ": " + found.error().message);
  return *found;
}

} // namespace

NB_MODULE(_ferry, module) {
  nb::exception<PlacementError>(module, "PlacementError", PyExc_ValueError);
  nb::class_<Placed>(module, "Placed")
      .def_ro("text", &Placed::text)
      .def_ro("explanation", &Placed::explanation)
      .def_ro("notes", &Placed::notes)
      .def_ro("bound", &Placed::bound);
  nb::class_<sdfg::GraphPrice>(module, "GraphPrice")
      .def_prop_ro("total", &sdfg::GraphPrice::total)
      .def_ro("launches", &sdfg::GraphPrice::launchCount)
      .def_ro("single_threaded", &sdfg::GraphPrice::singleThreaded)
      .def_ro("bytes_to_device", &sdfg::GraphPrice::toDeviceBytes)
      .def_ro("bytes_to_host", &sdfg::GraphPrice::toHostBytes);
  module.def("place", &place, nb::arg("text"), nb::arg("name"), nb::arg("machine"), nb::arg("assume"),
             nb::arg("host_maps"), nb::arg("explains"));
  module.def("price", &price, nb::arg("text"), nb::arg("name"), nb::arg("machine"), nb::arg("assume"));
}
