// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From JSON to the model. Each element takes its children out of its JSON object and leaves null in their place. The
// depth of the recursion is that of the JSON, which is bounded.

#include "sdfg/check.h"

#include <charconv>
#include <set>

namespace ferry::sdfg {

using placement::Result;

namespace {

/// Names what is being read, for messages.
class Here {
public:
  Here(std::vector<Place> &path, std::string name, std::optional<std::size_t> position = {}) : path(path) {
    path.push_back({std::move(name), position});
  }
  ~Here() { path.pop_back(); }
  Here(const Here &) = delete;

private:
  std::vector<Place> &path;
};

class Reader {
public:
  void sdfg(Sdfg &to, Json json) {
    requireObject(json, "an SDFG");
    to.json = std::move(json);
    if (to.type() != "SDFG")
      fail(to.type().empty() ? "this is no SDFG" : "not an SDFG but a '" + to.type() + "'");
    if (!to.stringAttribute("name"))
      fail("it has no name");
    containers(to);
    if (const Json *symbols = to.attribute("symbols"))
      for (const Member &each : object(*symbols, "'symbols'"))
        to.symbols.push_back(each.name);
    graph(to.graph, to);
  }

private:
  [[noreturn]] void fail(std::string what) const { throw Malformed{path, std::move(what)}; }

  /// The value, or the message of its error.
  template <typename T> T must(Result<T> result) const {
    if (!result)
      fail(result.error().message);
    return std::move(*result);
  }

  void requireObject(const Json &json, const char *what) const {
    if (!json.isObject())
      fail(std::string(what) + " is expected, not " + json.kind());
  }

  const Object &object(const Json &json, const char *what) const {
    if (!json.isObject())
      fail(std::string(what) + " is not an object but " + json.kind());
    return *json.object();
  }

  /// Takes a list out of an element; null stays in its place.
  Array list(Json &from, const char *name) const {
    Json *found = from.find(name);
    if (!found)
      fail(std::string("it has no list '") + name + "'");
    if (!found->isArray())
      fail(std::string("'") + name + "' is not a list but " + found->kind());
    Array result = std::move(*found->array());
    *found = Json();
    return result;
  }

  static std::string text(const Json &json, const char *name) {
    const Json *found = json.find(name);
    return found && found->string() ? *found->string() : std::string();
  }

  // --- Containers ---

  void containers(Sdfg &to) {
    Json *attributes = to.json.find("attributes");
    Json *arrays = attributes->find("_arrays");
    if (!arrays)
      return;
    Object descriptors = object(*arrays, "'_arrays'");
    *arrays = Json();
    std::set<std::string_view> names;
    for (Member &each : descriptors) {
      Here here(path, "container '" + each.name + "'", each.value.position());
      if (!names.insert(each.name).second)
        fail("there are two of this name");
      const Container &made = to.add(must(Container::fromJson(each.name, std::move(each.value))));
      if (made.storage->location == Location::Other)
        fail("its storage " + std::string(made.storage->name) + " is of an accelerator that Ferry does not place for");
    }
  }

  // --- Control flow ---

  void graph(ControlGraph &to, Element &owner) {
    Array blocks = list(owner.json, "nodes"), edges = list(owner.json, "edges");
    to.blocks.resize(blocks.size());
    for (std::size_t i = 0; i < blocks.size(); ++i)
      block(to.blocks[i], std::move(blocks[i]));
    for (Json &each : edges)
      interstateEdge(to, std::move(each));
    // DaCe leaves the number as it was where it removes blocks, and does not look at it where edges tell the start.
    const Json *start = owner.json.find("start_block");
    std::optional<std::int64_t> id = start ? start->integer() : std::nullopt;
    if (id && *id >= 0 && *id < static_cast<std::int64_t>(to.blocks.size()))
      to.start = static_cast<BlockId>(*id);
    if (!to.blocks.empty() && !to.startBlock())
      fail(start && !start->isNull() ? "its start_block is none of its blocks"
                                     : "it does not say which block it starts with");
  }

