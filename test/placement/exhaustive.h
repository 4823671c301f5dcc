// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/graph.h"
#include "placement/machine.h"
#include "placement/plan.h"

#include <optional>
#include <string>

namespace ferry::placement::test {

/// A judge of plans for tiny graphs (arrays of at most 4 elements, at most 8 of them), written from docs/engine.md
/// alone: it shares no code with the engine but the forms of graph, machine and plan. Gives the price, or why the plan
/// is illegal.
class TinyJudge {
public:
  struct Verdict {
    std::optional<Rational> price;
    std::string why;
  };
  static Verdict judge(const Graph &graph, const Machine &machine, const Plan &plan);
};

/// Tries every plan that would cost less than `bound`, copies carrying what may still be read.
struct SearchResult {
  bool finished = false;          ///< False: too many plans.
  std::optional<Rational> better; ///< The price of a legal plan below the bound.
  std::string plan;               ///< That plan, to look into.
};
SearchResult searchCheaper(const Graph &graph, const Machine &machine, const Rational &bound, std::size_t mostTrials);

/// Whether the search can be tried at all.
bool isTiny(const Graph &graph, std::size_t operations, std::size_t edges);

} // namespace ferry::placement::test
