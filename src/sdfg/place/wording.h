// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/control.h"
#include "sdfg/place/operations.h"

#include <string>

/// \file
/// What explanations call the parts of a graph: by the labels that its user sees in DaCe, and by lines of the source
/// where the graph has them.
namespace ferry::sdfg {

/// "between 'init' and 'guard'", "at the start of each trip of loop 'steps'".
std::string describe(const ControlFlow &flow, FlowEdgeId edge);

/// "scale[i=0:N] in state body, prog.py:7".
std::string describe(const Program &program, const Block &state, const Dataflow &dataflow, const Operation &operation);

} // namespace ferry::sdfg