  void block(Block &to, Json json) {
    requireObject(json, "a block");
    to.json = std::move(json);
    std::string type = to.type();
    std::string kind = type == "SDFGState" ? "state '" : type == "LoopRegion" ? "loop '" : "block '";
    Here here(path, kind + to.label() + "'", to.json.position());
    if (type == "SDFGState")
      state(to.what.emplace<State>(), to);
    else if (type == "LoopRegion" || type == "ControlFlowRegion" || type == "NamedRegion" ||
             type == "FunctionCallRegion" || type == "UnstructuredControlFlow")
      region(to.what.emplace<Region>(), to);
    else if (type == "ConditionalBlock")
      conditional(to.what.emplace<Conditional>(), to);
    else if (type == "ReturnBlock" || type == "BreakBlock" || type == "ContinueBlock")
      to.what = type == "ReturnBlock" ? Jump::Return : type == "BreakBlock" ? Jump::Break : Jump::Continue;
    else
      fail("no block is of type '" + type + "'");
  }

  void region(Region &to, Block &owner) {
    if (owner.type() == "LoopRegion") {
      Loop &loop = to.loop.emplace();
      loop.condition = Code::fromJson(owner.attribute("loop_condition"));
      loop.init = Code::fromJson(owner.attribute("init_statement"));
      loop.update = Code::fromJson(owner.attribute("update_statement"));
      loop.variable = owner.stringAttribute("loop_variable").value_or("");
      loop.inverted = owner.flagAttribute("inverted");
      loop.updateBeforeCondition = owner.flagAttribute("update_before_condition", true);
      if (!loop.condition)
        fail("it has no condition");
    }
    graph(to.graph, owner);
  }

  void conditional(Conditional &to, Block &owner) {
    Array branches = list(owner.json, "branches");
    for (std::size_t i = 0; i < branches.size(); ++i) {
      Here here(path, "branch " + std::to_string(i));
      Array *pair = branches[i].array();
      if (!pair || pair->size() != 2)
        fail("it is not a pair of condition and region");
      Conditional::Branch &branch = to.branches.emplace_back();
      branch.conditionJson = std::move((*pair)[0]);
      branch.condition = Code::fromJson(&branch.conditionJson);
      if (!branch.condition && !branch.conditionJson.isNull())
        fail("its condition is no code");
      requireObject((*pair)[1], "a region");
      branch.json = std::move((*pair)[1]);
      graph(branch.graph, branch);
    }
  }

  void interstateEdge(ControlGraph &to, Json json) {
    InterstateEdge edge;
    requireObject(json, "an edge");
    edge.json = std::move(json);
    Here here(path, "edge " + ends(edge.json), edge.json.position());
    edge.from = end(edge.json, "src", to.blocks.size(), "block");
    edge.to = end(edge.json, "dst", to.blocks.size(), "block");
    const Json *data = edge.attribute("data");
    const Json *attributes = data ? data->find("attributes") : nullptr;
    if (!attributes || !attributes->isObject())
      fail("it has no 'data'");
    if (const Json *condition = attributes->find("condition"); condition && !condition->isNull()) {
      std::optional<Code> code = Code::fromJson(condition);
      if (!code)
        fail("its condition is no code");
      edge.condition = *code;
    }
    if (const Json *assignments = attributes->find("assignments"))
      for (const Member &each : object(*assignments, "'assignments'"))
        edge.assignments.push_back({each.name, assigned(each)});
    to.edges.push_back(std::move(edge));
  }

  std::string assigned(const Member &each) const {
    if (const std::string *text = each.value.string())
      return *text;
    if (const Json::Number *number = each.value.number())
      return number->spelling;
    if (const bool *truth = each.value.boolean())
      return *truth ? "True" : "False";
    fail("what it assigns to '" + each.name + "' is " + each.value.kind());
  }

  // --- Edges of both kinds ---

