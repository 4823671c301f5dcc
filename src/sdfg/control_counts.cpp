// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counted loops: one symbol of the condition is advanced once in every trip by an amount that the loop does not change,
// and the condition is linear in it.

#include "sdfg/control_build.h"

#include <algorithm>

namespace ferry::sdfg {

namespace {

class Counter {
public:
  Counter(ControlFlow &flow, LoopId id) : flow(flow), id(id), loop(flow.loops[id]) {}

  void run() {
    if (loop.control == kNone)
      return;
    for (PointId point : loop.points)
      for (FlowEdgeId each : flow.out(point))
        if (flow.within(flow.edges[each].to, id))
          inside.push_back(each);
    std::sort(inside.begin(), inside.end());
    Expr condition = stayCondition();
    const Atom *comparison = condition.asAtom();
    if (!comparison ||
        (comparison->op != Op::Less && comparison->op != Op::LessEqual && comparison->op != Op::NotEqual))
      return;
    for (const std::string &symbol : condition.freeSymbols())
      if (std::optional<Expr> step = stepOf(symbol);
          step && isInvariant(condition, symbol) && isInvariant(*step, symbol)) {
        count(*comparison, symbol, *step);
        return;
      }
  }

private:
  /// What holds where another trip follows.
  Expr stayCondition() const {
    const FlowEdge &stays = flow.edges[loop.stays];
    if (!stays.otherwise)
      return stays.condition;
    std::vector<Expr> others;
    for (FlowEdgeId each : flow.out(loop.control))
      if (each != loop.stays)
        others.push_back(logicalNot(flow.edges[each].condition));
    return logicalAnd(std::move(others));
  }

  /// By how much the symbol advances in each trip; absent if that is not so.
  std::optional<Expr> stepOf(const std::string &symbol) {
    std::optional<Expr> step;
    updates.clear();
    for (FlowEdgeId each : inside)
      for (const Assignment &assignment : flow.edges[each].assignments) {
        if (assignment.symbol != symbol)
          continue;
        Expr advance = assignment.value - Expr::symbol(symbol);
        if (advance.isUnknown() || advance.freeSymbols().contains(symbol) || (step && !(*step == advance)))
          return std::nullopt;
        step = advance;
        updates.push_back(each);
      }
    return step && oncePerTrip() ? step : std::nullopt;
  }

  /// Whether each way from the header back to it has exactly one of the updates.
  bool oncePerTrip() const {
    std::vector<std::pair<unsigned, unsigned>> passed(flow.points.size(), {2, 0}); // fewest and most, cut off at 2
    passed[loop.header] = {0, 0};
    for (PointId point : loop.points)
      for (FlowEdgeId each : flow.in(point)) {
        PointId from = flow.edges[each].from;
        bool update = std::binary_search(updates.begin(), updates.end(), each);
        if (update && inInnerLoop(from, point))
          return false;
        if (point == loop.header || flow.dominates(point, from))
          continue;
        passed[point].first = std::min(passed[point].first, passed[from].first + update);
        passed[point].second = std::min(2u, std::max(passed[point].second, passed[from].second + update));
      }
    return std::all_of(loop.backEdges.begin(), loop.backEdges.end(), [&](FlowEdgeId each) {
      bool update = std::binary_search(updates.begin(), updates.end(), each);
      auto [fewest, most] = passed[flow.edges[each].from];
      return fewest + update == 1 && most + update == 1;
    });
  }

  bool inInnerLoop(PointId from, PointId to) const {
    for (LoopId inner = flow.loopOf(from); inner != id && inner != kNone; inner = flow.loops[inner].parent)
      if (flow.within(to, inner))
        return true;
    return false;
  }

  /// Whether nothing in the loop changes what the expression names, the symbol itself aside.
  bool isInvariant(const Expr &expr, const std::string &symbol) {
    std::set<std::string> names = expr.freeSymbols();
    names.merge(expr.subscripted());
    names.erase(symbol);
    for (FlowEdgeId each : inside)
      for (const Assignment &assignment : flow.edges[each].assignments)
        if (names.contains(assignment.symbol))
          return false;
    return std::none_of(names.begin(), names.end(),
                        [&](const std::string &name) { return isWritten(name.substr(0, name.find('.'))); });
  }

