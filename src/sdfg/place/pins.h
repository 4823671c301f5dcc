// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/place/libraries.h"
#include "sdfg/place/operations.h"

#include <string>

/// \file
/// What binds an operation to a side.
namespace ferry::sdfg {

/// The first reason for a side is the one that is told; what only the host can run stays there.
void pinTo(Operation &operation, placement::Side side, const std::string &why);

/// What the node's kind, code, schedule or implementation says. `caller`: who would run it if the operation is on the
/// device.
void pinForNode(Operation &operation, const Node &node, Caller caller);

/// The same of all that a nested graph in a scope holds, at every depth. `caller`: of what is in no scope of it.
void pinForNested(Operation &operation, const Sdfg &nested, Caller caller);

} // namespace ferry::sdfg
