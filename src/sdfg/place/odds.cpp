// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/odds.h"

#include <algorithm>

namespace ferry::sdfg {

void supposeLoopVariables(const ControlFlow &flow, Sizes &sizes) {
  for (const FlowLoop &loop : flow.loops)
    if (loop.counted && loop.counted->begin && loop.counted->trips)
      sizes.suppose(loop.counted->variable,
                    *loop.counted->begin + floorDivide(loop.counted->step * *loop.counted->trips, 2));
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

Odds oddsOf(const ControlFlow &flow, const Sizes &sizes, const Rational &runs, Rarity rarity) {
  Odds result;
  auto trips = [&sizes, &flow](LoopId id) {
    const FlowLoop &loop = flow.loops[id];
    return loop.counted && loop.counted->trips ? sizes.count(*loop.counted->trips) : kAssumedTrips;
  };
  result.trips = [trips](LoopId id) { return Rational(std::max<std::int64_t>(1, trips(id))); };
  result.enters = [trips](LoopId id) { return trips(id) > 0 ? Rational(1) : Rational(0); };
  result.weight = [](FlowEdgeId) { return Rational(1); };
  result.runs = runs;
  result.least = Rational(1, std::int64_t{1} << (rarity == Rarity::Fine ? 20 : 6));
  return result;
}

} // namespace ferry::sdfg
