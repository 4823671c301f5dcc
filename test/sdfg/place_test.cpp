// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules by which a plan is written into a graph, on graphs small enough to see each of them.
#include "graphs.h"
#include "machines.h"

#include "sdfg/flatten.h"
#include "sdfg/place/place.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace ferry;
using namespace ferry::sdfg;
using namespace ferry::sdfg::testing;

namespace {

ExtractOptions pinned(const std::string &name, placement::Side side) {
  ExtractOptions options;
  options.machine = *placement::machineByName("h200");
  options.pins.emplace(name, side);
  return options;
}

Program placed(const std::string &text, const ExtractOptions &options) {
  Program result = program(text);
  auto done = place(result, options);
  EXPECT_TRUE(done) << done.error().message;
  return result;
}

std::string storageOf(const Program &program, const std::string &container) {
  const Container *found = program.root.find(container);
  return found ? std::string(found->storage->name) : "none";
}

const Block *blockOf(const Program &program, const std::string &label) {
  const Block *result = nullptr;
  forEachBlock(program.root.graph, [&](const Block &block) {
    if (block.label() == label)
      result = &block;
  });
  return result;
}

/// "A -> gpu_A" of each edge between access nodes, state by state.
std::vector<std::string> copiesIn(const Program &program) {
  std::vector<std::string> result;
  forEachBlock(program.root.graph, [&](const Block &block) {
    const State *state = block.state();
    for (const DataEdge &edge : state ? state->edges : std::vector<DataEdge>()) {
      const Node &from = state->nodes[edge.from], &to = state->nodes[edge.to];
      if (from.kind == NodeKind::Access && to.kind == NodeKind::Access)
        result.push_back(from.data + " -> " + to.data);
    }
  });
  std::sort(result.begin(), result.end());
  return result;
}

const Node *mapIn(const Program &program) {
  const Block *block = blockOf(program, "main");
  if (block)
    for (const Node &node : block->state()->nodes)
      if (node.kind == NodeKind::MapEntry)
        return &node;
  return nullptr;
}

const std::string kPlainMap = with(kMapText, R"("wcr":"lambda a, b: a + b",)", "");

} // namespace

TEST(Place, MapOnDeviceReadsAndWritesTwins) {
  Program program = placed(kPlainMap, pinned("even", placement::Side::Device));
  EXPECT_EQ(storageOf(program, "A"), "Default");
  EXPECT_EQ(storageOf(program, "gpu_A"), "GPU_Global");
  EXPECT_EQ(storageOf(program, "gpu_B"), "GPU_Global");
  EXPECT_TRUE(program.root.find("gpu_A")->transient);
  ASSERT_NE(mapIn(program), nullptr);
  EXPECT_EQ(mapIn(program)->schedule->name, "GPU_Device");
  // Half of B is written, so B goes there and back.
  EXPECT_EQ(copiesIn(program), (std::vector<std::string>{"A -> gpu_A", "B -> gpu_B", "gpu_B -> B"}));
}

TEST(Place, WholeWriteBringsNothingToTheDevice) {
  std::string whole = with(kPlainMap, R"({"start":"0","end":"N - 1","step":"2","tile":"1"})",
                           R"({"start":"0","end":"N - 1","step":"1","tile":"1"})");
  whole = with(whole, R"("dynamic":true,)", "");
  Program program = placed(whole, pinned("even", placement::Side::Device));
  EXPECT_EQ(copiesIn(program), (std::vector<std::string>{"A -> gpu_A", "gpu_B -> B"}));
}

TEST(Place, DynamicMemletIsNoWholeWrite) {
  std::string whole = with(kPlainMap, R"({"start":"0","end":"N - 1","step":"2","tile":"1"})",
                           R"({"start":"0","end":"N - 1","step":"1","tile":"1"})");
  Program program = placed(whole, pinned("even", placement::Side::Device));
  EXPECT_EQ(copiesIn(program), (std::vector<std::string>{"A -> gpu_A", "B -> gpu_B", "gpu_B -> B"}));
}

TEST(Place, MapOnHostNeedsNoTwin) {
  Program program = placed(kPlainMap, pinned("even", placement::Side::Host));
  EXPECT_EQ(program.root.find("gpu_A"), nullptr);
  EXPECT_TRUE(copiesIn(program).empty());
  EXPECT_EQ(mapIn(program)->schedule->name, "CPU_Multicore");
}

