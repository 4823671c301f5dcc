// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/place/operations.h"

#include "placement/machine.h"

#include <optional>

/// \file
/// Copies between two containers, whose source and target may be on different sides: then they are transfers.
namespace ferry::sdfg {

/// What such a copy costs, as costs of its two ends, each on a side of its own, and of a value that is carried from
/// one to the other.
struct Crossing {
  placement::Time sourceHost = 0, sourceDevice = 0, targetHost = 0, targetDevice = 0;
  placement::Time toDevice = 0, toHost = 0; ///< Where the ends are on different sides.
};

/// Absent of what is no copy between two plain containers, or has to be on one side, and where transfers are so cheap
/// that a cut cannot express the choice. Throws placement::Overflow.
std::optional<Crossing> crossingOf(const Sdfg &sdfg, const Operation &operation, const placement::Machine &machine);

} // namespace ferry::sdfg
