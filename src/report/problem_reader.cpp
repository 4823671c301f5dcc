// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/json.h"
#include "report/machine_file.h"
#include "report/problem_file.h"

#include <algorithm>
#include <map>

namespace ferry::report {

using namespace placement;

namespace {

class Reader {
public:
  ProblemFile run(const Json &json) {
    Object root(json, "problem");
    if (const Json *machine = root.find("machine"))
      file.machine = machineFromJson(*machine);
    else
      root.fail("no machine");
    if (const Json *arrays = root.find("arrays"))
      for (const Json &each : list(*arrays, "arrays"))
        array(each);
    for (std::size_t i = 0; i < aliases.size(); ++i)
      if (!aliases[i].empty())
        file.problem.arrays[i].aliasOf = arrayNamed(aliases[i], "array '" + file.problem.arrays[i].name + "'");
    if (const Json *functions = root.find("functions")) {
      for (const Json &each : list(*functions, "functions")) {
        std::string name = Object(each, "function").string("name");
        if (!functionIds.emplace(name, static_cast<std::uint32_t>(functionIds.size())).second)
          throw FileError("function '" + name + "': named twice");
      }
      for (const Json &each : *functions)
        function(each);
    }
    if (root.find("runs"))
      file.problem.runs = root.rational("runs", 1);
    if (const Json *statements = root.find("body"))
      file.problem.body = body(*statements, "body");
    root.done();
    return std::move(file);
  }

private:
  static const Json::array_t &list(const Json &json, const std::string &what) {
    if (!json.is_array())
      throw FileError(what + ": not a list");
    return json.get_ref<const Json::array_t &>();
  }

  void array(const Json &json) {
    Object object(json, "array");
    Array array;
    array.name = object.string("name");
    object.rename("array '" + array.name + "'");
    if (!arrays.emplace(array.name, static_cast<ArrayId>(file.problem.arrays.size())).second)
      object.fail("named twice");
    array.bytes = object.integer("bytes", 0);
    array.home = object.side("home").value_or(Side::Host);
    array.argument = object.boolean("argument");
    array.result = object.boolean("result");
    array.byValue = object.boolean("by_value");
    array.h2d = object.time("h2d");
    array.d2h = object.time("d2h");
    if (const Json *extent = object.find("extent")) {
      array.extent.emplace();
      for (const Json &size : list(*extent, object.name()))
        array.extent->push_back({0, object.integerOf(size, "extent")});
    }
    aliases.push_back(object.find("alias") ? object.string("alias") : "");
    if (const Json *box = object.find("alias_box"))
      array.aliasBox = boxOf(*box, object);
    object.done();
    file.problem.arrays.push_back(std::move(array));
  }

  void function(const Json &json) {
    Object object(json, "function");
    Function function;
    function.name = object.string("name");
    object.rename("function '" + function.name + "'");
    if (const Json *locals = object.find("locals"))
      for (const Json &name : list(*locals, object.name()))
        function.locals.push_back(arrayNamed(object.stringOf(name, "locals"), object.name()));
    if (const Json *statements = object.find("body"))
      function.body = body(*statements, object.name());
    object.done();
    file.problem.functions.push_back(std::move(function));
  }

  ArrayId arrayNamed(const std::string &name, const std::string &what) const {
    auto at = arrays.find(name);
    if (at == arrays.end())
      throw FileError(what + ": no array '" + name + "'");
    return at->second;
  }

  static Box boxOf(const Json &json, const Object &object) {
    Box box;
    for (const Json &range : list(json, object.name())) {
      if (!range.is_array() || range.size() != 2)
        object.fail("a box is a list of [begin, end]");
      box.push_back({object.integerOf(range[0], "box"), object.integerOf(range[1], "box")});
    }
    return box;
  }

  Body body(const Json &json, const std::string &what) {
    if (++depth > kMostDepth)
      throw FileError(what + ": nested more than " + std::to_string(kMostDepth) + " deep");
    Body out;
    for (const Json &each : list(json, what))
      out.push_back(statement(each, what + ": statement " + std::to_string(out.size() + 1)));
    --depth;
    return out;
  }

