// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What symbols are worth where they have several values in one program, and what prices make of it.
#include "graphs.h"
#include "machines.h"

#include "sdfg/place/odds.h"
#include "sdfg/place/place.h"
#include "sdfg/place/work.h"
#include "sdfg/price/price.h"

#include <gtest/gtest.h>

#include <limits>

using namespace ferry;
using namespace ferry::sdfg;
using namespace ferry::sdfg::testing;

namespace {

Expr n() { return Expr::symbol("N"); }
Expr i() { return Expr::symbol("i"); }

/// What two calls of one function cost, all on the host, which work on so many elements.
double costOfCalls(const Expr &first, const Expr &second) {
  Program outer;
  outer.version.text = "1.0.2";
  outer.root = machine("first -> second");
  for (const auto &[block, extent] : {std::pair{0, first}, std::pair{1, second}}) {
    Node call = nestedSdfg(std::move(program(kMapText).root), {});
    call.symbolMapping.emplace_back("N", extent);
    outer.root.graph.blocks[block].state()->add(std::move(call));
  }
  auto price = priceOf(outer, *placement::machineByName("h200"), {});
  EXPECT_TRUE(price) << price.error().message;
  return price ? price->total() : 0;
}

/// The same of kernels in two nested graphs that a host map `p = 0:2` launches.
double costOfLaunches(const Expr &first, const Expr &second) {
  Program outer;
  outer.version.text = "1.0.2";
  outer.root = machine("first -> second");
  State &state = *outer.root.graph.blocks[0].state();
  auto [entry, exit] = Node::map("hostmap", {{"p"}, Subset{{{0, 1}}}}, "Sequential", Dialect::Plain);
  NodeId opens = state.add(std::move(entry)), closes = state.add(std::move(exit));
  state.nodes[opens].partner = closes;
  state.nodes[closes].partner = opens;
  for (const Expr &extent : {first, second}) {
    Node call = nestedSdfg(std::move(program(with(kMapText, "CPU_Multicore", "GPU_Device")).root), {});
    call.symbolMapping.emplace_back("N", extent);
    NodeId inside = state.add(std::move(call));
    state.connect(opens, std::nullopt, inside, std::nullopt, Memlet());
    state.connect(inside, std::nullopt, closes, std::nullopt, Memlet());
  }
  auto price = priceOf(outer, *placement::machineByName("h200"), {});
  EXPECT_TRUE(price) << price.error().message;
  return price ? price->kernels : 0;
}

/// A map `i = 0:N` around a map `j = 0:extent` around a tasklet: its operations.
double operationsOf(const Expr &extent, std::int64_t size) {
  Sdfg sdfg = machine("state -> end");
  State &state = *sdfg.graph.blocks[0].state();
  std::vector<NodeId> entries, exits;
  for (auto [name, to] : {std::pair{"i", n()}, std::pair{"j", extent}}) {
    auto [entry, exit] = Node::map(name, {{name}, Subset{{{0, to - 1}}}}, "Sequential", Dialect::Plain);
    entries.push_back(state.add(std::move(entry)));
    exits.push_back(state.add(std::move(exit)));
    state.nodes[entries.back()].partner = exits.back();
    state.nodes[exits.back()].partner = entries.back();
  }
  NodeId tasklet = state.add(Node::tasklet("t", {"pass"}, {}, {}));
  std::vector<NodeId> path = {entries[0], entries[1], tasklet, exits[1], exits[0]};
  for (std::size_t i = 0; i + 1 < path.size(); ++i)
    state.connect(path[i], std::nullopt, path[i + 1], std::nullopt, Memlet());
  auto dataflow = Dataflow::of(state);
  EXPECT_TRUE(dataflow) << dataflow.error().message;
  return static_cast<double>(workOf(sdfg, state, *dataflow, entries[0], Sizes({{"N", size}})).operations);
}

} // namespace

TEST(Sizes, AskingSaysNothing) {
  Sizes sizes;
  EXPECT_EQ(sizes.value(Expr::symbol("L") + 1), kAssumedSize + 1);
  sizes.suppose("L", 10);
  EXPECT_EQ(sizes.value(Expr::symbol("L")), 10);
}

