// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the model to JSON text: each element's own object in its own order, with the children where they stood. Ids are
// positions and are written anew; they are what they were if nothing changed.

#include "sdfg/dataflow.h"
#include "sdfg/file.h"

#include <algorithm>

namespace ferry::sdfg {

using placement::Result;

namespace {

class Writer {
public:
  Writer(std::string &out, Layout layout) : json(out, layout) {}

  void sdfg(const Sdfg &of) {
    object(of.json, [&](const std::string &name, const Json &value) {
      return name == "attributes" ? inside(value, [&] { attributes(of, value); }) : graphMember(of.graph, name);
    });
  }

private:
  /// Writes an object; `child` writes a member's value and says true if it is one that the model has apart.
  template <typename Child> void object(const Json &of, Child child) {
    json.beginObject();
    for (const Member &each : *of.object()) {
      json.key(each.name);
      if (!child(each.name, each.value))
        json.value(each.value);
    }
    json.endObject();
  }

  template <typename Body> static bool inside(const Json &value, Body body) {
    if (!value.isObject())
      return false;
    body();
    return true;
  }

  void attributes(const Sdfg &of, const Json &value) {
    object(value, [&](const std::string &name, const Json &) {
      if (name != "_arrays")
        return false;
      json.beginObject();
      for (const Container &each : of.containers)
        json.member(each.name, each.json);
      json.endObject();
      return true;
    });
  }

  bool graphMember(const ControlGraph &graph, const std::string &name) {
    if (name == "nodes") {
      json.beginArray();
      for (std::size_t i = 0; i < graph.blocks.size(); ++i)
        block(graph.blocks[i], i);
      json.endArray();
    } else if (name == "edges") {
      json.beginArray();
      for (const InterstateEdge &each : graph.edges)
        object(each.json,
               [&](const std::string &member, const Json &value) { return end(each.from, each.to, member, value); });
      json.endArray();
    } else if (name == "start_block" && graph.start) {
      number(*graph.start);
    } else {
      return false;
    }
    return true;
  }

  void number(std::size_t value) { json.value(Json(static_cast<std::int64_t>(value))); }

  /// The ends of an edge are strings in what DaCe writes; other numbers stay numbers.
  bool end(std::uint32_t from, std::uint32_t to, const std::string &name, const Json &was) {
    if (name != "src" && name != "dst")
      return false;
    std::uint32_t id = name == "src" ? from : to;
    if (was.number())
      number(id);
    else
      json.value(std::to_string(id));
    return true;
  }

  void block(const Block &of, std::size_t id) {
    object(of.json, [&](const std::string &name, const Json &value) {
      if (name == "id" && !value.isNull()) {
        number(id);
        return true;
      }
      if (const State *state = of.state())
        return stateMember(*state, name);
      if (const Region *region = of.region())
        return graphMember(region->graph, name);
      if (const Conditional *conditional = of.conditional(); conditional && name == "branches") {
        branches(*conditional);
        return true;
      }
      return false;
    });
  }

  void branches(const Conditional &of) {
    json.beginArray();
    for (const Conditional::Branch &each : of.branches) {
      json.beginArray();
      json.value(each.conditionJson);
      object(each.json, [&](const std::string &name, const Json &) { return graphMember(each.graph, name); });
      json.endArray();
    }
    json.endArray();
  }

  bool stateMember(const State &of, const std::string &name) {
    if (name == "nodes") {
      scopes = of.changed ? scopesOf(of) : std::vector<NodeId>();
      json.beginArray();
      for (NodeId id = 0; id < of.nodes.size(); ++id)
        node(of, id);
      json.endArray();
    } else if (name == "edges") {
      json.beginArray();
      for (const DataEdge &each : of.edges)
        dataEdge(each);
      json.endArray();
    } else if (name == "scope_dict" && of.changed) {
      scopeDictionary(scopesOf(of));
    } else {
      return false;
    }
    return true;
  }

  /// Empty if the scopes are broken; DaCe finds them itself when it reads.
  static std::vector<NodeId> scopesOf(const State &of) {
    std::vector<NodeId> result;
    if (Result<Dataflow> flow = Dataflow::of(of))
      for (NodeId id = 0; id < of.nodes.size(); ++id)
        result.push_back(flow->scope(id));
    return result;
  }

  void scopeDictionary(const std::vector<NodeId> &of) {
    json.beginObject();
    std::vector<NodeId> entries = {kNone};
    entries.insert(entries.end(), of.begin(), of.end());
    std::sort(entries.begin(), entries.end(), [](NodeId a, NodeId b) { return a + 1 < b + 1; }); // kNone first
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    for (NodeId entry : entries) {
      json.key(entry == kNone ? "-1" : std::to_string(entry));
      json.beginArray();
      for (NodeId id = 0; id < of.size(); ++id)
        if (of[id] == entry)
          number(id);
      json.endArray();
    }
    json.endObject();
  }

  void node(const State &state, NodeId id) {
    const Node &of = state.nodes[id];
    bool moved = !scopes.empty();
    NodeId scope = moved ? scopes[id] : kNone;
    NodeId exit = of.isEntry() ? of.partner : scope == kNone ? kNone : state.nodes[scope].partner;
    object(of.json, [&](const std::string &name, const Json &value) {
      if (moved && name == "id")
        number(id);
      else if (moved && (name == "scope_entry" || name == "scope_exit"))
        idOrNull(name == "scope_entry" ? scope : exit);
      else if (name == "attributes" && of.nested)
        return inside(value, [&] { nested(of, value); });
      else
        return false;
      return true;
    });
  }

  void idOrNull(NodeId id) { json.value(id == kNone ? Json() : Json(std::to_string(id))); }

  void nested(const Node &of, const Json &value) {
    object(value, [&](const std::string &name, const Json &) {
      if (name != "sdfg")
        return false;
      std::vector<NodeId> outer = std::move(scopes);
      sdfg(*of.nested);
      scopes = std::move(outer);
      return true;
    });
  }

  void dataEdge(const DataEdge &of) {
    auto connector = [&](const std::optional<std::string> &name) { json.value(name ? Json(*name) : Json()); };
    object(of.json, [&](const std::string &name, const Json &value) {
      if (name == "attributes")
        return inside(value, [&] {
          object(value, [&](const std::string &member, const Json &) {
            if (member == "data")
              json.value(of.memlet.json);
            return member == "data";
          });
        });
      if (name == "src_connector" || name == "dst_connector") {
        connector(name == "src_connector" ? of.fromConnector : of.toConnector);
        return true;
      }
      return end(of.from, of.to, name, value);
    });
  }

  JsonWriter json;
  std::vector<NodeId> scopes; ///< Of the state being written; empty if they are as the file had them.
};

} // namespace

std::string printProgram(const Program &program) {
  std::string out;
  Writer(out, program.layout).sdfg(program.root);
  return out;
}

} // namespace ferry::sdfg