  static std::string endText(const Json &edge, const char *name) {
    const Json *found = edge.find(name);
    return !found ? "?" : found->string() ? *found->string() : found->number() ? found->number()->spelling : "?";
  }

  static std::string ends(const Json &edge) { return endText(edge, "src") + " -> " + endText(edge, "dst"); }

  std::uint32_t end(const Json &edge, const char *name, std::size_t count, const char *what) const {
    std::string text = endText(edge, name);
    std::uint32_t id = 0;
    auto [stopped, failed] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (failed != std::errc() || stopped != text.data() + text.size() || id >= count)
      fail(std::string("there is no ") + what + " " + text);
    return id;
  }

  // --- Dataflow ---

  void state(State &to, Block &owner) {
    Array nodes = list(owner.json, "nodes"), edges = list(owner.json, "edges");
    to.nodes.resize(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      requireObject(nodes[i], "a node");
      Here here(path, "node " + std::to_string(i) + " ('" + text(nodes[i], "label") + "')", nodes[i].position());
      node(to.nodes[i], std::move(nodes[i]));
    }
    for (std::size_t i = 0; i < to.nodes.size(); ++i) {
      Here here(path, "node " + std::to_string(i) + " ('" + to.nodes[i].label() + "')", to.nodes[i].json.position());
      pairUp(to, static_cast<NodeId>(i));
    }
    for (Json &each : edges)
      dataEdge(to, std::move(each));
  }

  void node(Node &to, Json json) {
    to.json = std::move(json);
    std::string type = to.type();
    if (!to.json.find("attributes") || !to.json.find("attributes")->isObject())
      fail("it has no attributes");
    if (type == "AccessNode") {
      to.kind = NodeKind::Access;
      std::optional<std::string> data = to.stringAttribute("data");
      if (!data)
        fail("it does not name its container");
      to.data = *data;
    } else if (type == "Tasklet") {
      to.kind = NodeKind::Tasklet;
      to.code = Code::fromJson(to.attribute("code")).value_or(Code());
    } else if (type == "MapEntry" || type == "PipelineEntry") {
      to.kind = NodeKind::MapEntry;
      mapScope(to);
    } else if (type == "ConsumeEntry") {
      to.kind = NodeKind::ConsumeEntry;
      consumeScope(to);
    } else if (type == "MapExit" || type == "PipelineExit") {
      to.kind = NodeKind::MapExit;
    } else if (type == "ConsumeExit") {
      to.kind = NodeKind::ConsumeExit;
    } else if (type == "NestedSDFG") {
      to.kind = NodeKind::NestedSdfg;
      nested(to);
    } else if (type == "LibraryNode") {
      to.kind = NodeKind::Library;
    }
    if (to.isEntry() || to.kind == NodeKind::NestedSdfg || to.kind == NodeKind::Library)
      schedule(to);
    for (const char *each : {"in_connectors", "out_connectors"})
      if (const Json *connectors = to.attribute(each); connectors && !connectors->isNull())
        object(*connectors, each);
  }

  void schedule(Node &to) const {
    std::string name = to.stringAttribute("schedule").value_or("Default");
    to.schedule = scheduleKind(name);
    if (!to.schedule)
      fail("no schedule is called '" + name + "'");
    if (to.schedule->location == Location::Other)
      fail("its schedule " + name + " is of an accelerator that Ferry does not place for");
  }

  void mapScope(Node &to) const {
    const Json *params = to.attribute("params"), *range = to.attribute("range");
    if (params && !params->array())
      fail(std::string("'params' is not a list but ") + params->kind());
    if (params)
      for (const Json &each : *params->array()) {
        if (!each.string())
          fail("a parameter has no name");
        to.scope.params.push_back(*each.string());
      }
    if (range) {
      Here here(path, "range", range->position());
      to.scope.range = must(subsetFromJson(*range));
    }
    if (to.scope.params.size() != to.scope.range.dims.size())
      fail("it has " + std::to_string(to.scope.params.size()) + " parameters and a range of " +
           std::to_string(to.scope.range.dims.size()) + " dimensions");
  }

