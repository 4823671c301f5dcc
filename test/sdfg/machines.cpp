// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machines.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

namespace ferry::sdfg::testing {

static std::string trimmed(const std::string &text) {
  std::size_t begin = text.find_first_not_of(' '), end = text.find_last_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

static Block stateCalled(const std::string &name) {
  Block block = Block::newState(name);
  if (name.starts_with("work") || name.starts_with("write")) {
    State &state = *block.state();
    NodeId tasklet = state.add(Node::tasklet("t", {"o = 1"}, {}, {"o"}));
    if (name.starts_with("write")) {
      NodeId access = state.add(Node::access("s"));
      state.connect(tasklet, "o", access, std::nullopt, Memlet::of("s", Subset{{{0, 0}}}, Dialect::Plain));
    }
  }
  return block;
}

Sdfg machine(const std::string &edges) {
  Sdfg sdfg;
  sdfg.json =
      Object{{"type", "SDFG"}, {"attributes", Object{{"name", "machine"}}}, {"nodes", Json()}, {"edges", Json()}};
  sdfg.add(*Container::fromJson("s", Object{{"type", "Scalar"}, {"attributes", Object{{"shape", Array{"1"}}}}}));
  std::map<std::string, BlockId> ids;
  auto id = [&](const std::string &name) {
    auto [found, added] = ids.emplace(name, static_cast<BlockId>(sdfg.graph.blocks.size()));
    if (added)
      sdfg.graph.blocks.push_back(stateCalled(name));
    return found->second;
  };
  std::istringstream lines(edges);
  for (std::string line; std::getline(lines, line);) {
    std::string head = trimmed(line), assignments;
    if (std::size_t colon = head.find(':'); colon != std::string::npos) {
      assignments = head.substr(colon + 1) + ",";
      head = head.substr(0, colon);
    }
    std::string condition = "1";
    if (std::size_t word = head.find(" if "); word != std::string::npos) {
      condition = trimmed(head.substr(word + 4));
      head = head.substr(0, word);
    }
    std::size_t arrow = head.find("->");
    if (arrow == std::string::npos)
      continue;
    BlockId from = id(trimmed(head.substr(0, arrow)));
    InterstateEdge edge = InterstateEdge::between(from, id(trimmed(head.substr(arrow + 2))));
    edge.setCondition({condition});
    std::vector<std::pair<std::string, std::string>> values;
    std::istringstream parts(assignments);
    for (std::string each; std::getline(parts, each, ',');)
      if (std::size_t sign = each.find('='); sign != std::string::npos)
        values.push_back({trimmed(each.substr(0, sign)), trimmed(each.substr(sign + 1))});
    edge.setAssignments(values);
    sdfg.graph.edges.push_back(std::move(edge));
  }
  sdfg.graph.start = 0;
  return sdfg;
}

Node nestedSdfg(Sdfg inner, const std::vector<std::string> &connectors) {
  Node node;
  node.kind = NodeKind::NestedSdfg;
  node.json = Object{{"type", "NestedSDFG"}, {"label", "nested"}, {"attributes", Object{}}};
  node.nested = std::make_unique<Sdfg>(std::move(inner));
  for (const std::string &name : connectors)
    for (bool in : {true, false})
      node.addConnector(in, name);
  return node;
}

void addArray(Sdfg &sdfg, const std::string &name, const std::string &extent, const std::string &type) {
  Object attributes{{"dtype", "float64"}, {"shape", Array{extent}}};
  auto made = Container::fromJson(name, Object{{"type", type}, {"attributes", std::move(attributes)}});
  EXPECT_TRUE(made) << made.error().message;
  sdfg.add(std::move(*made));
}

ControlFlow flowOf(const Sdfg &sdfg) {
  auto flow = ControlFlow::of(sdfg);
  EXPECT_TRUE(flow) << flow.error().message;
  return flow ? *flow : ControlFlow();
}

PointId stateOf(const ControlFlow &flow, const std::string &label) {
  for (PointId id = 0; id < flow.points.size(); ++id)
    if (flow.points[id].kind == FlowKind::State && flow.points[id].block->label() == label)
      return id;
  return kNone;
}

} // namespace ferry::sdfg::testing