  Statement statement(const Json &json, const std::string &where) {
    static constexpr const char *kKinds[] = {"op", "loop", "branch", "return", "break", "continue", "call"};
    Object object(json, where);
    const char *kind = nullptr;
    for (const char *each : kKinds)
      if (json.contains(each)) {
        if (kind)
          object.fail(std::string("is both '") + kind + "' and '" + each + "'");
        kind = each;
      }
    if (!kind)
      object.fail("none of op, loop, branch, return, break, continue, call");
    Statement statement;
    statement.tag = ++tags;
    statement.name = object.string(kind);
    std::string word = kind;
    object.rename((word == "op" ? "operation" : word) + " '" + statement.name + "'");
    if (word == "op")
      statement.what = operation(object);
    else if (word == "loop")
      statement.what = loop(object);
    else if (word == "branch")
      statement.what = branch(object);
    else if (word == "call")
      statement.what = call(object);
    else if (word == "return")
      statement.what = Return{renames(object.find("rename"), object)};
    else if (word == "break")
      statement.what = Break{renames(object.find("rename"), object)};
    else
      statement.what = Continue{renames(object.find("rename"), object)};
    object.done();
    return statement;
  }

  void addReads(Object &object, const char *member, Operand operand, std::vector<Read> &reads) {
    if (const Json *names = object.find(member))
      for (const Json &name : list(*names, object.name()))
        reads.push_back({arrayNamed(object.stringOf(name, member), object.name()), operand, std::nullopt, std::nullopt,
                         std::nullopt});
  }

  /// Calls use(array, value) for each member of an object of arrays.
  template <typename Use> void perArray(Object &object, const char *member, const Use &use) {
    const Json *entries = object.find(member);
    if (!entries)
      return;
    if (!entries->is_object())
      object.fail(std::string("'") + member + "' is no object");
    for (const auto &[name, value] : entries->items())
      if (!use(arrayNamed(name, object.name()), value))
        object.fail(std::string("'") + member + "' names the array '" + name + "', which it does not use so");
  }

  std::vector<Read> reads(Object &object, bool control) {
    std::vector<Read> reads;
    addReads(object, "reads", Operand::Operation, reads);
    if (!control) {
      addReads(object, "host_reads", Operand::Host, reads);
      addReads(object, "device_reads", Operand::Device, reads);
      addReads(object, "launcher_reads", Operand::Launcher, reads);
    }
    auto each = [&](ArrayId array, auto change) {
      bool any = false;
      for (Read &read : reads)
        if (read.array == array) {
          change(read);
          any = true;
        }
      return any;
    };
    perArray(object, "peek", [&](ArrayId array, const Json &value) { // one price, or that of each slice
      Time sum = 0;
      if (value.is_array())
        for (const Json &slice : value) {
          if (__builtin_add_overflow(sum, object.integerOf(slice, "peek"), &sum))
            object.fail("'peek' is out of range");
        }
      else
        sum = object.integerOf(value, "peek");
      return each(array, [&](Read &read) { read.peek = sum; });
    });
    perArray(object, "fetch", [&](ArrayId array, const Json &value) {
      return each(array, [&](Read &read) { read.fetch = object.integerOf(value, "fetch"); });
    });
    perArray(object, "box", [&](ArrayId array, const Json &value) {
      return each(array, [&](Read &read) { read.box = boxOf(value, object); });
    });
    return reads;
  }

  std::vector<Write> writes(Object &object) {
    std::vector<Write> writes;
    for (bool whole : {true, false}) {
      const char *member = whole ? "writes" : "updates";
      const Json *names = object.find(member);
      if (!names)
        continue;
      for (const Json &each : list(*names, object.name())) {
        std::string name = object.stringOf(each, member);
        ArrayId array = arrayNamed(name, object.name());
        if (std::any_of(writes.begin(), writes.end(), [&](const Write &write) { return write.array == array; }))
          object.fail("the array '" + name + "' is named twice in 'writes' and 'updates'");
        writes.push_back({array, whole, std::nullopt, std::nullopt, std::nullopt});
      }
    }
    auto each = [&](ArrayId array, auto change) {
      for (Write &write : writes)
        if (write.array == array) {
          change(write);
          return true;
        }
      return false;
    };
    perArray(object, "poke", [&](ArrayId array, const Json &value) {
      return each(array, [&](Write &write) { write.poke = object.integerOf(value, "poke"); });
    });
    perArray(object, "push", [&](ArrayId array, const Json &value) {
      return each(array, [&](Write &write) { write.push = object.integerOf(value, "push"); });
    });
    perArray(object, "write_box", [&](ArrayId array, const Json &value) {
      return each(array, [&](Write &write) { write.box = boxOf(value, object); });
    });
    return writes;
  }

