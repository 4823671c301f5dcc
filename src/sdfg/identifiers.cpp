// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/identifiers.h"

#include <algorithm>
#include <cctype>

namespace ferry::sdfg {

void addIdentifiers(const std::string &text, std::set<std::string> &to) {
  auto isPart = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)); };
  for (auto at = text.begin(); at != text.end();) {
    auto begin = std::find_if(at, text.end(), isPart);
    at = std::find_if_not(begin, text.end(), isPart);
    if (begin != at && !std::isdigit(static_cast<unsigned char>(*begin)))
      to.emplace(begin, at);
  }
}

void addIdentifiers(const Json &json, std::set<std::string> &to) {
  if (const std::string *text = json.string())
    addIdentifiers(*text, to);
  if (const Array *list = json.array())
    for (const Json &each : *list)
      addIdentifiers(each, to);
  if (const Object *members = json.object())
    for (const Member &each : *members)
      addIdentifiers(each.value, to);
}

void addIdentifiers(const Node &node, std::set<std::string> &to) {
  addIdentifiers(node.json, to);
  if (node.nested)
    addIdentifiers(*node.nested, to);
}

static void addIdentifiers(const State &state, std::set<std::string> &to) {
  for (const Node &node : state.nodes)
    addIdentifiers(node, to);
  for (const DataEdge &edge : state.edges)
    addIdentifiers(edge.memlet.json, to);
}

std::set<std::string> identifiersIn(const State &state) {
  std::set<std::string> result;
  addIdentifiers(state, result);
  return result;
}

static void addIdentifiers(const ControlGraph &graph, std::set<std::string> &to) {
  for (const InterstateEdge &edge : graph.edges)
    addIdentifiers(edge.json, to);
}

void addIdentifiers(const Sdfg &sdfg, std::set<std::string> &to) {
  for (const Container &container : sdfg.containers)
    addIdentifiers(container.json, to);
  addIdentifiers(sdfg.graph, to);
  forEachBlock(sdfg.graph, [&](const Block &block) {
    addIdentifiers(block.json, to);
    if (const State *state = block.state())
      addIdentifiers(*state, to);
    if (const Region *region = block.region())
      addIdentifiers(region->graph, to);
    if (const Conditional *conditional = block.conditional())
      for (const Conditional::Branch &branch : conditional->branches)
        addIdentifiers(branch.graph, to);
  });
}

Mentions::Mentions(const Sdfg &sdfg) {
  std::set<std::string> names;
  for (const Container &container : sdfg.containers)
    addIdentifiers(container.json, names);
  add(names, {});
  for (BlockId id = 0; id < sdfg.graph.blocks.size(); ++id) {
    const Block &block = sdfg.graph.blocks[id];
    names.clear();
    addIdentifiers(block.json, names);
    if (const State *state = block.state())
      addIdentifiers(*state, names);
    add(names, {id, id});
  }
  for (const InterstateEdge &edge : sdfg.graph.edges) {
    names.clear();
    addIdentifiers(edge.condition.text, names);
    add(names, {edge.from, edge.from});
    names.clear();
    for (const auto &[symbol, value] : edge.assignments)
      addIdentifiers(value, names);
    add(names, {edge.from, edge.to});
  }
}

void Mentions::add(const std::set<std::string> &names, Place place) {
  for (const std::string &name : names)
    places[name].push_back(place);
}

bool Mentions::outside(const std::string &name, const std::function<bool(BlockId)> &isInside) const {
  auto found = places.find(name);
  return found != places.end() && std::any_of(found->second.begin(), found->second.end(), [&](const Place &place) {
           return place.from == kNone || !isInside(place.from) || !isInside(place.to);
         });
}

} // namespace ferry::sdfg
