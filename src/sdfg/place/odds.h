// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/frequencies.h"
#include "sdfg/place/sizes.h"

namespace ferry::sdfg {

/// Variables of counted loops are supposed to be in the middle of their ranges, for sizes inside of the loops; other
/// symbols to have the largest of the values that are assigned to them in terms of others.
void supposeLoopVariables(const ControlFlow &flow, Sizes &sizes);

/// Of a control flow with loops whose variables may have the same names.
class LoopSizes {
public:
  /// `around`: the sizes of its SDFG; the loops' variables are supposed in them as above.
  LoopSizes(const ControlFlow &flow, Sizes around);
  /// Outside of all loops for kNone.
  const Sizes &in(LoopId loop) const { return loop == kNone ? around : inside[loop]; }

private:
  Sizes around;
  std::vector<Sizes> inside; ///< By loop.
};

/// How rarely a loop that is known to have trips is skipped, which no frequency may rule out. Denominators multiply
/// where loops are inside of each other, so the finer one may leave the range of numbers where the coarser does not.
enum class Rarity : std::uint8_t { Fine, Coarse };

/// Trips of loops at these sizes, kAssumedTrips where they are not known; other choices are even. Refers to both.
Odds oddsOf(const ControlFlow &flow, const LoopSizes &sizes, const Rational &runs, Rarity rarity);
/// The same, of sizes in which the loops' variables are supposed already or not. Refers to the control flow only.
Odds oddsOf(const ControlFlow &flow, const Sizes &sizes, const Rational &runs, Rarity rarity);

} // namespace ferry::sdfg
