// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/control.h"

#include <string>

namespace ferry::sdfg::testing {

/// A state machine from its edges, one a line: "from -> to if condition: x = 1, y = x". States are made as they are
/// named, the first one is the start; "work*" is a state with a node in it, which writes the scalar container `s` if it
/// is called "write*". Symbols need no declaration. The SDFG's address is what the control flow refers to.
Sdfg machine(const std::string &edges);

/// A nested SDFG with a connector in and one out for each of the names.
Node nestedSdfg(Sdfg inner, const std::vector<std::string> &connectors);

/// An array of float64 of one dimension, or a view ("View").
void addArray(Sdfg &sdfg, const std::string &name, const std::string &extent, const std::string &type = "Array");

/// Must succeed.
ControlFlow flowOf(const Sdfg &sdfg);

/// The point of a state; kNone if there is none.
PointId stateOf(const ControlFlow &flow, const std::string &label);

} // namespace ferry::sdfg::testing