  Operation operation(Object &object) {
    Operation operation;
    operation.reads = reads(object, false);
    operation.writes = writes(object);
    operation.cost = {object.integer("host", 0), object.integer("device", 0), object.integer("inner", 0),
                      object.time("launch")};
    operation.both = object.boolean("both");
    operation.allocate = object.boolean("allocate");
    operation.fusible = object.boolean("fusible");
    operation.noKernel = object.boolean("no_kernel");
    operation.pin = object.side("pin");
    return operation;
  }

  Control control(Object &object) {
    return {reads(object, true), object.integer("host", 0), object.integer("inner", 0)};
  }

  std::vector<Rename> renames(const Json *json, Object &object) {
    std::vector<Rename> out;
    if (!json)
      return out;
    if (!json->is_object())
      object.fail("a rename is an object {destination: source}");
    for (const auto &[destination, source] : json->items())
      out.push_back(
          {arrayNamed(destination, object.name()), arrayNamed(object.stringOf(source, "rename"), object.name())});
    return out;
  }

  /// The renames of the edges that a statement names: {"back": {destination: source}}.
  void edgeRenames(Object &object, std::initializer_list<std::pair<const char *, std::vector<Rename> *>> edges) {
    const Json *json = object.find("rename");
    if (!json)
      return;
    Object each(*json, object.name());
    for (auto [name, out] : edges)
      *out = renames(each.find(name), object);
    each.done();
  }

  Loop loop(Object &object) {
    Loop loop;
    loop.control = control(object);
    loop.trips = object.rational("trips", 1);
    loop.enter = object.rational("enter", 1);
    loop.repeats = object.boolean("repeats");
    loop.guardRegion = object.boolean("guard_region");
    loop.parallel = object.boolean("parallel");
    loop.pin = object.side("pin");
    edgeRenames(object,
                {{"entry", &loop.onEntry}, {"back", &loop.onBack}, {"exit", &loop.onExit}, {"skip", &loop.onSkip}});
    if (const Json *statements = object.find("body"))
      loop.body = body(*statements, object.name());
    return loop;
  }

  Branch branch(Object &object) {
    Branch branch;
    branch.control = control(object);
    branch.probability = object.rational("probability", Rational(1, 2));
    branch.pin = object.side("pin");
    edgeRenames(object, {{"then", &branch.onThen}, {"else", &branch.onOtherwise}});
    if (const Json *statements = object.find("then"))
      branch.then = body(*statements, object.name());
    if (const Json *statements = object.find("else"))
      branch.otherwise = body(*statements, object.name());
    return branch;
  }

  Call call(Object &object) {
    Call call;
    std::string name = object.string("function");
    auto at = functionIds.find(name);
    if (at == functionIds.end())
      object.fail("no function '" + name + "'");
    call.function = at->second;
    call.arguments = renames(object.find("arguments"), object);
    call.results = renames(object.find("results"), object);
    return call;
  }

  ProblemFile file;
  std::map<std::string, ArrayId> arrays;
  std::map<std::string, std::uint32_t> functionIds;
  std::vector<std::string> aliases;
  Tag tags = 0;
  static constexpr unsigned kMostDepth = 500;
  unsigned depth = 0;
};

} // namespace

Result<ProblemFile> readProblem(std::string_view text) {
  try {
    return Reader().run(parseJson(text));
  } catch (const FileError &error) {
    return Error{ErrorKind::Malformed, error.what()};
  } catch (const Json::exception &error) {
    return Error{ErrorKind::Malformed, jsonError(text, error)};
  }
}

} // namespace ferry::report
