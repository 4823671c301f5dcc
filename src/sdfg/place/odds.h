// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/frequencies.h"
#include "sdfg/place/sizes.h"

namespace ferry::sdfg {

/// Of a control flow with loops whose variables may have the same names: inside of a counted loop its variable is
/// supposed to be in the middle of its range.
class LoopSizes {
public:
  /// `around`: the sizes of its SDFG. Outside of the loops their variables are supposed to be in the middle of their
  /// ranges too, other symbols to have the largest of the values that are assigned to them in terms of others.
  LoopSizes(const ControlFlow &flow, Sizes around);
  /// Outside of all loops for kNone.
  const Sizes &in(LoopId loop) const { return loop == kNone ? around : inside[loop]; }

private:
  Sizes around;
  std::vector<Sizes> inside; ///< By loop.
};

/// How rarely the trips of a loop run that is known to have none, which no frequency may rule out. Denominators
/// multiply where loops are inside of each other, so the finer one may leave the range of numbers where the coarser
/// does not. They do as well behind one early exit after the other, if both ways on are as likely: with the coarser
/// one a way is as likely as there are choices ahead, so that each exit is taken as often as any.
enum class Rarity : std::uint8_t { Fine, Coarse };

/// Trips of loops at these sizes, kAssumedTrips where they are not known; other choices are even. Refers to both.
/// The values that variables of a loop and of those around it take in its trips, as far as they are known.
Assumptions variablesIn(const ControlFlow &flow, LoopId loop);

Odds oddsOf(const ControlFlow &flow, const LoopSizes &sizes, const Rational &runs, Rarity rarity);

/// The frequencies of these odds, as fine as stays in range. Errors as frequencies().
placement::Result<Frequencies> frequenciesAt(const ControlFlow &flow, const LoopSizes &sizes, const Rational &runs);

} // namespace ferry::sdfg
