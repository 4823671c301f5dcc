// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/names.h"

#include "sdfg/identifiers.h"

namespace ferry::sdfg {

Names::Names(const Program &program) { add(program.root); }

std::string Names::fresh(const std::string &wanted) {
  std::string name = wanted;
  if (names.insert(name).second)
    return name;
  unsigned &number = next[wanted];
  do
    name = wanted + "_" + std::to_string(number++);
  while (!names.insert(name).second);
  return name;
}

void Names::add(const Sdfg &sdfg) {
  names.insert(sdfg.name());
  for (const Container &container : sdfg.containers) {
    names.insert(container.name);
    for (const Container &member : container.members)
      names.insert(member.name);
    for (const Expr &extent : container.shape)
      names.merge(extent.freeSymbols());
  }
  names.insert(sdfg.symbols.begin(), sdfg.symbols.end());
  for (const std::string &constant : sdfg.constants())
    names.insert(constant);
  add(sdfg.graph);
}

void Names::add(const ControlGraph &graph) {
  for (const InterstateEdge &edge : graph.edges) {
    addIdentifiers(edge.condition.text, names);
    for (const auto &[symbol, value] : edge.assignments) {
      names.insert(symbol);
      addIdentifiers(value, names);
    }
  }
  for (const Block &block : graph.blocks) {
    names.insert(block.label());
    if (const State *state = block.state())
      add(*state);
    if (const Region *region = block.region()) {
      if (region->loop) {
        names.insert(region->loop->variable);
        for (const std::optional<Code> &code : {region->loop->init, region->loop->condition, region->loop->update})
          if (code)
            addIdentifiers(code->text, names);
      }
      add(region->graph);
    }
    if (const Conditional *conditional = block.conditional())
      for (const Conditional::Branch &branch : conditional->branches)
        add(branch.graph);
  }
}

void Names::add(const State &state) {
  for (const Node &node : state.nodes) {
    for (bool in : {true, false})
      for (const std::string &connector : node.connectors(in))
        names.insert(connector);
    names.insert(node.scope.params.begin(), node.scope.params.end());
    addIdentifiers(node.code.text, names);
    for (const auto &[inner, outer] : node.symbolMapping)
      names.insert(inner);
    if (node.nested)
      add(*node.nested);
  }
}

std::string thereAre(const std::set<std::string> &names) {
  constexpr std::size_t kListed = 10;
  if (names.empty())
    return "there are none";
  std::string text = "there are ";
  std::size_t listed = 0;
  for (const std::string &name : names) {
    if (listed == kListed)
      return text + " and " + std::to_string(names.size() - listed) + " more";
    text += (listed++ ? ", '" : "'") + name + "'";
  }
  return text;
}

} // namespace ferry::sdfg
