// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/number.h"

#include <cstdint>
#include <vector>

namespace ferry::placement {

using Variable = std::uint32_t;
inline constexpr Variable kOne = 0, kZero = 1; ///< The constants.

/// Internal: a function of boolean variables to minimise, as implications and prices. Further objectives decide, in
/// turn, among the assignments that all earlier ones find cheapest.
class CutProblem {
public:
  CutProblem() : count(2) {}

  Variable add() { return count++; }
  /// u = 1 requires v = 1.
  void implies(Variable u, Variable v) {
    if (u != v && u != kZero && v != kOne)
      implications.push_back({u, v});
  }
  /// Costs `price` >= 0 where u = 1 and v = 0.
  void price(Variable u, Variable v, Wide price, std::size_t objective = 0) {
    if (price != 0 && u != v && u != kZero && v != kOne)
      prices[objective].push_back({u, v, price});
  }

  struct Solution {
    Wide value = 0;
    std::vector<bool> ones;
    /// If the implications contradict each other: a chain of them from kOne to kZero; the rest is empty.
    std::vector<Variable> contradiction;
  };
  /// Of the assignments that are cheapest by all the objectives the one with the fewest ones. Throws Overflow if the
  /// sum of an objective's prices leaves 126 bits.
  Solution solve(std::size_t objectives) const;

  static constexpr std::size_t kObjectives = 4;

private:
  friend class CutSolver;
  struct Implication {
    Variable u, v;
  };
  struct Price {
    Variable u, v;
    Wide price;
  };
  Variable count;
  std::vector<Implication> implications;
  std::vector<Price> prices[kObjectives];
};

} // namespace ferry::placement
