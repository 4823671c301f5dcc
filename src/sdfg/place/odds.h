// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/frequencies.h"
#include "sdfg/place/sizes.h"

namespace ferry::sdfg {

/// Variables of counted loops are supposed to be in the middle of their ranges, for sizes inside of the loops.
void supposeLoopVariables(const ControlFlow &flow, Sizes &sizes);

/// Trips of loops at these sizes, kAssumedTrips where they are not known; other choices are even. Refers to both.
Odds oddsOf(const ControlFlow &flow, const Sizes &sizes, const Rational &runs);

} // namespace ferry::sdfg