TEST(Place, TwinsHaveFreshNames) {
  std::string taken = with(kPlainMap, R"("k":"N + 1")", R"("gpu_A":"N + 1")");
  Program program = placed(taken, pinned("even", placement::Side::Device));
  EXPECT_EQ(program.root.find("gpu_A"), nullptr);
  EXPECT_EQ(storageOf(program, "gpu_A_0"), "GPU_Global");
}

TEST(Place, ContainerOfTheDeviceMovesThereItself) {
  std::string transient = with(kPlainMap, R"("B":{"type":"Array","attributes":{)",
                               R"("B":{"type":"Array","attributes":{"transient":true,)");
  Program program = placed(transient, pinned("even", placement::Side::Device));
  EXPECT_EQ(storageOf(program, "B"), "GPU_Global");
  EXPECT_EQ(program.root.find("gpu_B"), nullptr);
  EXPECT_EQ(copiesIn(program), (std::vector<std::string>{"A -> gpu_A"}));
}

TEST(Place, WrittenGraphCanBeReadAgainAndHasNoHashOfTheOld) {
  std::string hashed = with(kPlainMap, R"("collapsed":false,"label":"","id":null)",
                            R"("hash":"1","collapsed":false,"label":"","id":null)");
  hashed = with(hashed, R"("attributes":{"name":"half",)", R"("attributes":{"hash":"1","name":"half",)");
  Program program = placed(hashed, pinned("even", placement::Side::Device));
  EXPECT_EQ(program.root.attribute("hash"), nullptr);
  EXPECT_EQ(refusal(printProgram(program)), "nothing");
}

TEST(Place, ConditionReadsTheHost) {
  std::string read = with(kPlainMap, "(s > c)", "(B[0] > c)");
  Program program = placed(read, pinned("even", placement::Side::Device));
  EXPECT_EQ(copiesIn(program), (std::vector<std::string>{"A -> gpu_A", "B -> gpu_B", "gpu_B -> B"}));
}

/// Whether copies come right before a block, with at most a wait in between.
bool isCopiedInFrontOf(const ControlGraph &graph, const std::string &label) {
  for (const InterstateEdge &edge : graph.edges)
    if (std::string from = graph.blocks[edge.from].label(); graph.blocks[edge.to].label() == label)
      return from.starts_with("copies") || (from.starts_with("wait") && isCopiedInFrontOf(graph, from));
  return false;
}

/// A loop region whose body is states "first" and "second" and what comes behind both.
Region loopOver(const std::string &init, Block last) {
  Region region;
  region.loop = Loop{Code{"k < N"}, Code{init}, Code{"k = k + 1"}, "k", false, true};
  region.graph.blocks.push_back(Block::newState("first"));
  region.graph.blocks.push_back(Block::newState("second"));
  region.graph.blocks.push_back(std::move(last));
  region.graph.edges.push_back(InterstateEdge::between(0, 1));
  region.graph.edges.back().setCondition({"k < 3"});
  region.graph.edges.push_back(InterstateEdge::between(0, 2));
  region.graph.edges.push_back(InterstateEdge::between(1, 2));
  return region;
}

/// The state with the map.
State mapOf(const std::string &text) { return std::move(*program(text).root.graph.blocks[0].state()); }

/// The map, and behind it the loop, of DaCe 2.0.
Program mapAndLoop(const std::string &text, Region loop) {
  Program result = program(with(text, "1.0.2", "2.0.0a6"));
  result.root.graph.edges[0].setCondition({"1"});
  result.root.graph.edges[0].setAssignments({});
  result.root.graph.blocks[1].what = std::move(loop);
  return result;
}

TEST(Place, WhatALoopStartsWithIsCopiedInFrontOfIt) {
  std::string text = with(kPlainMap, R"("B":{"type":"Array","attributes":{)",
                          R"("B":{"type":"Array","attributes":{"transient":true,)");
  Program program = mapAndLoop(with(text, R"("arg_names":["A","B"])", R"("arg_names":["A"])"),
                               loopOver("k = B[0]", Block::newState("third")));
  // Two ways lead to the loop, with B on the device.
  ControlGraph &graph = program.root.graph;
  graph.blocks.push_back(Block::newState("more"));
  graph.blocks.back().what = mapOf(kPlainMap);
  graph.edges[0].setCondition({"c > 3"});
  graph.edges.push_back(InterstateEdge::between(0, 2));
  graph.edges.push_back(InterstateEdge::between(2, 1));
  auto done = place(program, pinned("even", placement::Side::Device));
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_TRUE(isCopiedInFrontOf(program.root.graph, "end"));
}

