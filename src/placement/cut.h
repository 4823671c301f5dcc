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
  /// Room for so many of each, to save moving them.
  void reserve(std::size_t implied, std::size_t priced, std::size_t held) {
    implications.reserve(implied);
    prices.reserve(priced);
    lifetimes.reserve(held);
  }
  /// u = 1 requires v = 1.
  void implies(Variable u, Variable v) {
    if (u != v && u != kZero && v != kOne)
      implications.push_back({u, v});
  }
  /// Costs `price` >= 0 where u = 1 and v = 0.
  void price(Variable u, Variable v, Wide price) {
    if (price != 0)
      add(u, v, price, 0, false);
  }
  /// The price of a copy, at a depth of regions.
  void copy(Variable u, Variable v, Wide price, unsigned depth) {
    if (price != 0)
      add(u, v, price, depth, true);
    else if (u != v && u != kZero && v != kOne)
      freeCopies.push_back({u, v, depth, true, 1});
  }
  /// Bytes held on both sides where u = 1 and v = 0.
  void lifetime(Variable u, Variable v, std::int64_t bytes) {
    if (bytes != 0 && u != v && u != kZero && v != kOne)
      lifetimes.push_back({u, v, bytes});
  }

  /// In turn: the price; price times depth of copies; bytes times slots held on both sides; the number of copies.
  enum Objective : std::size_t { Cost, Depth, Lifetime, Copies, kObjectives };

  struct Solution {
    Wide value = 0;
    std::vector<bool> ones;
    /// If the implications contradict each other: a chain of them from kOne to kZero; the rest is empty.
    std::vector<Variable> contradiction;
  };
  /// Of the assignments that are cheapest by the first `objectives` objectives the one with the fewest ones. Throws
  /// Overflow if the sum of an objective's prices leaves 124 bits.
  Solution solve(std::size_t objectives) const;

private:
  friend class CutSolver;
  struct Implication {
    Variable u, v;
  };
  struct Price {
    Variable u, v;
    std::uint32_t depth;
    bool isCopy;
    Wide price;
  };
  struct Bytes {
    Variable u, v;
    std::int64_t bytes;
  };
  void add(Variable u, Variable v, Wide price, std::uint32_t depth, bool isCopy) {
    if (u != v && u != kZero && v != kOne)
      prices.push_back({u, v, depth, isCopy, price});
  }

  Variable count;
  std::vector<Implication> implications;
  std::vector<Price> prices;
  std::vector<Price> freeCopies; ///< As if of price 1: they count for all objectives but the first.
  std::vector<Bytes> lifetimes;
};

} // namespace ferry::placement
