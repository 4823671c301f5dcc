// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/place/host_maps.h"
#include "sdfg/place/units.h"
#include "sdfg/place/work.h"

#include <optional>
#include <string>
#include <vector>

/// \file
/// A state of a host level as a sequence of what is placed one by one.
namespace ferry::sdfg {

/// How an operation uses a unit (units.h).
struct Use {
  std::string unit;
  bool reads = false, writes = false;
  /// The write replaces every element, whatever happens: proved from the subsets, not assumed.
  bool whole = false;
  /// Read by whoever launches: the extent of a map.
  bool launch = false;
  /// The elements read, in the container that stands for the unit; absent: any.
  std::optional<Subset> readPart;
  /// The elements written: these, all of them, for certain. Absent: not known.
  std::optional<Subset> writtenPart;
};

struct Operation {
  enum class Kind : std::uint8_t {
    Scope,  ///< A map or consume scope, all in it included.
    Code,   ///< Tasklets and library nodes that hand values to each other without a container in between.
    Copy,   ///< An edge between access nodes, or what a nested map without a scope would be.
    Nested, ///< A nested SDFG.
  };
  Kind kind = Kind::Code;
  std::vector<NodeId> nodes;            ///< At the top of the state, in topological order; of a scope its entry.
  std::optional<Dataflow::EdgeId> edge; ///< Of a copy.
  std::vector<Use> uses;                ///< One a unit, sorted by name; not those that are in device memory already.
  NodeWork work;
  std::string name;
  std::optional<placement::Side> pin;
  std::string why; ///< Of the pin.
  /// A map that stays on the host: on the device's side it launches what is in it.
  bool launches = false;
  std::string whyPlain; ///< Why a map that stays on the host launches nothing; empty if it is none, or does.
  /// Of a copy between a container in host memory and one in device memory: it is a transfer already.
  std::optional<placement::Direction> transfer;
};

/// The operations of a state in an order in which they may run. Maps in `onHost`, and those that hold them, are no
/// kernels. `variables` are those of the loops around.
std::vector<Operation> operationsOf(const Sdfg &sdfg, const State &state, const Dataflow &dataflow, const Units &units,
                                    const Sizes &sizes, const MapSet &onHost = {}, const Assumptions &variables = {});

} // namespace ferry::sdfg
