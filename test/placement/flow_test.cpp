// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The maximum flow against Boost's push-relabel, and its residual graph against the theorem that goes with it.
#include "placement/flow.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <gtest/gtest.h>

#include <random>

namespace ferry::placement {
namespace {

using Arc = MaxFlow<std::int64_t>::Arc;

std::int64_t boostFlow(std::size_t nodes, const std::vector<std::int64_t> &terminals, const std::vector<Arc> &arcs) {
  using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
  using Graph = boost::adjacency_list<
      boost::vecS, boost::vecS, boost::directedS, boost::no_property,
      boost::property<boost::edge_capacity_t, std::int64_t,
                      boost::property<boost::edge_residual_capacity_t, std::int64_t,
                                      boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;
  Graph graph(nodes + 2);
  auto capacity = get(boost::edge_capacity, graph);
  auto reverse = get(boost::edge_reverse, graph);
  auto add = [&](std::size_t from, std::size_t to, std::int64_t amount) {
    auto forth = boost::add_edge(from, to, graph).first, back = boost::add_edge(to, from, graph).first;
    capacity[forth] = amount;
    capacity[back] = 0;
    reverse[forth] = back;
    reverse[back] = forth;
  };
  for (std::size_t node = 0; node < nodes; ++node) {
    if (terminals[node] > 0)
      add(nodes, node, terminals[node]);
    if (terminals[node] < 0)
      add(node, nodes + 1, -terminals[node]);
  }
  for (const Arc &arc : arcs)
    add(arc.from, arc.to, arc.capacity);
  return boost::push_relabel_max_flow(graph, nodes, nodes + 1);
}

/// What the source still reaches is the source's side of a minimum cut: no residual capacity leads out of it to the
/// sink, and the capacities that lead out of it sum up to the flow.
void expectMinimumCut(const MaxFlow<std::int64_t> &flow, std::int64_t value, const std::vector<std::int64_t> &terminals,
                      const std::vector<Arc> &arcs) {
  std::vector<std::vector<std::uint32_t>> next(terminals.size());
  flow.residual([&](std::uint32_t from, std::uint32_t to) { next[from].push_back(to); });
  std::vector<bool> reached(terminals.size());
  std::vector<std::uint32_t> work;
  for (std::uint32_t node = 0; node < terminals.size(); ++node)
    if (flow.terminal(node) > 0) {
      reached[node] = true;
      work.push_back(node);
    }
  while (!work.empty()) {
    std::uint32_t node = work.back();
    work.pop_back();
    EXPECT_GE(flow.terminal(node), 0) << "an augmenting path is left";
    for (std::uint32_t to : next[node])
      if (!reached[to]) {
        reached[to] = true;
        work.push_back(to);
      }
  }
  std::int64_t cut = 0;
  for (std::uint32_t node = 0; node < terminals.size(); ++node)
    cut += reached[node] ? std::max<std::int64_t>(0, -terminals[node]) : std::max<std::int64_t>(0, terminals[node]);
  for (const Arc &arc : arcs)
    cut += reached[arc.from] && !reached[arc.to] ? arc.capacity : 0;
  EXPECT_EQ(cut, value);
}

TEST(MaxFlow, AgreesWithBoost) {
  std::mt19937 random(1);
  auto below = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
  for (unsigned round = 0; round < 3000; ++round) {
    std::uint32_t nodes = 1 + below(round % 10 == 0 ? 200 : 12);
    std::vector<std::int64_t> terminals(nodes);
    for (std::int64_t &terminal : terminals)
      terminal = below(3) == 0 ? 0 : static_cast<std::int64_t>(below(41)) - 20;
    std::vector<Arc> arcs;
    for (unsigned i = 0, count = below(nodes * 4 + 1); i < count; ++i) {
      // Long chains beside random arcs, and now and then a capacity that stands for infinity.
      std::uint32_t from = below(nodes), to = below(2) ? below(nodes) : (from + 1) % nodes;
      if (from != to)
        arcs.push_back({from, to, below(8) == 0 ? 1000000 : static_cast<std::int64_t>(below(15))});
    }
    MaxFlow<std::int64_t> flow(terminals, arcs);
    std::int64_t value = flow.run();
    ASSERT_EQ(value, boostFlow(nodes, terminals, arcs)) << "round " << round;
    expectMinimumCut(flow, value, terminals, arcs);
    std::vector<Wide> wideTerminals(terminals.begin(), terminals.end());
    std::vector<MaxFlow<Wide>::Arc> wideArcs;
    for (const Arc &arc : arcs)
      wideArcs.push_back({arc.from, arc.to, arc.capacity});
    ASSERT_EQ(MaxFlow<Wide>(wideTerminals, wideArcs).run(), value);
  }
}

} // namespace
} // namespace ferry::placement
