// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/container.h"
#include "sdfg/memlet.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// \file
/// A DaCe program as written by DaCe 1.0.2 (guarded state machines) and by DaCe 2.0 (loop regions, conditional blocks):
/// dace/sdfg/sdfg.py, state.py and nodes.py say what the elements mean; docs/sdfg.md what the file looks like. Values
/// own their children. Nodes and blocks are named by their index in the list they are in, as in the file.
namespace ferry::sdfg {

struct Sdfg;

using NodeId = std::uint32_t;
using BlockId = std::uint32_t;
inline constexpr std::uint32_t kNone = 0xffffffffu;

// --- Dataflow --------------------------------------------------------------------------------------------------------

enum class NodeKind : std::uint8_t {
  Access,
  Tasklet,
  MapEntry,
  MapExit,
  ConsumeEntry,
  ConsumeExit,
  NestedSdfg,
  Library,
  Other, ///< A type that Ferry does not know: kept, never moved.
};

/// What a map or consume scope runs over.
struct Scope {
  std::vector<std::string> params; ///< Of a consume scope, the processing element's index.
  Subset range;                    ///< A dimension a parameter.
};

struct Node : Element {
  NodeKind kind = NodeKind::Other;
  std::string data;                       ///< Access: the container, "A.indptr" for a structure's member.
  Code code;                              ///< Tasklet.
  Scope scope;                            ///< Entries.
  NodeId partner = kNone;                 ///< Entries and exits: the other one.
  const ScheduleKind *schedule = nullptr; ///< Entries, nested SDFGs, library nodes.
  std::unique_ptr<Sdfg> nested;           ///< Nested SDFG.
  std::vector<std::pair<std::string, Expr>> symbolMapping; ///< Nested SDFG: its symbols, in terms of those outside.

  bool isEntry() const { return kind == NodeKind::MapEntry || kind == NodeKind::ConsumeEntry; }
  bool isExit() const { return kind == NodeKind::MapExit || kind == NodeKind::ConsumeExit; }
  /// Whether its schedule says that the device runs it.
  bool isOnDevice() const { return schedule && schedule->location == Location::Device; }
  /// Whether it is a map in whose kernel all threads run the whole of what is in it (GPU_Persistent).
  bool isPersistent() const { return kind == NodeKind::MapEntry && schedule && schedule->name == "GPU_Persistent"; }
  bool isCode() const { return kind == NodeKind::Tasklet || kind == NodeKind::NestedSdfg || kind == NodeKind::Library; }
  /// As the file has it: a tasklet's or library node's name, a map's "name[i=0:N]", an access node's container.
  std::string label() const;
  /// Access: the container without the member.
  std::string container() const { return data.substr(0, data.find('.')); }
  /// Entries: connectors that hand a scalar to the range.
  std::vector<std::string> rangeConnectors() const;
  std::vector<std::string> connectors(bool in) const;
  bool hasConnector(bool in, std::string_view name) const;

  void addConnector(bool in, const std::string &name);
  void removeConnector(bool in, std::string_view name);
  void setData(const std::string &container);
  /// `name` must be a schedule of DaCe.
  void setSchedule(std::string_view name);
  void setSymbol(const std::string &inner, const Expr &outer, Dialect dialect);

  static Node access(const std::string &container);
  static Node tasklet(const std::string &name, const Code &code, const std::vector<std::string> &in,
                      const std::vector<std::string> &out);
  /// Without connectors and symbols; whoever adds it hands it its SDFG. DaCe is not to inline it.
  static Node nestedSdfg(const std::string &name, std::string_view schedule);
  /// A map's entry and exit, to be added together.
  static std::pair<Node, Node> map(const std::string &name, const Scope &scope, std::string_view schedule,
                                   Dialect dialect);
};

struct DataEdge : Element {
  NodeId from = kNone, to = kNone;
  std::optional<std::string> fromConnector, toConnector;
  Memlet memlet;
};

struct State : Element {
  std::vector<Node> nodes;
  std::vector<DataEdge> edges;
  /// Set by who adds or removes nodes or edges, so that what the file says about scopes is written anew.
  bool changed = false;

