// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/machine_file.h"
#include "report/problem_file.h"

namespace ferry::report {

using namespace placement;

namespace {

class Writer {
public:
  explicit Writer(const Problem &problem) : problem(problem) {}

  Json run() {
    Json out = Json::object();
    Json arrays = Json::array();
    for (const Array &each : problem.arrays)
      arrays.push_back(array(each));
    out["arrays"] = std::move(arrays);
    if (!problem.functions.empty()) {
      Json functions = Json::array();
      for (const Function &function : problem.functions) {
        Json locals = Json::array();
        for (ArrayId local : function.locals)
          locals.push_back(name(local));
        functions.push_back({{"name", function.name}, {"locals", locals}, {"body", body(function.body)}});
      }
      out["functions"] = std::move(functions);
    }
    out["runs"] = toJson(problem.runs);
    out["body"] = body(problem.body);
    return out;
  }

private:
  const std::string &name(ArrayId array) const { return problem.arrays[array].name; }

  static Json boxJson(const Box &box) {
    Json out = Json::array();
    for (const Range &range : box)
      out.push_back({range.begin, range.end});
    return out;
  }

  static void flag(Json &out, const char *member, bool value) {
    if (value)
      out[member] = true;
  }
  static void number(Json &out, const char *member, std::int64_t value) {
    if (value != 0)
      out[member] = value;
  }
  static void optional(Json &out, const char *member, const std::optional<Time> &value) {
    if (value)
      out[member] = *value;
  }
  static void pin(Json &out, const std::optional<Side> &side) {
    if (side)
      out["pin"] = toString(*side);
  }

  Json array(const Array &array) const {
    Json out = {{"name", array.name}};
    number(out, "bytes", array.bytes);
    if (array.home == Side::Device)
      out["home"] = "device";
    flag(out, "argument", array.argument);
    flag(out, "result", array.result);
    flag(out, "by_value", array.byValue);
    optional(out, "h2d", array.h2d);
    optional(out, "d2h", array.d2h);
    if (array.extent) {
      out["extent"] = Json::array();
      for (const Range &range : *array.extent)
        out["extent"].push_back(range.end);
    }
    if (array.aliasOf)
      out["alias"] = name(*array.aliasOf);
    if (array.aliasBox)
      out["alias_box"] = boxJson(*array.aliasBox);
    return out;
  }

  void reads(Json &out, const std::vector<Read> &reads) const {
    static constexpr const char *kMembers[] = {"reads", "host_reads", "device_reads", "launcher_reads"};
    for (const Read &read : reads) {
      out[kMembers[static_cast<std::size_t>(read.operand)]].push_back(name(read.array));
      if (read.peek)
        out["peek"][name(read.array)] = *read.peek;
      if (read.fetch)
        out["fetch"][name(read.array)] = *read.fetch;
      if (read.box)
        out["box"][name(read.array)] = boxJson(*read.box);
    }
  }

  void renames(Json &out, const char *member, const std::vector<Rename> &renames) const {
    for (const Rename &rename : renames)
      out[member][name(rename.destination)] = name(rename.source);
  }

  Json body(const Body &statements) const {
    Json out = Json::array();
    for (const Statement &statement : statements)
      out.push_back(std::visit([&](const auto &what) { return write(what, statement.name); }, statement.what));
    return out;
  }

  Json write(const Operation &operation, const std::string &name) const {
    Json out = {{"op", name}};
    reads(out, operation.reads);
    for (const Write &write : operation.writes) {
      const std::string &array = this->name(write.array);
      out[write.whole ? "writes" : "updates"].push_back(array);
      if (write.poke)
        out["poke"][array] = *write.poke;
      if (write.push)
        out["push"][array] = *write.push;
      if (write.box)
        out["write_box"][array] = boxJson(*write.box);
    }
    number(out, "host", operation.cost.host);
    number(out, "device", operation.cost.device);
    number(out, "inner", operation.cost.inner);
    optional(out, "launch", operation.cost.launch);
    flag(out, "both", operation.both);
    flag(out, "allocate", operation.allocate);
    flag(out, "fusible", operation.fusible);
    flag(out, "no_kernel", operation.noKernel);
    pin(out, operation.pin);
    return out;
  }

  void control(Json &out, const Control &control) const {
    reads(out, control.reads);
    number(out, "host", control.host);
    number(out, "inner", control.inner);
  }

  Json write(const Loop &loop, const std::string &name) const {
    Json out = {{"loop", name}, {"trips", toJson(loop.trips)}, {"enter", toJson(loop.enter)}};
    control(out, loop.control);
    flag(out, "repeats", loop.repeats);
    flag(out, "guard_region", loop.guardRegion);
    flag(out, "parallel", loop.parallel);
    pin(out, loop.pin);
    Json names = Json::object();
    renames(names, "entry", loop.onEntry);
    renames(names, "back", loop.onBack);
    renames(names, "exit", loop.onExit);
    renames(names, "skip", loop.onSkip);
    if (!names.empty())
      out["rename"] = std::move(names);
    out["body"] = body(loop.body);
    return out;
  }

  Json write(const Branch &branch, const std::string &name) const {
    Json out = {{"branch", name}, {"probability", toJson(branch.probability)}};
    control(out, branch.control);
    pin(out, branch.pin);
    Json names = Json::object();
    renames(names, "then", branch.onThen);
    renames(names, "else", branch.onOtherwise);
    if (!names.empty())
      out["rename"] = std::move(names);
    out["then"] = body(branch.then);
    out["else"] = body(branch.otherwise);
    return out;
  }

  Json leave(const char *kind, const std::string &name, const std::vector<Rename> &names) const {
    Json out = {{kind, name}};
    renames(out, "rename", names);
    return out;
  }
  Json write(const Return &out, const std::string &name) const { return leave("return", name, out.renames); }
  Json write(const Break &out, const std::string &name) const { return leave("break", name, out.renames); }
  Json write(const Continue &out, const std::string &name) const { return leave("continue", name, out.renames); }

  Json write(const Call &call, const std::string &name) const {
    Json out = {{"call", name}, {"function", problem.functions[call.function].name}};
    renames(out, "arguments", call.arguments);
    renames(out, "results", call.results);
    return out;
  }

  const Problem &problem;
};

} // namespace

std::string writeProblem(const ProblemFile &file) {
  Json out = {{"machine", machineToJson(file.machine)}};
  out.update(Writer(file.problem).run());
  return out.dump(2) + "\n";
}

} // namespace ferry::report