TEST(Place, ResultsAreCopiedInFrontOfAReturn) {
  Block leave;
  leave.json.set("label", "leave");
  leave.what = Jump::Return;
  Region loop = loopOver("k = 0", std::move(leave));
  for (std::size_t i : {0, 1})
    loop.graph.blocks[i].what = mapOf(kPlainMap);
  Program program = mapAndLoop(kPlainMap, std::move(loop));
  program.root.graph.blocks[0].what = State();
  auto done = place(program, pinned("even", placement::Side::Device));
  ASSERT_TRUE(done) << done.error().message;
  const Block *block = blockOf(program, "end");
  ASSERT_TRUE(block && block->region());
  EXPECT_TRUE(isCopiedInFrontOf(block->region()->graph, "leave"));
}

TEST(Place, CopiesBetweenTripsOfAnInvertedLoopNeedStatesAndEdges) {
  // In each trip the device writes B and then the host, which has it in the end.
  std::string odd = with(kPlainMap, R"("label":"even[i=0:N:2]")", R"("label":"odd[i=0:N:2]")");
  Region loop = loopOver("k = 0", Block::newState("third"));
  loop.loop->inverted = true;
  loop.graph.blocks[0].what = mapOf(kPlainMap);
  loop.graph.blocks[2].what = mapOf(odd);
  Program program = mapAndLoop(kPlainMap, std::move(loop));
  ExtractOptions options = pinned("even", placement::Side::Device);
  options.pins.emplace("odd", placement::Side::Host);
  auto done = place(program, options);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_FALSE(hasRegions(program));
}

TEST(Place, OneElementOfACopyCrossesAlone) {
  // A copy of one element from the device's array to a scalar: by itself it is no reason to copy all of B.
  std::string text = with(kPlainMap, R"("src":"3","dst":"4","dst_connector":null,"src_connector":"OUT_B"})",
                          R"("src":"3","dst":"4","dst_connector":null,"src_connector":"OUT_B"},
{"type":"MultiConnectorEdge","attributes":{"data":{"type":"Memlet","attributes":{"data":"B","subset":{"type":"Range","ranges":[
{"start":"3","end":"3","step":"1","tile":"1"}]}}}},"src":"4","dst":"5","dst_connector":null,"src_connector":null})");
  text = with(text, R"("label":"B","attributes":{"data":"B"},"id":4,"scope_entry":null,"scope_exit":null})",
              R"("label":"B","attributes":{"data":"B"},"id":4,"scope_entry":null,"scope_exit":null},
{"type":"AccessNode","label":"s","attributes":{"data":"s"},"id":5,"scope_entry":null,"scope_exit":null})");
  text = with(text, R"("B":{"type":"Array","attributes":{)", R"("B":{"type":"Array","attributes":{"transient":true,)");
  text = with(text, R"("s":{"type":"Scalar","attributes":{"dtype":"int32")",
              R"("s":{"type":"Scalar","attributes":{"dtype":"float64")");
  ExtractOptions options = pinned("even", placement::Side::Device);
  options.assume.emplace("N", 100000000);
  Program program = placed(text, options);
  EXPECT_EQ(copiesIn(program), (std::vector<std::string>{"A -> gpu_A", "B -> s"}));
  EXPECT_EQ(storageOf(program, "B"), "GPU_Global");
}

