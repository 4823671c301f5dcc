// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/rules.h"
#include "placement/solve.h"

namespace ferry::placement {

/// Internal: solves a well-formed graph under one more requirement, without verifying. Throws Failure and Overflow.
Plan solveUnder(const Graph &graph, const Machine &machine, const Options &options,
                const std::optional<Requirement> &requirement);

/// Internal: prices of a well-formed graph under one more requirement each, without what all of them have in common
/// being made anew. Refers to both.
class Alternatives {
public:
  Alternatives(const Graph &graph, const Machine &machine);
  /// Empty if the requirement cannot be met. Throws Overflow.
  std::optional<Rational> price(const Requirement &requirement) const;

private:
  const Graph &graph;
  const Machine &machine;
  Shape shape;
  ScaledFrequencies frequencies;
  ValueGraph values;
};

} // namespace ferry::placement