  void consumeScope(Node &to) const {
    Expr count = 1;
    if (const Json *number = to.attribute("num_pes")) {
      std::string text = number->string() ? *number->string() : number->number() ? number->number()->spelling : "";
      count = must(Expr::parse(text));
    }
    to.scope.params = {to.stringAttribute("pe_index").value_or("i")};
    to.scope.range.dims = {{0, count - 1}};
  }

  void nested(Node &to) {
    Json *inner = to.json.find("attributes")->find("sdfg");
    if (!inner || inner->isNull())
      fail("its SDFG is not in this file");
    if (const std::string *text = inner->string()) { // as DaCe before 0.8 wrote it
      Result<Document> document = parseJson(*text);
      if (!document)
        fail("its SDFG is not JSON: " + document.error().message);
      *inner = std::move(document->json);
    }
    Json json = std::move(*inner);
    *inner = Json();
    to.nested = std::make_unique<Sdfg>();
    if (const Json *mapping = to.attribute("symbol_mapping"))
      for (const Member &each : object(*mapping, "'symbol_mapping'")) {
        Here here(path, "symbol '" + each.name + "'");
        std::string text = each.value.string()   ? *each.value.string()
                           : each.value.number() ? each.value.number()->spelling
                                                 : "";
        to.symbolMapping.push_back({each.name, must(Expr::parse(text))});
      }
    Here here(path, "nested SDFG '" + text(json, "label") + "'", json.position());
    sdfg(*to.nested, std::move(json));
  }

  /// An entry names its exit; an exit its entry.
  void pairUp(State &state, NodeId id) const {
    Node &node = state.nodes[id];
    if (!node.isEntry() && !node.isExit())
      return;
    std::string other = endText(node.json, node.isEntry() ? "scope_exit" : "scope_entry");
    NodeId partner = end(node.json, node.isEntry() ? "scope_exit" : "scope_entry", state.nodes.size(), "node");
    const Node &there = state.nodes[partner];
    bool fits = node.isEntry() ? there.isExit() : there.isEntry();
    bool map = node.kind == NodeKind::MapEntry || node.kind == NodeKind::MapExit;
    bool thereMap = there.kind == NodeKind::MapEntry || there.kind == NodeKind::MapExit;
    if (!fits || map != thereMap)
      fail(std::string("its ") + (node.isEntry() ? "exit" : "entry") + " is said to be node " + other +
           ", which is none");
    if (there.partner != kNone && there.partner != id)
      fail("node " + other + " already belongs to node " + std::to_string(there.partner));
    node.partner = partner;
  }

  void dataEdge(State &to, Json json) {
    DataEdge edge;
    requireObject(json, "an edge");
    edge.json = std::move(json);
    Here here(path, "edge " + ends(edge.json), edge.json.position());
    edge.from = end(edge.json, "src", to.nodes.size(), "node");
    edge.to = end(edge.json, "dst", to.nodes.size(), "node");
    edge.fromConnector = connector(edge.json, "src_connector");
    edge.toConnector = connector(edge.json, "dst_connector");
    Json *attributes = edge.json.find("attributes");
    Json *data = attributes ? attributes->find("data") : nullptr;
    if (!data)
      fail("it has no memlet");
    Json memlet = std::move(*data);
    *data = Json();
    edge.memlet = must(Memlet::fromJson(std::move(memlet)));
    to.edges.push_back(std::move(edge));
  }

  std::optional<std::string> connector(const Json &edge, const char *name) const {
    const Json *found = edge.find(name);
    if (!found || found->isNull())
      return std::nullopt;
    if (!found->string())
      fail(std::string("'") + name + "' is not a name but " + found->kind());
    return *found->string();
  }

  mutable std::vector<Place> path; ///< Of what is being read.
};

} // namespace

void readSdfg(Sdfg &to, Json json) { Reader().sdfg(to, std::move(json)); }

} // namespace ferry::sdfg
