// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/frequencies.h"
#include "sdfg/place/sizes.h"

namespace ferry::sdfg {

/// Variables of counted loops are supposed to be in the middle of their ranges, for sizes inside of the loops; other
/// symbols to have the largest of the values that are assigned to them in terms of others.
void supposeLoopVariables(const ControlFlow &flow, Sizes &sizes);

/// How rarely a loop that is known to have trips is skipped, which no frequency may rule out. Denominators multiply
/// where loops are inside of each other, so the finer one may leave the range of numbers where the coarser does not.
enum class Rarity : std::uint8_t { Fine, Coarse };

/// Trips of loops at these sizes, kAssumedTrips where they are not known; other choices are even. Refers to both.
Odds oddsOf(const ControlFlow &flow, const Sizes &sizes, const Rational &runs, Rarity rarity);

} // namespace ferry::sdfg
