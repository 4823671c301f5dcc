// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/place/extract.h"

#include <map>
#include <string>
#include <vector>

namespace ferry::sdfg {

/// What was decided, for explanations: the problem, its plan, and how they are connected with the program as it was.
struct PlacedProgram {
  placement::Graph graph;
  placement::Plan plan;
  std::vector<std::string> notes; ///< As of Extracted, and of assumptions that name nothing.
  std::string guesses;            ///< What else is assumed, for the end of explanations: a line, or empty.
  /// Operations that the plan has on the device, each a launch of a single thread, and that run more than once.
  std::vector<placement::PointId> singleThreads;
  /// By the operation of a copy's source, that of its target, where each has a side of its own (crossing.h).
  std::map<placement::PointId, placement::PointId> copyTargets;
};

/// Places a program: changes it so that DaCe builds it for host and device as the cheapest plan says. Errors name the
/// element; the program is then not to be used.
placement::Result<PlacedProgram> place(Program &program, const ExtractOptions &options);

} // namespace ferry::sdfg
