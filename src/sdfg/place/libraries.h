// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/model.h"

#include <string>

/// \file
/// What DaCe has for its library nodes: dace/libraries of 1.0.2, and what its code generator makes of each.
namespace ferry::sdfg {

/// What a library node is called from, and where its operands are.
enum class Caller : std::uint8_t {
  Host,   ///< The host, on what it has.
  Device, ///< The host, on what the device has: launches, or a call of one of the device's libraries.
  Kernel, ///< A thread of a kernel.
};

/// Why a library node cannot be called from there, whatever implementation it names; empty if it can. A node of a type
/// that is not DaCe's own can be where its implementation says.
std::string whyNoImplementation(const Node &library, Caller caller);

/// Whether the implementation that a library node names is one of the device's.
bool namesDeviceImplementation(const Node &library);

/// Gives a library node an implementation for where it is called from, unless it has one. Where none is named that is
/// DaCe's default, if that may be called there; on the device it is a library of the device for operands that this
/// takes, else DaCe's own graph ("pure").
void chooseImplementation(const Sdfg &sdfg, State &state, NodeId library, Caller caller);

} // namespace ferry::sdfg
