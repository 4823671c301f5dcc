// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What DaCe's own validation (dace/sdfg/validation.py) refuses, and Ferry would stumble over. A symbol counts as
// defined in all of an SDFG if it is so anywhere in it: declared, assigned on an edge, a loop's variable, in a
// container's shape, or handed in by the node around it; and inside a scope if the scope defines it.

#include "sdfg/check.h"

#include "sdfg/control_build.h"
#include "sdfg/dataflow.h"

#include <algorithm>
#include <set>

namespace ferry::sdfg {

using placement::Result;

namespace {

using Names = std::set<std::string, std::less<>>;

/// Names that are no symbols: functions' modules, constants of the language.
bool isReserved(std::string_view name) {
  static constexpr std::string_view reserved[] = {"dace", "math", "numpy", "np", "inf",       "nan",
                                                  "oo",   "pi",   "I",     "E",  "NoneSymbol"};
  return std::find(std::begin(reserved), std::end(reserved), name) != std::end(reserved);
}

std::string_view rootOf(std::string_view name) { return name.substr(0, name.find('.')); }

class Checker {
public:
  void sdfg(const Sdfg &of, const Node *around) {
    Names outer = std::move(defined);
    Names outerContainers = std::move(containers);
    defined = {};
    containers = {};
    for (const Container &each : of.containers) {
      containers.insert(each.name);
      for (const std::vector<Expr> *list : {&each.shape, &each.strides, &each.offset})
        for (const Expr &expr : *list)
          defined.merge(Names(symbolsOf(expr)));
      defined.merge(symbolsOf(each.totalSize));
    }
    defined.insert(of.symbols.begin(), of.symbols.end());
    for (const std::string &constant : of.constants())
      defined.insert(constant);
    if (around)
      for (const auto &[name, value] : around->symbolMapping)
        defined.insert(name);
    assigned(of.graph);
    graph(of.graph);
    defined = std::move(outer);
    containers = std::move(outerContainers);
  }

private:
  [[noreturn]] void fail(std::string what) const { throw Malformed{path, std::move(what)}; }

  struct Here {
    Here(Checker &checker, std::string name, const Element &element) : checker(checker) {
      checker.path.push_back({std::move(name), element.json.position()});
    }
    ~Here() { checker.path.pop_back(); }
    Checker &checker;
  };

  static Names symbolsOf(const Expr &expr) {
    std::set<std::string> found = expr.freeSymbols();
    return {found.begin(), found.end()};
  }

  // --- Control flow ---

  /// Adds what edges and loops assign to.
  void assigned(const ControlGraph &of) {
    auto edges = [&](const ControlGraph &graph) {
      for (const InterstateEdge &edge : graph.edges)
        for (const auto &[symbol, value] : edge.assignments)
          defined.insert(symbol);
    };
    edges(of);
    forEachBlock(of, [&](const Block &block) {
      if (const Region *region = block.region()) {
        edges(region->graph);
        if (region->loop)
          loopSymbols(*region->loop);
      }
      if (const Conditional *conditional = block.conditional())
        for (const Conditional::Branch &branch : conditional->branches)
          edges(branch.graph);
    });
  }

  void loopSymbols(const Loop &loop) {
    if (!loop.variable.empty())
      defined.insert(loop.variable);
    for (const std::optional<Code> &code : {loop.init, loop.update})
      for (const Assignment &each : statements(code))
        defined.insert(each.symbol);
  }

  void graph(const ControlGraph &of) {
    for (const Block &each : of.blocks) {
      const char *kind = each.state() ? "state '" : each.region() && each.region()->loop ? "loop '" : "block '";
      Here here(*this, kind + each.label() + "'", each);
      if (const State *inner = each.state())
        state(*inner);
      if (const Region *region = each.region()) {
        if (region->loop)
          code(*region->loop->condition, "its condition");
        graph(region->graph);
      }
      if (const Conditional *conditional = each.conditional())
        for (std::size_t i = 0; i < conditional->branches.size(); ++i) {
          Here branch(*this, "branch " + std::to_string(i), conditional->branches[i]);
          if (conditional->branches[i].condition)
            code(*conditional->branches[i].condition, "its condition");
          graph(conditional->branches[i].graph);
        }
    }
    for (const InterstateEdge &each : of.edges) {
      Here here(*this, "edge " + std::to_string(each.from) + " -> " + std::to_string(each.to), each);
      code(each.condition, "its condition");
      for (const auto &[symbol, value] : each.assignments)
        code({value}, "what it assigns to '" + symbol + "'");
    }
  }

  /// Code that is no expression as Ferry reads them is left alone: it reads what it may read.
  void code(const Code &of, const std::string &what) {
    Result<Expr> expr = Expr::parse(of.text);
    if (expr && of.language == "Python")
      symbols(*expr, what);
  }

  void symbols(const Expr &of, const std::string &what) const {
    for (const std::string &name : of.freeSymbols())
      requireSymbol(name, what);
    for (const std::string &name : of.subscripted())
      if (!containers.contains(rootOf(name)) && !defined.contains(rootOf(name)))
        fail(what + " names '" + name + "', which is no container");
  }

