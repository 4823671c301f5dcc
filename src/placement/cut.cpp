// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A minimum cut for each objective. Variables that implications decide are left out of the first one. Of its maximum
// flow the residual graph is kept: the cheapest assignments are exactly its closed sets (Picard and Queyranne 1980), so
// its arcs are the implications of the next cut. What the sink or the source reaches in it is decided; strongly
// connected variables are equal. Mostly that leaves the next cut little or nothing.
#include "placement/cut.h"

#include "placement/flow.h"

#include <algorithm>

namespace ferry::placement {

class CutSolver {
public:
  explicit CutSolver(const CutProblem &problem) : problem(problem) {}

  CutProblem::Solution solve(std::size_t objectives) {
    CutProblem::Solution solution;
    solution.contradiction = decideByImplications();
    if (!solution.contradiction.empty())
      return solution;
    for (std::size_t objective = 0; objective < objectives && (objective == 0 || free != 0); ++objective) {
      Wide value = cut(objective);
      if (objective == 0)
        solution.value = value;
    }
    solution.ones.resize(problem.count);
    for (Variable v = 0; v < problem.count; ++v)
      solution.ones[v] = unit[v] == kIsOne;
    return solution;
  }

private:
  static constexpr std::uint32_t kIsOne = 0xffffffffu, kIsZero = 0xfffffffeu;
  struct Arc {
    std::uint32_t from, to;
  };
  /// Arcs by their first node.
  struct Adjacency {
    std::vector<std::uint32_t> start, to;
    Adjacency(std::size_t nodes, const std::vector<Arc> &arcs, bool reversed) : start(nodes + 1), to(arcs.size()) {
      for (const Arc &arc : arcs)
        ++start[(reversed ? arc.to : arc.from) + 1];
      for (std::size_t i = 0; i < nodes; ++i)
        start[i + 1] += start[i];
      std::vector<std::uint32_t> at(start);
      for (const Arc &arc : arcs)
        to[at[reversed ? arc.to : arc.from]++] = reversed ? arc.from : arc.to;
    }
  };

  static bool constant(std::uint32_t unit) { return unit >= kIsZero; }

  /// Everything that kOne implies is one, everything that implies kZero is zero.
  std::vector<Variable> decideByImplications() {
    std::vector<Arc> arcs;
    arcs.reserve(problem.implications.size());
    for (const auto &[u, v] : problem.implications)
      arcs.push_back({u, v});
    std::vector<Variable> reason(problem.count, kIsOne);
    auto spread = [&](Variable first, bool reversed) {
      Adjacency next(problem.count, arcs, reversed);
      std::vector<Variable> order = {first};
      reason[first] = first;
      for (std::size_t i = 0; i < order.size(); ++i)
        for (std::uint32_t k = next.start[order[i]]; k < next.start[order[i] + 1]; ++k)
          if (reason[next.to[k]] == kIsOne) {
            reason[next.to[k]] = order[i];
            order.push_back(next.to[k]);
          }
      return order;
    };
    std::vector<Variable> ones = spread(kOne, false);
    if (reason[kZero] != kIsOne) {
      std::vector<Variable> chain = {kZero};
      while (chain.back() != kOne)
        chain.push_back(reason[chain.back()]);
      return {chain.rbegin(), chain.rend()};
    }
    std::vector<Variable> zeros = spread(kZero, true);
    unit.assign(problem.count, 0);
    for (Variable v : ones)
      unit[v] = kIsOne;
    for (Variable v : zeros)
      unit[v] = kIsZero;
    for (std::uint32_t &u : unit)
      if (!constant(u))
        u = free++;
    for (const Arc &arc : arcs)
      if (!constant(unit[arc.from]) && !constant(unit[arc.to]))
        implications.push_back({unit[arc.from], unit[arc.to]});
    return {};
  }

  /// Calls visit(u, v, price) for each term of an objective.
  template <typename Visit> void terms(std::size_t objective, const Visit &visit) const {
    if (objective == CutProblem::Lifetime) {
      for (const auto &[u, v, bytes] : problem.lifetimes)
        visit(u, v, Wide(bytes));
      return;
    }
    auto visitAll = [&](const std::vector<CutProblem::Price> &terms) {
      for (const CutProblem::Price &term : terms) {
        Wide price = term.price;
        if (objective == CutProblem::Depth)
          price = term.isCopy ? multiplyChecked(price, term.depth) : 0;
        else if (objective == CutProblem::Copies)
          price = term.isCopy;
        if (price != 0)
          visit(term.u, term.v, price);
      }
    };
    visitAll(problem.prices);
    if (objective != CutProblem::Cost) // a copy that is free must not be inside a kernel either
      visitAll(problem.freeCopies);
  }

