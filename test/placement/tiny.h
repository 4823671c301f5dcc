// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/graph.h"
#include "placement/machine.h"
#include "placement/plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// \file
/// Tiny graphs: all arrays' elements are bits of one word on each side, four an array, one for an array without an
/// extent. So a whole must-analysis of a plan is a few hundred word operations, and thousands of plans can be tried for
/// each of thousands of programs.
namespace ferry::placement::test {

using Mask = std::uint32_t;
using Money = std::int64_t;

struct TinyPlan {
  std::vector<Sides> sides;
  std::vector<bool> kernels, shares;
  std::vector<Mask> up, down; ///< By edge: elements copied to the device and to the host, by their names behind it.
  std::vector<Mask> peek, poke, push, fetch; ///< By point: one bit an array.
};

/// The rules of docs/engine.md for a tiny graph.
class Tiny {
public:
  Tiny(const Graph &graph, const Machine &machine);

  const Graph &graph;
  const Machine &machine;
  Money scale = 1;
  std::vector<std::vector<EdgeId>> outs, ins;
  std::vector<Mask> live, liveBehind; ///< Before and behind each point: elements that may still be read.
  std::vector<PointId> heads, neighbour;
  std::vector<Mask> sharedIn;
  std::string why;
  bool byElement = false; ///< Copies may be valid in part: what plans are judged by; the search has only whole ones.

  // ---- elements

  unsigned size(ArrayId a) const;
  Mask all(ArrayId a) const { return ((Mask{1} << size(a)) - 1) << (4 * a); }
  Mask part(ArrayId a, const std::optional<Box> &box) const;
  /// The elements between the first and the last of a mask.
  Mask around(ArrayId a, Mask mask) const;

  // ---- shape

  bool in(PointId p, RegionId r) const;
  PointId headOf(RegionId r) const;
  bool inKernel(const TinyPlan &plan, PointId p) const;
  bool edgeInKernel(const TinyPlan &plan, EdgeId e) const;
  Mask sharedOnEdge(EdgeId e) const;

  PointId launchNeighbour(PointId q) const;

  void findLife();
  Mask moved(Mask mask, ArrayId from, ArrayId to) const { return ((mask & all(from)) >> (4 * from)) << (4 * to); }

  // ---- prices

  Money often(const Rational &frequency) const;
  Money copyPrice(ArrayId a, bool up, Mask elements) const;

  /// Price of sides, kernels and launches, or nothing if they do not fit together.
  std::optional<Money> runPrice(const TinyPlan &plan);

  // ---- traffic

  bool hostRead(const TinyPlan &plan, PointId p, const Read &read) const;
  bool deviceRead(const TinyPlan &plan, PointId p, const Read &read) const;
  /// Whether a read takes from the device copy, so that there is something to fetch.
  bool fromDeviceCopy(const TinyPlan &plan, PointId p, const Read &read) const;
  bool mayFetch(const TinyPlan &plan, PointId p, const Read &read) const;

  struct State {
    Mask host = ~Mask{0}, device = ~Mask{0};
  };

  State behind(const TinyPlan &plan, PointId p, State state) const;

  /// A copy is valid if all that may still be read of it is; there are no copies that are valid in part.
  State settled(State state, Mask wanted) const;

  State renamed(const TinyPlan &plan, EdgeId e, State state) const;

  /// Whether everything finds its value. `hopeful`: copies of what is not there, peeks and fetches do no harm.
  bool legal(const TinyPlan &plan, Mask arrays, bool hopeful);

  void lose(const TinyPlan &plan, RegionId r, State &state) const;

  bool no(const std::string &reason);

  TinyPlan empty() const;
};

} // namespace ferry::placement::test
