// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/model.h"

#include <algorithm>

namespace ferry::sdfg {

// --- Nodes -----------------------------------------------------------------------------------------------------------

std::string Node::label() const {
  if (kind == NodeKind::Library) // its text may be longer: "Reduce (Sum), Axes: [1]"
    for (const char *name : {"label", "name"})
      if (std::optional<std::string> own = stringAttribute(name); own && !own->empty())
        return *own;
  const Json *found = json.find("label");
  return found && found->string() ? *found->string() : std::string();
}

static const char *connectorsName(bool in) { return in ? "in_connectors" : "out_connectors"; }

std::vector<std::string> Node::connectors(bool in) const {
  std::vector<std::string> names;
  const Json *found = attribute(connectorsName(in));
  if (found && found->object())
    for (const Member &each : *found->object())
      names.push_back(each.name);
  return names;
}

bool Node::hasConnector(bool in, std::string_view name) const {
  const Json *found = attribute(connectorsName(in));
  return found && found->find(name);
}

std::vector<std::string> Node::rangeConnectors() const {
  std::vector<std::string> names = connectors(true);
  std::erase_if(names, [](const std::string &name) { return name.starts_with("IN_"); });
  return names;
}

/// DaCe keeps connectors in alphabetical order in a file.
/// An attribute that is an object, made if it is none.
static Object &members(Element &of, std::string_view attribute) {
  if (const Json *found = of.attribute(attribute); !found || !found->object())
    of.setAttribute(attribute, Object{});
  return *of.json.find("attributes")->find(attribute)->object();
}

void Node::addConnector(bool in, const std::string &name) {
  Object &connectors = members(*this, connectorsName(in));
  auto at = std::find_if(connectors.begin(), connectors.end(), [&](const Member &m) { return m.name >= name; });
  if (at == connectors.end() || at->name != name)
    connectors.insert(at, {name, Json()});
}

void Node::removeConnector(bool in, std::string_view name) {
  std::erase_if(members(*this, connectorsName(in)), [&](const Member &m) { return m.name == name; });
}

void Node::setData(const std::string &container) {
  data = container;
  setAttribute("data", container);
  json.set("label", container);
}

void Node::setSchedule(std::string_view name) {
  schedule = scheduleKind(name);
  setAttribute("schedule", std::string(name));
}

void Node::setSymbol(const std::string &inner, const Expr &outer, Dialect dialect) {
  auto at =
      std::find_if(symbolMapping.begin(), symbolMapping.end(), [&](const auto &each) { return each.first >= inner; });
  if (at != symbolMapping.end() && at->first == inner)
    at->second = outer;
  else
    symbolMapping.insert(at, {inner, outer});
  Object &mapping = members(*this, "symbol_mapping");
  std::erase_if(mapping, [&](const Member &m) { return m.name == inner; });
  auto place = std::find_if(mapping.begin(), mapping.end(), [&](const Member &m) { return m.name >= inner; });
  mapping.insert(place, {inner, outer.toString(dialect)});
}

static Node newNode(NodeKind kind, const char *type, const std::string &label, Object attributes) {
  Node node;
  node.kind = kind;
  node.json = Object{{"type", type},  {"label", label},        {"attributes", std::move(attributes)},
                     {"id", Json(0)}, {"scope_entry", Json()}, {"scope_exit", Json()}};
  return node;
}

Node Node::access(const std::string &container) {
  Node node = newNode(NodeKind::Access, "AccessNode", container, {{"data", container}, {"debuginfo", Json()}});
  node.data = container;
  return node;
}

Node Node::nestedSdfg(const std::string &name, std::string_view schedule) {
  Node node = newNode(NodeKind::NestedSdfg, "NestedSDFG", name,
                      {{"sdfg", Json()},
                       {"label", name},
                       {"schedule", std::string(schedule)},
                       {"no_inline", true},
                       {"symbol_mapping", Object{}},
                       {"in_connectors", Object{}},
                       {"out_connectors", Object{}}});
  node.schedule = scheduleKind(schedule);
  return node;
}

static Object connectorsOf(const std::vector<std::string> &names) {
  Object connectors;
  for (const std::string &name : names)
    connectors.push_back({name, Json()});
  return connectors;
}

Node Node::tasklet(const std::string &name, const Code &code, const std::vector<std::string> &in,
                   const std::vector<std::string> &out) {
  Node node = newNode(NodeKind::Tasklet, "Tasklet", name,
                      {{"code", code.toJson()},
                       {"debuginfo", Json()},
                       {"label", name},
                       {"in_connectors", connectorsOf(in)},
                       {"out_connectors", connectorsOf(out)}});
  node.code = code;
  return node;
}

std::pair<Node, Node> Node::map(const std::string &name, const Scope &scope, std::string_view schedule,
                                Dialect dialect) {
  Array params(scope.params.begin(), scope.params.end());
  std::string text;
  for (std::size_t i = 0; i < scope.params.size(); ++i) {
    Subset dim;
    dim.dims = {scope.range.dims[i]};
    std::string range = toString(dim);
    text += (i ? ", " : "") + scope.params[i] + "=" + range.substr(1, range.size() - 2);
  }
  std::string label = name + "[" + text + "]";
  Node entry = newNode(NodeKind::MapEntry, "MapEntry", label,
                       {{"label", name},
                        {"params", std::move(params)},
                        {"range", toJson(scope.range, dialect)},
                        {"schedule", std::string(schedule)},
                        {"debuginfo", Json()},
                        {"in_connectors", Object{}},
                        {"out_connectors", Object{}}});
  entry.scope = scope;
  entry.schedule = scheduleKind(schedule);
  return {std::move(entry),
          newNode(NodeKind::MapExit, "MapExit", label, {{"in_connectors", Object{}}, {"out_connectors", Object{}}})};
}

// --- States ----------------------------------------------------------------------------------------------------------

NodeId State::add(Node node) {
  changed = true;
  nodes.push_back(std::move(node));
  return static_cast<NodeId>(nodes.size() - 1);
}

std::pair<NodeId, NodeId> State::add(std::pair<Node, Node> map) {
  NodeId entry = add(std::move(map.first)), exit = add(std::move(map.second));
  nodes[entry].partner = exit;
  nodes[exit].partner = entry;
  return {entry, exit};
}

DataEdge &State::connect(NodeId from, std::optional<std::string> fromConnector, NodeId to,
                         std::optional<std::string> toConnector, Memlet memlet) {
  changed = true;
  DataEdge edge;
  edge.json = Object{{"type", "MultiConnectorEdge"},
                     {"attributes", Object{{"data", Json()}}},
                     {"src", Json()},
                     {"dst", Json()},
                     {"dst_connector", Json()},
                     {"src_connector", Json()}};
  edge.from = from;
  edge.to = to;
  edge.fromConnector = std::move(fromConnector);
  edge.toConnector = std::move(toConnector);
  edge.memlet = std::move(memlet);
  edges.push_back(std::move(edge));
  return edges.back();
}

void State::remove(const std::vector<bool> &gone) {
  changed = true;
  std::vector<NodeId> moved(nodes.size(), kNone);
  std::vector<Node> kept;
  for (NodeId id = 0; id < nodes.size(); ++id)
    if (!gone[id]) {
      moved[id] = static_cast<NodeId>(kept.size());
      kept.push_back(std::move(nodes[id]));
    }
  for (Node &node : kept)
    if (node.partner != kNone)
      node.partner = moved[node.partner];
  nodes = std::move(kept);
  std::erase_if(edges, [&](const DataEdge &edge) { return gone[edge.from] || gone[edge.to]; });
  for (DataEdge &edge : edges) {
    edge.from = moved[edge.from];
    edge.to = moved[edge.to];
  }
}

// --- Control flow ----------------------------------------------------------------------------------------------------

static Json *dataOf(InterstateEdge &edge) {
  Json *attributes = edge.json.find("attributes");
  return attributes ? attributes->find("data") : nullptr;
}

/// DaCe 1.0.2 repeats condition and assignments in a label.
static void relabel(InterstateEdge &edge) {
  Json *data = dataOf(edge);
  if (!data || !data->find("label"))
    return;
  std::string text = edge.condition.text == "1" ? "" : edge.condition.text;
  for (std::size_t i = 0; i < edge.assignments.size(); ++i) {
    text += i ? "," : text.empty() ? "" : "; ";
    text += edge.assignments[i].first + "=" + edge.assignments[i].second;
  }
  data->set("label", text);
}

static void setInside(InterstateEdge &edge, const char *name, Json value) {
  if (Json *data = dataOf(edge))
    if (Json *attributes = data->find("attributes"))
      attributes->set(name, std::move(value));
  relabel(edge);
}

void InterstateEdge::setCondition(const Code &to) {
  condition = to;
  setInside(*this, "condition", to.toJson());
}

void InterstateEdge::setAssignments(std::vector<std::pair<std::string, std::string>> to) {
  assignments = std::move(to);
  Object object;
  for (const auto &[symbol, value] : assignments)
    object.push_back({symbol, value});
  setInside(*this, "assignments", std::move(object));
}

InterstateEdge InterstateEdge::between(BlockId from, BlockId to) {
  InterstateEdge edge;
  edge.from = from;
  edge.to = to;
  edge.json = Object{
      {"type", "Edge"},
      {"attributes", Object{{"data", Object{{"type", "InterstateEdge"}, {"attributes", Object{}}, {"label", ""}}}}},
      {"src", Json()},
      {"dst", Json()}};
  return edge;
}

std::optional<BlockId> ControlGraph::startBlock() const {
  std::vector<bool> entered(blocks.size(), false);
  for (const InterstateEdge &edge : edges)
    entered[edge.to] = true;
  std::size_t sources = static_cast<std::size_t>(std::count(entered.begin(), entered.end(), false));
  if (sources == 1)
    return static_cast<BlockId>(std::find(entered.begin(), entered.end(), false) - entered.begin());
  return start;
}

std::string Block::label() const {
  const Json *found = json.find("label");
  return found && found->string() ? *found->string() : std::string();
}

Block Block::newState(const std::string &label) {
  Block block;
  block.json = Object{{"type", "SDFGState"},    {"label", label},  {"id", Json(0)},   {"collapsed", false},
                      {"scope_dict", Object{}}, {"nodes", Json()}, {"edges", Json()}, {"attributes", Object{}}};
  block.what.emplace<State>().changed = true;
  return block;
}

Conditional::Branch Conditional::Branch::otherwise(const std::string &label, ControlGraph graph) {
  Branch branch;
  branch.json =
      Object{{"type", "ControlFlowRegion"}, {"attributes", Object{}}, {"nodes", Json()}, {"edges", Json()},
             {"collapsed", false},          {"label", label},         {"id", Json()},    {"cfg_list_id", Json(0)},
             {"start_block", Json(0)}};
  branch.graph = std::move(graph);
  return branch;
}

// --- Programs --------------------------------------------------------------------------------------------------------

std::string Sdfg::name() const { return stringAttribute("name").value_or(""); }

const Container *Sdfg::find(std::string_view container) const {
  auto found = places.find(container);
  return found == places.end() ? nullptr : &containers[found->second];
}

Container *Sdfg::find(std::string_view container) {
  return const_cast<Container *>(std::as_const(*this).find(container));
}

bool Sdfg::hasSymbol(std::string_view symbol) const {
  return std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
}

std::vector<std::string> Sdfg::constants() const {
  std::vector<std::string> names;
  const Json *found = attribute("constants_prop");
  if (found && found->object())
    for (const Member &each : *found->object())
      names.push_back(each.name);
  return names;
}

std::vector<std::string> Sdfg::argumentNames() const {
  std::vector<std::string> names;
  const Json *found = attribute("arg_names");
  if (found && found->array())
    for (const Json &each : *found->array())
      if (each.string())
        names.push_back(*each.string());
  return names;
}

Container &Sdfg::add(Container container) {
  places.try_emplace(container.name, containers.size());
  containers.push_back(std::move(container));
  return containers.back();
}

void Sdfg::removeContainers(const std::function<bool(const Container &)> &isRemoved) {
  std::erase_if(containers, isRemoved);
  places.clear();
  for (std::size_t i = 0; i < containers.size(); ++i)
    places.try_emplace(containers[i].name, i);
}

/// DaCe keeps symbols in alphabetical order in a file.
std::map<std::string, std::string> Sdfg::symbolTypes() const {
  std::map<std::string, std::string> types;
  if (const Json *declared = attribute("symbols"); declared && declared->object())
    for (const Member &each : *declared->object())
      types[each.name] = each.value.string() ? *each.value.string() : "int64";
  return types;
}

Sdfg Sdfg::empty(const std::string &name) {
  Sdfg made;
  made.json = Object{{"type", "SDFG"},
                     {"attributes", Object{{"_arrays", Object{}},
                                           {"constants_prop", Object{}},
                                           {"name", name},
                                           {"arg_names", Array{}},
                                           {"symbols", Object{}}}},
                     {"nodes", Json()},
                     {"edges", Json()},
                     {"start_block", Json(0)}};
  made.graph.start = 0;
  return made;
}

void Sdfg::addSymbol(const std::string &name, const std::string &type) {
  if (hasSymbol(name))
    return;
  symbols.push_back(name);
  Object declared;
  if (const Json *found = attribute("symbols"); found && found->object())
    declared = *found->object();
  auto at = std::find_if(declared.begin(), declared.end(), [&](const Member &m) { return m.name > name; });
  declared.insert(at, {name, type});
  setAttribute("symbols", std::move(declared));
}

SourceLine sourceOf(const Element &element, const Program &program) {
  SourceLine result;
  const Json *info = element.attribute("debuginfo");
  if (!info || !info->isObject())
    return result;
  auto number = [&](const char *name) {
    const Json *found = info->find(name);
    return found ? found->integer().value_or(0) : 0;
  };
  result.line = number("start_line");
  result.column = number("start_column");
  if (const Json *file = info->find("filename"); file && file->string())
    result.file = *file->string();
  const Json *files = program.root.json.find("source_files");
  std::int64_t index = info->find("file_index") ? number("file_index") : -1;
  if (files && files->array() && index >= 0 && index < static_cast<std::int64_t>(files->array()->size()))
    if (const std::string *name = (*files->array())[static_cast<std::size_t>(index)].string())
      result.file = *name;
  return result;
}

} // namespace ferry::sdfg