/// The map's B, which is transient, is copied to C behind it; A comes from Z, a copy of which it is, in front of it.
std::string mapBetweenCopies() {
  const std::string whole = R"("ranges":[{"start":"0","end":"N - 1","step":"1","tile":"1"}]}}}})";
  auto edge = [&](const char *from, const char *to, const char *data) {
    return std::string(R"({"type":"MultiConnectorEdge","attributes":{"data":{"type":"Memlet","attributes":{"data":")") +
           data + R"(","subset":{"type":"Range",)" + whole + R"(,"src":")" + from + R"(","dst":")" + to +
           R"(","dst_connector":null,"src_connector":null})";
  };
  auto node = [](const char *name, const char *id) {
    return std::string(R"({"type":"AccessNode","label":")") + name + R"(","attributes":{"data":")" + name +
           R"("},"id":)" + id + R"(,"scope_entry":null,"scope_exit":null})";
  };
  std::string last = R"("src":"3","dst":"4","dst_connector":null,"src_connector":"OUT_B"})";
  std::string text = with(kPlainMap, last, last + "," + edge("4", "5", "B") + "," + edge("6", "0", "Z"));
  last = R"("label":"B","attributes":{"data":"B"},"id":4,"scope_entry":null,"scope_exit":null})";
  text = with(text, last, last + "," + node("C", "5") + "," + node("Z", "6"));
  text = with(text, R"("B":{"type":"Array","attributes":{)", R"("B":{"type":"Array","attributes":{"transient":true,)");
  text = with(text, R"("A":{"type":"Array","attributes":{)",
              R"("C":{"type":"Array","attributes":{"dtype":"float64","shape":["N"]}},
"Z":{"type":"Array","attributes":{"dtype":"float64","shape":["N"]}},
"A":{"type":"Array","attributes":{"transient":true,)");
  return with(text, R"("arg_names":["A","B"])", R"("arg_names":["C","Z"])");
}

TEST(Place, CopyBetweenContainersCrossesByItself) {
  ExtractOptions options = pinned("even", placement::Side::Device);
  options.assume.emplace("N", 100000000);
  Program program = placed(mapBetweenCopies(), options);
  EXPECT_EQ(copiesIn(program), (std::vector<std::string>{"B -> C", "Z -> A"}));
  EXPECT_EQ(storageOf(program, "A"), "GPU_Global");
  EXPECT_EQ(storageOf(program, "B"), "GPU_Global");
  EXPECT_EQ(storageOf(program, "C"), "Default");
  EXPECT_EQ(storageOf(program, "Z"), "Default");
}

TEST(Place, CopyThatConvertsNumbersIsTheHosts) {
  ExtractOptions options = pinned("even", placement::Side::Device);
  options.assume.emplace("N", 100000000);
  std::string text = with(mapBetweenCopies(), R"("C":{"type":"Array","attributes":{"dtype":"float64")",
                          R"("C":{"type":"Array","attributes":{"dtype":"float32")");
  EXPECT_EQ(copiesIn(placed(text, options)), (std::vector<std::string>{"B -> C", "Z -> A", "gpu_B -> B"}));
}

TEST(Place, CopyThatIsPinnedRunsThere) {
  ExtractOptions options = pinned("even", placement::Side::Device);
  options.pins.emplace("B -> C", placement::Side::Device);
  options.assume.emplace("N", 100000000);
  EXPECT_EQ(copiesIn(placed(mapBetweenCopies(), options)),
            (std::vector<std::string>{"B -> gpu_C", "Z -> A", "gpu_C -> C"}));
}

TEST(Place, PlacingAgainChangesNothing) {
  Program once = placed(kPlainMap, pinned("even", placement::Side::Device));
  std::string text = printProgram(once);
  ExtractOptions free;
  free.machine = *placement::machineByName("h200");
  for (std::int64_t size : {10, 100000000}) {
    free.assume["N"] = size;
    EXPECT_EQ(printProgram(placed(text, free)), text);
  }
}

TEST(Place, NamesDoNotDependOnAddresses) {
  std::vector<std::string> texts;
  for (std::size_t later : {0, 1}) {
    Program program;
    program.version.text = "2.0.0a6";
    program.root = machine("one -> two");
    for (std::size_t i : {0, 1}) {
      Region region;
      region.graph = std::move(machine(i == 0 ? "write_a -> end_a" : "write_b -> end_b").graph);
      if (i == later)
        region.graph.blocks.reserve(10000); // far from the other one, behind it
      program.root.graph.blocks[i].what = std::move(region);
    }
    auto done = place(program, pinned("t", placement::Side::Device));
    EXPECT_TRUE(done) << done.error().message;
    std::string names;
    forEachBlock(program.root.graph, [&](const Block &block) {
      if (!block.state())
        return;
      for (const Node &node : block.state()->nodes)
        if (node.kind == NodeKind::MapEntry)
          names += block.label() + " " + node.scope.params[0] + ", ";
    });
    texts.push_back(names);
  }
  EXPECT_EQ(texts[0], "write_a __once, write_b __once_0, ");
  EXPECT_EQ(texts[0], texts[1]);
}