  void requireSymbol(const std::string &name, const std::string &what) const {
    std::string_view root = rootOf(name);
    if (!defined.contains(root) && !containers.contains(root) && !isReserved(root))
      fail(what + " names '" + name + "', which is not defined");
  }

  // --- Dataflow ---

  void state(const State &of) {
    Result<Dataflow> flow = Dataflow::of(of);
    if (!flow)
      fail(flow.error().message);
    std::vector<Names> added(of.nodes.size());
    for (NodeId id : flow->order())
      if (of.nodes[id].isEntry()) {
        added[id].insert(of.nodes[id].scope.params.begin(), of.nodes[id].scope.params.end());
        for (const std::string &connector : of.nodes[id].rangeConnectors())
          added[id].insert(connector);
        if (of.nodes[id].type() == "PipelineEntry")
          pipelineSymbols(of.nodes[id], added[id]);
      }
    for (NodeId id = 0; id < of.nodes.size(); ++id) {
      Here here(*this, "node " + std::to_string(id) + " ('" + of.nodes[id].label() + "')", of.nodes[id]);
      node(of, id, *flow, added);
    }
    for (const DataEdge &edge : of.edges) {
      Here here(*this, "edge " + std::to_string(edge.from) + " -> " + std::to_string(edge.to), edge);
      dataEdge(of, edge, *flow, added);
    }
  }

  /// Names that a pipeline's scope (dace/sdfg/nodes.py, PipelineScope) makes for its states.
  static void pipelineSymbols(const Node &of, Names &into) {
    if (const Json *more = of.attribute("additional_iterators"); more && more->object())
      for (const Member &each : *more->object())
        into.insert(each.name);
    std::string iterator = "__";
    for (const std::string &param : of.scope.params)
      iterator += param;
    into.insert({iterator, iterator + "_init", iterator + "_drain"});
  }

  bool definedAt(std::string_view name, NodeId scope, const Dataflow &flow, const std::vector<Names> &added) const {
    if (defined.contains(name) || containers.contains(name) || isReserved(name))
      return true;
    for (; scope != kNone; scope = flow.scope(scope))
      if (added[scope].contains(name))
        return true;
    return false;
  }

  void symbolsAt(const std::set<std::string> &names, NodeId scope, const Dataflow &flow,
                 const std::vector<Names> &added, const char *what) const {
    for (const std::string &name : names)
      if (!definedAt(rootOf(name), scope, flow, added))
        fail(std::string(what) + " names '" + name + "', which is not defined");
  }

  void node(const State &state, NodeId id, const Dataflow &flow, const std::vector<Names> &added) {
    const Node &of = state.nodes[id];
    if (of.kind == NodeKind::Access && !containers.contains(of.container()))
      fail("there is no container '" + of.data + "'");
    if (of.isExit() && flow.scope(id) != of.partner)
      fail("it closes node " + std::to_string(of.partner) + " but is not reached from inside of its scope");
    if (of.isEntry()) {
      if (state.nodes[of.partner].partner != id)
        fail("its exit, node " + std::to_string(of.partner) + ", belongs to another entry");
      // A range may use what its own connectors bring, and later dimensions the parameters before them.
      symbolsAt(freeSymbols(of.scope.range), id, flow, added, "its range");
    }
    if (of.nested) {
      for (const auto &[name, value] : of.symbolMapping)
        symbolsAt(value.freeSymbols(), flow.scope(id), flow, added, "its symbol mapping");
      Here here(*this, "nested SDFG '" + of.nested->name() + "'", *of.nested);
      for (bool in : {true, false})
        for (const std::string &connector : of.connectors(in))
          if (!of.nested->find(connector))
            fail("connector '" + connector + "' is no container in it");
      sdfg(*of.nested, &of);
    }
  }

  void dataEdge(const State &state, const DataEdge &edge, const Dataflow &flow, const std::vector<Names> &added) {
    if (edge.fromConnector && !state.nodes[edge.from].hasConnector(false, *edge.fromConnector))
      fail("node " + std::to_string(edge.from) + " has no connector '" + *edge.fromConnector + "'");
    if (edge.toConnector && !state.nodes[edge.to].hasConnector(true, *edge.toConnector))
      fail("node " + std::to_string(edge.to) + " has no connector '" + *edge.toConnector + "'");
    const Memlet &memlet = edge.memlet;
    if (memlet.data && !containers.contains(memlet.container()))
      fail("its memlet names '" + *memlet.data + "', which is no container");
    if (!memlet.data && !memlet.isEmpty())
      fail("its memlet has a subset but names no container");
    // The innermost of the scopes that the edge is in.
    NodeId scope = state.nodes[edge.from].isEntry() ? edge.from : flow.scope(edge.from);
    if (state.nodes[edge.from].isExit())
      scope = flow.scope(state.nodes[edge.from].partner);
    if (memlet.subset)
      symbolsAt(freeSymbols(*memlet.subset), scope, flow, added, "its memlet");
    if (memlet.otherSubset)
      symbolsAt(freeSymbols(*memlet.otherSubset), scope, flow, added, "its memlet");
  }

  std::vector<Place> path;
  Names defined, containers;
};

} // namespace

void requireWellFormed(const Program &program) { Checker().sdfg(program.root, nullptr); }

} // namespace ferry::sdfg