  bool isWritten(const std::string &container) const {
    if (!flow.sdfg->find(container))
      return false;
    for (PointId point : loop.points) {
      if (flow.points[point].kind != FlowKind::State)
        continue;
      const State &state = *flow.points[point].block->state();
      for (const DataEdge &edge : state.edges)
        if (state.nodes[edge.to].kind == NodeKind::Access && state.nodes[edge.to].container() == container &&
            !edge.memlet.isEmpty())
          return true;
    }
    return false;
  }

  void count(const Atom &comparison, const std::string &symbol, const Expr &step) {
    CountedLoop &counted = loop.counted.emplace();
    counted.variable = symbol;
    counted.step = step;
    counted.exact = std::all_of(loop.exits.begin(), loop.exits.end(),
                                [&](FlowEdgeId each) { return flow.edges[each].from == loop.control; });
    counted.begin = beginOf(symbol);
    if (!counted.begin)
      return;
    // The first value that the condition sees.
    bool advanced = loop.decidesLast && updatesBeforeControl();
    Expr first = advanced ? *counted.begin + step : *counted.begin;
    std::optional<Expr> more = evaluationsThatHold(comparison, symbol, first, step);
    if (more)
      counted.trips = loop.decidesLast ? *more + 1 : *more;
  }

  bool updatesBeforeControl() const {
    return std::all_of(updates.begin(), updates.end(), [&](FlowEdgeId each) {
      return flow.dominates(flow.edges[each].to, loop.control) && flow.edges[each].to != loop.header;
    });
  }

  /// How often the condition holds when the symbol is `first`, `first + step`, ... before it fails.
  static std::optional<Expr> evaluationsThatHold(const Atom &comparison, const std::string &symbol, const Expr &first,
                                                 const Expr &step) {
    const Expr &difference = comparison.arguments[0];
    Expr start = difference.substitute({{symbol, first}});
    Expr advance = difference.substitute({{symbol, first + step}}) - start;
    Expr same = difference.substitute({{symbol, first + step + step}}) - start;
    if (start.isUnknown() || !(same == advance * 2))
      return std::nullopt; // not linear
    std::optional<Rational> number = advance.constant();
    if (comparison.op == Op::NotEqual) {
      if (!number || (*number != Rational(1) && *number != Rational(-1)))
        return std::nullopt;
      return max({0, -start * Expr(*number)});
    }
    if (number && *number <= Rational(0))
      return std::nullopt; // it never fails, or never holds
    if (comparison.op == Op::Less)
      return max({0, ceilDivide(-start, advance)});
    return max({0, floorDivide(-start, advance) + 1});
  }

  /// The symbol's value where the loop is entered, if it is the same on all ways there.
  std::optional<Expr> beginOf(const std::string &symbol) const {
    std::optional<Expr> begin;
    std::set<std::string> changed;
    std::vector<bool> seen(flow.edges.size(), false);
    std::vector<FlowEdgeId> pending = loop.entries;
    while (!pending.empty()) {
      FlowEdgeId here = pending.back();
      pending.pop_back();
      if (seen[here])
        continue;
      seen[here] = true;
      const FlowEdge &edge = flow.edges[here];
      bool assigned = false;
      for (const Assignment &assignment : edge.assignments) {
        if (assignment.symbol != symbol) {
          changed.insert(assignment.symbol);
          continue;
        }
        if (assignment.value.isUnknown() || (begin && !(*begin == assignment.value)))
          return std::nullopt;
        begin = assignment.value;
        assigned = true;
      }
      if (assigned)
        continue;
      if (edge.from == flow.entry)
        return std::nullopt;
      pending.insert(pending.end(), flow.in(edge.from).begin(), flow.in(edge.from).end());
    }
    // What it is made from must still be what it was: nothing that changed on the way, nor the symbol itself.
    changed.insert(symbol);
    std::set<std::string> names = begin ? begin->freeSymbols() : std::set<std::string>();
    bool kept =
        std::none_of(names.begin(), names.end(), [&](const std::string &name) { return changed.contains(name); });
    return kept ? begin : std::nullopt;
  }

  ControlFlow &flow;
  LoopId id;
  FlowLoop &loop;
  std::vector<FlowEdgeId> inside;  ///< Edges with both ends in the loop.
  std::vector<FlowEdgeId> updates; ///< Of the symbol that stepOf() was asked for.
};

} // namespace

void countLoops(ControlFlow &flow) {
  for (LoopId id = 0; id < flow.loops.size(); ++id)
    Counter(flow, id).run();
}

} // namespace ferry::sdfg
