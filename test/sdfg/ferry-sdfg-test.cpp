// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: ferry-sdfg-test copy [IN OUT]...   reads each graph and writes it again, changing nothing
//        ferry-sdfg-test prepend [IN OUT]... puts a state in front that copies the first array to a new one and fills
//        that in
//                                           a map of size 1
//        ferry-sdfg-test loops [IN]...      prints the loops of each graph: "name: variable from begin, trips", outer
//        ones first
//
// For the tests with DaCe itself. An error is one line; the other graphs are done all the same.

#include "sdfg/control.h"
#include "sdfg/file.h"
#include "sdfg/names.h"

#include <cstdio>
#include <string>

using namespace ferry::sdfg;

static bool fail(const std::string &message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  return false;
}

static bool copy(const std::string &from, const std::string &to, void (*change)(Program &)) {
  auto program = readProgram(from);
  if (!program)
    return fail(program.error().message);
  change(*program);
  auto written = writeProgram(*program, to);
  return written ? true : fail(written.error().message);
}

static void nothing(Program &) {}

static void prepend(Program &program) {
  Sdfg &sdfg = program.root;
  Names names(program);
  Dialect dialect = program.version.dialect;
  const Container *array = nullptr;
  for (const Container &each : sdfg.containers)
    if (each.isArray() && !each.isView() && !each.transient && !array)
      array = &each;
  if (!array)
    return;
  Container twin = *array;
  std::string origin = array->name;
  twin.name = names.fresh(origin);
  twin.setTransient(true);
  Subset whole = wholeOf(twin.shape), first;
  for (std::size_t i = 0; i < twin.shape.size(); ++i)
    first.dims.push_back({0, 0});

  Block block = Block::newState(names.fresh("first"));
  State &state = *block.state();
  NodeId from = state.add(Node::access(origin)), to = state.add(Node::access(twin.name)),
         out = state.add(Node::access(twin.name));
  Memlet moved = Memlet::of(origin, whole, dialect);
  moved.setOtherSubset(whole, dialect);
  state.connect(from, std::nullopt, to, std::nullopt, moved);
  auto [entry, exit] = Node::map(names.fresh("one"), {{names.fresh("i")}, Subset{{{0, 0}}}}, "Sequential", dialect);
  NodeId opens = state.add(std::move(entry)), closes = state.add(std::move(exit));
  state.nodes[opens].partner = closes;
  state.nodes[closes].partner = opens;
  NodeId work = state.add(Node::tasklet("set", {"o = 0"}, {}, {"o"}));
  state.nodes[closes].addConnector(true, "IN_x");
  state.nodes[closes].addConnector(false, "OUT_x");
  state.connect(to, std::nullopt, opens, std::nullopt, Memlet::empty());
  state.connect(opens, std::nullopt, work, std::nullopt, Memlet::empty());
  state.connect(work, "o", closes, "IN_x", Memlet::of(twin.name, first, dialect));
  state.connect(closes, "OUT_x", out, std::nullopt, Memlet::of(twin.name, first, dialect));

  sdfg.add(std::move(twin));
  BlockId start = *sdfg.graph.startBlock(), added = static_cast<BlockId>(sdfg.graph.blocks.size());
  sdfg.graph.blocks.push_back(std::move(block));
  sdfg.graph.edges.push_back(InterstateEdge::between(added, start));
  sdfg.graph.start = added;
}

static bool loops(const std::string &path) {
  auto program = readProgram(path);
  if (!program)
    return fail(program.error().message);
  auto flow = ControlFlow::of(program->root);
  if (!flow)
    return fail(path + ": " + flow.error().message);
  for (const FlowLoop &loop : flow->loops)
    if (!loop.counted)
      std::printf("%s: while\n", path.c_str());
    else
      std::printf("%s: %s from %s, %s%s\n", path.c_str(), loop.counted->variable.c_str(),
                  loop.counted->begin ? loop.counted->begin->toString().c_str() : "?",
                  loop.counted->exact ? "" : "at most ",
                  loop.counted->trips ? loop.counted->trips->toString().c_str() : "?");
  if (!flow->reducible)
    std::printf("%s: not reducible\n", path.c_str());
  return true;
}

int main(int count, char **arguments) {
  std::string command = count > 1 ? arguments[1] : "";
  bool good = true;
  if (command == "loops")
    for (int i = 2; i < count; ++i)
      good &= loops(arguments[i]);
  else
    for (int i = 2; i + 1 < count; i += 2)
      good &= copy(arguments[i], arguments[i + 1], command == "prepend" ? prepend : nothing);
  return good ? 0 : 1;
}