  Wide cut(std::size_t objective) {
    Wide total = 0, fixed = 0;
    terms(objective, [&](Variable u, Variable v, Wide price) {
      total = addChecked(total, price);
      if (unit[u] == kIsOne && unit[v] == kIsZero)
        fixed += price;
    });
    constexpr Wide kWideLimit = static_cast<Wide>(1) << 124, kNarrowLimit = static_cast<Wide>(1) << 60;
    if (total >= kWideLimit)
      throw Overflow();
    return fixed + (total < kNarrowLimit ? flow<std::int64_t>(objective, total + 1) : flow<Wide>(objective, total + 1));
  }

  template <typename Capacity> Wide flow(std::size_t objective, Wide infinity) {
    Wide through = 0;
    std::vector<Capacity> fromSource(free, 0), toSink(free, 0);
    std::vector<typename MaxFlow<Capacity>::Arc> arcs;
    arcs.reserve(implications.size() + (objective == 0 ? problem.prices.size() : 0));
    terms(objective, [&](Variable u, Variable v, Wide price) {
      std::uint32_t from = unit[u], to = unit[v];
      Capacity capacity = static_cast<Capacity>(price);
      if (from == kIsZero || to == kIsOne || from == to || (from == kIsOne && to == kIsZero))
        return;
      if (from == kIsOne)
        fromSource[to] += capacity;
      else if (to == kIsZero)
        toSink[from] += capacity;
      else
        arcs.push_back({from, to, capacity});
    });
    for (const Arc &arc : implications)
      arcs.push_back({arc.from, arc.to, static_cast<Capacity>(infinity)});
    for (std::uint32_t i = 0; i < free; ++i) {
      through += std::min(fromSource[i], toSink[i]);
      fromSource[i] -= toSink[i];
    }
    MaxFlow<Capacity> maxFlow(std::move(fromSource), arcs);
    through += maxFlow.run();
    contract(maxFlow);
    return through;
  }

  /// Keeps the residual graph as implications between classes of equal variables that are not decided.
  template <typename Capacity> void contract(const MaxFlow<Capacity> &maxFlow) {
    std::vector<std::uint32_t> state(free, 0);
    for (std::uint32_t node : maxFlow.reachedFromSource())
      state[node] = kIsOne;
    for (std::uint32_t node : maxFlow.reachingSink())
      state[node] = kIsZero;
    std::vector<Arc> arcs;
    maxFlow.residual([&](std::uint32_t from, std::uint32_t to) {
      if (state[from] == 0 && state[to] == 0)
        arcs.push_back({from, to});
    });
    std::uint32_t classes = components(arcs, state);
    for (std::uint32_t &u : unit)
      if (!constant(u))
        u = state[u];
    implications.clear();
    for (const Arc &arc : arcs)
      if (state[arc.from] != state[arc.to])
        implications.push_back({state[arc.from], state[arc.to]});
    auto key = [](const Arc &arc) { return std::pair(arc.from, arc.to); };
    std::sort(implications.begin(), implications.end(), [&](const Arc &a, const Arc &b) { return key(a) < key(b); });
    implications.erase(std::unique(implications.begin(), implications.end(),
                                   [&](const Arc &a, const Arc &b) { return key(a) == key(b); }),
                       implications.end());
    free = classes;
  }

  /// Numbers the strongly connected components of the nodes whose state is 0 (Tarjan, without recursion) into `state`.
  std::uint32_t components(const std::vector<Arc> &arcs, std::vector<std::uint32_t> &state) {
    Adjacency next(free, arcs, false);
    std::vector<std::uint32_t> low(free, 0), order(free, 0), at(free, 0), stack, path;
    std::vector<std::uint32_t> number(free, kIsOne);
    std::uint32_t counter = 0, classes = 0;
    for (std::uint32_t root = 0; root < free; ++root) {
      if (state[root] != 0 || order[root] != 0)
        continue;
      path.push_back(root);
      while (!path.empty()) {
        std::uint32_t node = path.back();
        if (order[node] == 0) {
          order[node] = low[node] = ++counter;
          at[node] = next.start[node];
          stack.push_back(node);
        }
        if (at[node] < next.start[node + 1]) {
          std::uint32_t to = next.to[at[node]++];
          if (order[to] == 0)
            path.push_back(to);
          else if (number[to] == kIsOne)
            low[node] = std::min(low[node], order[to]);
          continue;
        }
        path.pop_back();
        if (!path.empty())
          low[path.back()] = std::min(low[path.back()], low[node]);
        if (low[node] != order[node])
          continue;
        for (std::uint32_t member = kIsOne; member != node; stack.pop_back())
          number[member = stack.back()] = classes;
        ++classes;
      }
    }
    for (std::uint32_t i = 0; i < free; ++i)
      if (state[i] == 0)
        state[i] = number[i];
    return classes;
  }

  const CutProblem &problem;
  std::vector<std::uint32_t> unit; ///< By variable: kIsOne, kIsZero, or the number of its class of equal ones.
  std::vector<Arc> implications;   ///< Between classes.
  std::uint32_t free = 0;          ///< Number of classes.
};

CutProblem::Solution CutProblem::solve(std::size_t objectives) const { return CutSolver(*this).solve(objectives); }

} // namespace ferry::placement
