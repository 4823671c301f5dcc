// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/dataflow.h"

#include <vector>

namespace ferry::placement {

/// Internal: for arrays with an extent, the elements that may still be read before each point. Backward.
class PartsLife {
public:
  PartsLife(const Graph &graph, const Shape &shape);
  std::vector<ArrayId> arrays; ///< Those with an extent.
  const BoxSet &before(PointId point, ArrayId array) const { return sets[point * arrays.size() + column[array]]; }

private:
  std::vector<std::uint32_t> column;
  std::vector<BoxSet> sets;
};

/// Internal: for arrays with an extent, the elements whose copies are valid on each side, under a plan as written.
/// Forward.
class PartsValidity {
public:
  struct State {
    BoxSet host, device;
  };

  PartsValidity(const PlanView &view, const std::vector<ParallelLoop> &parallel);
  std::vector<ArrayId> arrays; ///< Those with an extent.
  const State &before(PointId point, ArrayId array) const { return states[point * arrays.size() + column[array]]; }
  State behind(PointId point, ArrayId array) const;

private:
  State arrive(EdgeId edge, ArrayId array) const;

  const PlanView &view;
  const std::vector<ParallelLoop> &parallel;
  std::vector<std::uint32_t> column;
  std::vector<State> states;
  std::vector<bool> reached; ///< By point: a state has arrived; until then everything is valid.
};

} // namespace ferry::placement