  NodeId add(Node node);
  /// A map's entry and exit, made partners; their ids.
  std::pair<NodeId, NodeId> add(std::pair<Node, Node> map);
  DataEdge &connect(NodeId from, std::optional<std::string> fromConnector, NodeId to,
                    std::optional<std::string> toConnector, Memlet memlet);
  /// Removes nodes and the edges at them; the others' ids move up.
  void remove(const std::vector<bool> &nodes);
};

// --- Control flow ----------------------------------------------------------------------------------------------------

struct Block;

/// An edge between blocks: taken if its condition holds, with assignments to symbols on the way, all at once.
struct InterstateEdge : Element {
  BlockId from = kNone, to = kNone;
  Code condition{"1", "Python"};
  std::vector<std::pair<std::string, std::string>> assignments; ///< Symbol and Python expression, in order.

  bool isUnconditional() const { return condition.text.empty() || condition.text == "1"; }
  void setCondition(const Code &to);
  void setAssignments(std::vector<std::pair<std::string, std::string>> to);
  static InterstateEdge between(BlockId from, BlockId to);
};

/// Blocks and the edges between them. A block none of whose edges can be taken ends the graph.
struct ControlGraph {
  std::vector<Block> blocks;
  std::vector<InterstateEdge> edges;
  std::optional<BlockId> start; ///< As the file has it.

  /// The only block without incoming edges, else `start`, else none.
  std::optional<BlockId> startBlock() const;
};

/// A loop (LoopRegion). The condition is evaluated before each trip, or after it where `inverted`.
struct Loop {
  std::optional<Code> condition, init, update;
  std::string variable; ///< Empty for a while loop.
  bool inverted = false;
  bool updateBeforeCondition = true; ///< Of inverted loops.
};

/// ControlFlowRegion, NamedRegion, FunctionCallRegion, UnstructuredControlFlow; with `loop`, LoopRegion.
struct Region {
  ControlGraph graph;
  std::optional<Loop> loop;
};

/// A conditional block: the first branch whose condition holds; one without a condition is the else.
struct Conditional {
  struct Branch : Element { ///< `json` is the region's object.
    std::optional<Code> condition;
    Json conditionJson;
    ControlGraph graph;
    static Branch otherwise(const std::string &label, ControlGraph graph);
  };
  std::vector<Branch> branches;
};

enum class Jump : std::uint8_t { Return, Break, Continue };

struct Block : Element {
  std::variant<State, Region, Conditional, Jump> what;

  std::string label() const;
  State *state() { return std::get_if<State>(&what); }
  const State *state() const { return std::get_if<State>(&what); }
  Region *region() { return std::get_if<Region>(&what); }
  const Region *region() const { return std::get_if<Region>(&what); }
  Conditional *conditional() { return std::get_if<Conditional>(&what); }
  const Conditional *conditional() const { return std::get_if<Conditional>(&what); }
  const Jump *jump() const { return std::get_if<Jump>(&what); }

  static Block newState(const std::string &label);
};

// --- Programs --------------------------------------------------------------------------------------------------------

struct Sdfg : Element {
  std::vector<Container> containers; ///< In the file's order; added and removed by the functions below.
  std::vector<std::string> symbols;  ///< Declared ones, in the file's order.
  ControlGraph graph;

  std::string name() const;
  Container *find(std::string_view container);
  const Container *find(std::string_view container) const;
  bool hasSymbol(std::string_view symbol) const;
  std::vector<std::string> constants() const;
  std::vector<std::string> argumentNames() const;
  Container &add(Container container);
  void removeContainers(const std::function<bool(const Container &)> &isRemoved);
  void addSymbol(const std::string &name, const std::string &type);
  /// By declared symbol; int64 where the file says none that is plain.
  std::map<std::string, std::string> symbolTypes() const;

  /// Without blocks, containers and symbols; the first block that is added is the start.
  static Sdfg empty(const std::string &name);

private:
  std::map<std::string, std::size_t, std::less<>> places; ///< Of containers, by name.
};

struct Program {
  Sdfg root;
  Version version;
  Layout layout = Layout::Indented;
};

/// The line of an element's `debuginfo`; DaCe 2.0 has the files' names in the program's `source_files`.
SourceLine sourceOf(const Element &element, const Program &program);

/// Calls `visit` for every block of a graph, those inside of regions and branches included, outer ones first; not for
/// those of nested SDFGs.
template <typename Graph, typename Visit> void forEachBlock(Graph &graph, const Visit &visit) {
  for (auto &block : graph.blocks) {
    visit(block);
    if (auto *region = block.region())
      forEachBlock(region->graph, visit);
    if (auto *conditional = block.conditional())
      for (auto &branch : conditional->branches)
        forEachBlock(branch.graph, visit);
  }
}

} // namespace ferry::sdfg
