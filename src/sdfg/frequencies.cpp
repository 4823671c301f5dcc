// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wu and Larus, "Static Branch Frequency and Program Profile Analysis" (MICRO 1994), in exact fractions: a loop whose
// body comes back with probability c multiplies what enters it by 1 / (1 - c). Inner loops are worked out first.
// Circles that are no loops are solved as linear equations.

#include "sdfg/frequencies.h"

#include <algorithm>
#include <map>

namespace ferry::sdfg {

using placement::Error;
using placement::ErrorKind;
using placement::Overflow;
using placement::Result;

namespace {

constexpr std::size_t kMostUnknowns = 40;

class Solver {
public:
  Solver(const ControlFlow &flow, const Odds &odds)
      : flow(flow), odds(odds), probability(flow.edges.size()), comesBack(flow.loops.size()),
        amounts(flow.points.size()), isInside(flow.points.size()) {}

  Result<Frequencies> run() {
    for (LoopId loop = 0; loop < flow.loops.size(); ++loop)
      if (flow.loops[loop].control != kNone)
        decided[flow.loops[loop].control] = loop;
    for (PointId id = 0; id < flow.points.size(); ++id)
      choose(id);
    if (!flow.reducible)
      return solved();
    for (LoopId id = static_cast<LoopId>(flow.loops.size()); id-- > 0;) {
      propagate(flow.loops[id].points, flow.loops[id].header, 1, id);
      for (FlowEdgeId each : flow.loops[id].backEdges)
        comesBack[id] += amounts[flow.edges[each].from] * probability[each];
    }
    propagate(flow.order(), flow.entry, odds.runs, kNone);
    return withEdges(std::move(amounts));
  }

private:
  /// The probability of each edge of a point.
  void choose(PointId id) {
    std::span<const FlowEdgeId> out = flow.out(id);
    if (out.size() == 1)
      probability[out[0]] = 1;
    if (out.size() < 2)
      return;
    Rational left = 1, total;
    FlowEdgeId again = kNone;
    if (auto found = decided.find(id); found != decided.end()) {
      const FlowLoop &loop = flow.loops[found->second];
      again = loop.stays;
      probability[again] = std::max(stays(loop, odds.trips(found->second)), odds.least);
      left = Rational(1) - probability[again];
    }
    std::vector<FlowEdgeId> others;
    for (FlowEdgeId each : out)
      if (each != again) {
        others.push_back(each);
        total += std::max(odds.weight(each), odds.least);
      }
    for (FlowEdgeId each : others)
      probability[each] = left * std::max(odds.weight(each), odds.least) / total;
  }

  /// So many trips on the average follow from going on with this probability each time.
  static Rational stays(const FlowLoop &loop, Rational trips) {
    Rational again = loop.decidesLast ? std::max(trips - Rational(1), Rational(0)) : std::max(trips, Rational(0));
    return again / (again + Rational(1));
  }

  /// Of points in order, what flows from `start` along edges that do not go back, into `amounts`; inner loops multiply.
  void propagate(const std::vector<PointId> &order, PointId start, const Rational &amount, LoopId around) {
    for (PointId id : order) {
      isInside[id] = true;
      amounts[id] = 0;
    }
    amounts[start] = amount;
    for (PointId id : order) {
      LoopId loop = flow.loopOf(id);
      bool header = loop != kNone && loop != around && flow.loops[loop].header == id;
      for (FlowEdgeId each : flow.in(id)) {
        bool back = header && flow.dominates(id, flow.edges[each].from);
        if (id != start && !back && isInside[flow.edges[each].from])
          amounts[id] += amounts[flow.edges[each].from] * probability[each];
      }
      if (header)
        amounts[id] = amounts[id] / (Rational(1) - comesBack[loop]);
    }
    for (PointId id : order)
      isInside[id] = false;
  }

  Frequencies withEdges(std::vector<Rational> points) const {
    Frequencies result{std::move(points), {}};
    result.edges.reserve(flow.edges.size());
    for (FlowEdgeId each = 0; each < flow.edges.size(); ++each)
      result.edges.push_back(result.points[flow.edges[each].from] * probability[each]);
    return result;
  }

  /// One equation a point, by Gauss and Jordan.
  Result<Frequencies> solved() const {
    std::size_t count = flow.points.size();
    if (count > kMostUnknowns)
      return Error{ErrorKind::Malformed,
                   "the control flow is not reducible and has more than " + std::to_string(kMostUnknowns) + " points"};
    std::vector<std::vector<Rational>> rows(count, std::vector<Rational>(count + 1));
    for (std::size_t i = 0; i < count; ++i)
      rows[i][i] = 1;
    for (FlowEdgeId each = 0; each < flow.edges.size(); ++each)
      rows[flow.edges[each].to][flow.edges[each].from] += Rational(-1) * probability[each];
    rows[flow.entry][count] = odds.runs;
    // Diagonally dominant by columns: the pivots are never 0.
    for (std::size_t pivot = 0; pivot < count; ++pivot)
      for (std::size_t row = 0; row < count; ++row) {
        if (row == pivot || rows[row][pivot] == Rational(0))
          continue;
        Rational factor = rows[row][pivot] / rows[pivot][pivot];
        for (std::size_t column = pivot; column <= count; ++column)
          if (rows[pivot][column] != Rational(0))
            rows[row][column] += Rational(-1) * factor * rows[pivot][column];
      }
    std::vector<Rational> points;
    points.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
      points.push_back(rows[i][count] / rows[i][i]);
    return withEdges(std::move(points));
  }

  const ControlFlow &flow;
  const Odds &odds;
  std::vector<Rational> probability;
  std::vector<Rational> comesBack;   ///< By loop: the probability that its header is reached again.
  std::map<PointId, LoopId> decided; ///< By control: the loop whose trips it decides about, the innermost of several.
  std::vector<Rational> amounts;     ///< By point, of those that propagate() was last asked for.
  std::vector<bool> isInside;
};

} // namespace

Result<Frequencies> frequencies(const ControlFlow &flow, const Odds &odds) {
  try {
    return Solver(flow, odds).run();
  } catch (const Overflow &) {
    return Error{ErrorKind::Overflow, "a frequency is out of range: too many trips or choices inside of each other"};
  }
}

} // namespace ferry::sdfg
