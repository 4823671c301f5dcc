// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/control.h"

#include <functional>
#include <vector>

namespace ferry::sdfg {

/// How often points and edges are passed in all runs: positive, and conserved exactly, as placement::Graph asks.
struct Frequencies {
  std::vector<Rational> points, edges;
};

/// What is known or assumed about a program's choices. Every choice is taken at least `least` of the times, so that no
/// path has the frequency 0; ends of loops may be as rare as their trips are many.
struct Odds {
  /// Trips of one entry into a loop on the average; where the condition comes last, at least 1.
  std::function<Rational(LoopId)> trips;
  /// Relative weight of an edge among those of a control that decides about no loop.
  std::function<Rational(FlowEdgeId)> weight;
  Rational runs = 1;
  Rational least = {1, 4096};
};

/// Errors: numbers out of range; control flow that is not reducible, with more than 40 points.
placement::Result<Frequencies> frequencies(const ControlFlow &flow, const Odds &odds);

} // namespace ferry::sdfg
