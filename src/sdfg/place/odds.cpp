// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/odds.h"

#include <algorithm>

namespace ferry::sdfg {

/// Of a counted loop's variable; absent if it is not known.
static std::optional<Expr> middleOf(const FlowLoop &loop) {
  if (!loop.counted || !loop.counted->begin || !loop.counted->trips)
    return std::nullopt;
  return *loop.counted->begin + floorDivide(loop.counted->step * *loop.counted->trips, 2);
}

/// For outside of the loops.
static void supposeVariables(const ControlFlow &flow, Sizes &sizes) {
  for (const FlowLoop &loop : flow.loops)
    if (std::optional<Expr> middle = middleOf(loop))
      sizes.suppose(loop.counted->variable, *middle);
  std::map<std::string, std::int64_t> largest;
  for (const FlowEdge &edge : flow.edges)
    for (const Assignment &each : edge.assignments)
      if (!each.value.isUnknown() && !each.value.freeSymbols().contains(each.symbol) &&
          each.value.subscripted().empty()) {
        std::int64_t value = sizes.value(each.value);
        auto [found, isNew] = largest.try_emplace(each.symbol, value);
        found->second = std::max(found->second, value);
      }
  for (const auto &[symbol, value] : largest)
    sizes.suppose(symbol, value);
}

LoopSizes::LoopSizes(const ControlFlow &flow, Sizes given) : around(std::move(given)) {
  supposeVariables(flow, around);
  for (const FlowLoop &loop : flow.loops) {
    Sizes sizes = in(loop.parent);
    if (std::optional<Expr> middle = middleOf(loop))
      sizes.supposeInside(loop.counted->variable, *middle);
    inside.push_back(std::move(sizes));
  }
}

Assumptions variablesIn(const ControlFlow &flow, LoopId loop) {
  Assumptions result;
  for (; loop != kNone; loop = flow.loops[loop].parent) {
    const std::optional<CountedLoop> &counted = flow.loops[loop].counted;
    if (!counted || !counted->begin || !counted->trips || result.find(counted->variable))
      continue;
    Expr last = *counted->begin + counted->step * (*counted->trips - 1);
    if (provedNonNegative(counted->step))
      result.set(counted->variable, {counted->begin, last});
    else if (provedNonNegative(-counted->step))
      result.set(counted->variable, {last, counted->begin});
  }
  return result;
}

/// By point: the most choices that a way from it to the end makes, each loop entered once.
static std::vector<std::int64_t> choicesAhead(const ControlFlow &flow) {
  std::vector<std::int64_t> ahead(flow.points.size());
  std::vector<bool> isKnown(flow.points.size());
  for (std::size_t i = flow.order().size(); i-- > 0;) {
    PointId id = flow.order()[i];
    for (FlowEdgeId each : flow.out(id))
      if (isKnown[flow.edges[each].to]) // else it goes back
        ahead[id] = std::max(ahead[id], ahead[flow.edges[each].to] + (flow.out(id).size() > 1));
    isKnown[id] = true;
  }
  return ahead;
}

Odds oddsOf(const ControlFlow &flow, const LoopSizes &sizes, const Rational &runs, Rarity rarity) {
  Odds result;
  result.trips = [&](LoopId id) {
    const FlowLoop &loop = flow.loops[id];
    return Rational(loop.counted && loop.counted->trips ? sizes.in(loop.parent).count(*loop.counted->trips)
                                                        : kAssumedTrips);
  };
  if (rarity == Rarity::Fine)
    result.weight = [](FlowEdgeId) { return Rational(1); };
  else
    result.weight = [&flow, ahead = choicesAhead(flow)](FlowEdgeId id) {
      return Rational(1 + ahead[flow.edges[id].to]);
    };
  result.runs = runs;
  result.least = Rational(1, std::int64_t{1} << (rarity == Rarity::Fine ? 20 : 6));
  return result;
}

placement::Result<Frequencies> frequenciesAt(const ControlFlow &flow, const LoopSizes &sizes, const Rational &runs) {
  placement::Result<Frequencies> fine = frequencies(flow, oddsOf(flow, sizes, runs, Rarity::Fine));
  return fine ? fine : frequencies(flow, oddsOf(flow, sizes, runs, Rarity::Coarse));
}

} // namespace ferry::sdfg
