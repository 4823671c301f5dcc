// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/assumptions.h"

#include "sdfg/place/sizes.h"

namespace ferry::sdfg {

/// Takes out what is assigned to on edges and by loops, at every depth of regions.
static void dropAssigned(const ControlGraph &graph, std::set<std::string> &symbols) {
  for (const InterstateEdge &edge : graph.edges)
    for (const auto &[symbol, value] : edge.assignments)
      symbols.erase(symbol);
  for (const Block &block : graph.blocks) {
    if (const Region *region = block.region()) {
      if (region->loop)
        symbols.erase(region->loop->variable);
      dropAssigned(region->graph, symbols);
    }
    if (const Conditional *conditional = block.conditional())
      for (const Conditional::Branch &branch : conditional->branches)
        dropAssigned(branch.graph, symbols);
  }
}

std::set<std::string> givenSymbols(const Program &program) {
  std::set<std::string> symbols(program.root.symbols.begin(), program.root.symbols.end());
  for (const Container &container : program.root.containers)
    for (const Expr &extent : container.shape)
      symbols.merge(extent.freeSymbols());
  dropAssigned(program.root.graph, symbols);
  for (const std::string &constant : program.root.constants())
    symbols.erase(constant);
  return symbols;
}

std::vector<std::string> unknownAssumptions(const Program &program, const Assumed &assumed) {
  if (assumed.empty())
    return {};
  Names names(program);
  std::set<std::string> given = givenSymbols(program);
  std::vector<std::string> notes;
  for (const auto &[name, value] : assumed)
    if (!names.taken(name) && !given.contains(name))
      notes.push_back("nothing is called '" + name + "', of which a value is assumed; " + thereAre(given));
  return notes;
}

std::string guesses(const Program &program, const std::set<std::string> &guessed) {
  std::set<std::string> given = givenSymbols(program);
  std::string names;
  for (const std::string &symbol : guessed) {
    const Container *argument = program.root.find(symbol);
    if (given.contains(symbol) || (argument && !argument->transient))
      names += (names.empty() ? "" : ", ") + symbol + " = " + std::to_string(kAssumedSize);
  }
  return names.empty() ? "" : "assumed for want of `--assume`: " + names + "\n";
}

} // namespace ferry::sdfg