TEST(Sizes, EachCallOfAFunctionHasItsOwn) {
  double small = costOfCalls(10, 10), large = costOfCalls(1000000, 1000000);
  EXPECT_GT(large, 1000 * small);
  EXPECT_NEAR(costOfCalls(10, 1000000), (small + large) / 2, 1);
  EXPECT_NEAR(costOfCalls(1000000, 10), (small + large) / 2, 1);
}

TEST(Sizes, EachLaunchOfAHostMapHasItsOwn) {
  double small = costOfLaunches(10, 10), large = costOfLaunches(10000000, 10000000);
  EXPECT_GT(large, 1000 * small);
  EXPECT_NEAR(costOfLaunches(10, 10000000), (small + large) / 2, 4);
  EXPECT_NEAR(costOfLaunches(10000000, 10), (small + large) / 2, 4);
}

TEST(Sizes, TriangleIsHalfASquare) {
  for (std::int64_t size : {64, 100000})
    EXPECT_NEAR(operationsOf(i() + 1, size) / operationsOf(n(), size), 0.5, 0.02) << size;
}

TEST(Sizes, NestedGraphHasSymbolsOfItsOwn) {
  Sizes outer({{"N", 100}, {"K", 7}});
  outer.suppose("i", 3);
  Node call;
  call.symbolMapping = {{"N", n() * 2}, {"M", i()}, {"K", Expr::symbol("unheard_of")}};
  Sizes inner = outer.inside(call);
  EXPECT_EQ(inner.value(n()), 200) << "not the one outside";
  EXPECT_EQ(inner.value(Expr::symbol("M")), 3);
  EXPECT_EQ(inner.value(Expr::symbol("K")), 7) << "what is assumed, where nothing better is known";
  EXPECT_EQ(inner.value(i()), kAssumedSize) << "another i";
}

TEST(Sizes, ScopeHidesNamesAndDimensionsDependOnThoseBefore) {
  Sizes sizes({{"N", 100}, {"i", 5}});
  Scope scope{{"i", "j"}, Subset{{{0, n() - 1}, {0, i()}}}};
  EXPECT_EQ(sizes.inside(scope).value(i()), 49);
  EXPECT_EQ(sizes.iterations(scope), 100 * 50);
  EXPECT_EQ(sizes.value(i()), 5);
}

TEST(Sizes, LoopsMayShareAVariable) {
  Sdfg sdfg = machine("init -> a: i = 0\n a -> work1 if i < N\n work1 -> a: i = i + 1\n a -> next if not (i < N)\n"
                      "next -> b: i = 0\n b -> work2 if i < 10\n work2 -> b: i = i + 1\n b -> end if not (i < 10)");
  ControlFlow flow = flowOf(sdfg);
  LoopSizes sizes(flow, Sizes({{"N", 200}}));
  EXPECT_EQ(sizes.in(flow.loopOf(stateOf(flow, "work1"))).value(i()), 100);
  EXPECT_EQ(sizes.in(flow.loopOf(stateOf(flow, "work2"))).value(i()), 5);
}

TEST(Sizes, PricesOutOfRangeAreAnErrorThatNamesWhatHasThem) {
  Program program = sdfg::testing::program(kMapText);
  placement::Machine machine = *placement::machineByName("h200");
  auto price = priceOf(program, machine, {{"N", 4000000000000000000}});
  ASSERT_FALSE(price);
  EXPECT_NE(price.error().message.find("even"), std::string::npos) << price.error().message;
  for (std::int64_t size : {std::int64_t{4000000000000000000}, std::int64_t{1000000000000000000}}) {
    ExtractOptions options;
    options.machine = machine;
    options.assume.emplace("N", size);
    auto placed = place(program, options);
    ASSERT_FALSE(placed) << size;
    EXPECT_NE(placed.error().message.find("assume smaller sizes"), std::string::npos) << placed.error().message;
  }
}

TEST(Sizes, WhatDoesNotFitIsAsLargeAsCanBe) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max(),
                         kLeast = std::numeric_limits<std::int64_t>::min();
  Sizes sizes({{"N", 3037000500}}); // the least whose square does not fit
  EXPECT_EQ(sizes.value(n() * n()), kMost);
  EXPECT_EQ(sizes.value(-(n() * n())), kLeast);
  EXPECT_EQ(sizes.count(-(n() * n())), 0);
  EXPECT_EQ(sizes.value((n() - 1) * (n() - 1)), std::int64_t{3037000499} * 3037000499);
}
