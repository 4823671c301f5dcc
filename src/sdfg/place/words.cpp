// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/words.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace ferry::sdfg {

static void addWords(const std::string &text, std::set<std::string> &to) {
  std::string word;
  for (char c : text + ' ')
    if (c == '_' || std::isalnum(static_cast<unsigned char>(c)))
      word += c;
    else if (!word.empty())
      to.insert(std::exchange(word, ""));
}

void addWords(const Json &json, std::set<std::string> &to) {
  if (const std::string *text = json.string())
    addWords(*text, to);
  if (const Array *list = json.array())
    for (const Json &each : *list)
      addWords(each, to);
  if (const Object *members = json.object())
    for (const Member &each : *members)
      addWords(each.value, to);
}

static void addWords(const State &state, std::set<std::string> &to) {
  for (const Node &node : state.nodes) {
    addWords(node.json, to);
    if (node.nested)
      addWords(*node.nested, to);
  }
  for (const DataEdge &edge : state.edges)
    addWords(edge.memlet.json, to);
}

std::set<std::string> wordsIn(const State &state) {
  std::set<std::string> result;
  addWords(state, result);
  return result;
}

static void addWords(const ControlGraph &graph, std::set<std::string> &to) {
  for (const InterstateEdge &edge : graph.edges)
    addWords(edge.json, to);
}

void addWords(const Sdfg &sdfg, std::set<std::string> &to) {
  for (const Container &container : sdfg.containers)
    addWords(container.json, to);
  addWords(sdfg.graph, to);
  forEachBlock(sdfg.graph, [&](const Block &block) {
    addWords(block.json, to);
    if (const State *state = block.state())
      addWords(*state, to);
    if (const Region *region = block.region())
      addWords(region->graph, to);
    if (const Conditional *conditional = block.conditional())
      for (const Conditional::Branch &branch : conditional->branches)
        addWords(branch.graph, to);
  });
}

bool namedOutside(const Sdfg &sdfg, const std::string &name, const std::function<bool(const Block &)> &isInside) {
  std::set<std::string> words;
  for (const Container &container : sdfg.containers)
    addWords(container.json, words);
  for (const Block &block : sdfg.graph.blocks)
    if (!isInside(block)) {
      addWords(block.json, words);
      if (const State *state = block.state())
        addWords(*state, words);
    }
  for (const InterstateEdge &edge : sdfg.graph.edges) {
    bool within = isInside(sdfg.graph.blocks[edge.from]) && isInside(sdfg.graph.blocks[edge.to]);
    if (!isInside(sdfg.graph.blocks[edge.from]))
      addWords(edge.condition.text, words);
    if (!within)
      for (const auto &[symbol, value] : edge.assignments)
        addWords(value, words);
  }
  return words.contains(name);
}

} // namespace ferry::sdfg
