// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call of a function that does not call back is the function's body with fresh locals. Whether it calls back is
// decided by the strongly connected components of the call graph (Tarjan).
#include "placement/lowering.h"

#include <algorithm>
#include <functional>

namespace ferry::placement {

namespace {

/// Every call in a body, inner bodies included.
template <typename Visit> void forEachCall(const Body &body, const Visit &visit) {
  for (const Statement &statement : body) {
    if (const auto *call = std::get_if<Call>(&statement.what))
      visit(*call, statement);
    else if (const auto *loop = std::get_if<Loop>(&statement.what))
      forEachCall(loop->body, visit);
    else if (const auto *branch = std::get_if<Branch>(&statement.what)) {
      forEachCall(branch->then, visit);
      forEachCall(branch->otherwise, visit);
    }
  }
}

} // namespace

void Lowering::findRecursion() {
  std::size_t count = problem.functions.size();
  std::vector<std::vector<std::uint32_t>> callees(count);
  parameters.resize(count);
  auto record = [&](const Body &body, std::vector<std::uint32_t> *out) {
    forEachCall(body, [&](const Call &call, const Statement &statement) {
      if (call.function >= count)
        failMalformed("call '" + statement.name + "': of a function that does not exist");
      if (out)
        out->push_back(call.function);
      std::vector<ArrayId> &known = parameters[call.function];
      for (const Rename &argument : call.arguments)
        if (std::find(known.begin(), known.end(), argument.destination) == known.end())
          known.push_back(argument.destination);
    });
  };
  record(problem.body, nullptr);
  for (std::size_t f = 0; f < count; ++f)
    record(problem.functions[f].body, &callees[f]);

  component.assign(count, kNone);
  std::vector<std::uint32_t> order(count, 0), low(count, 0), stack;
  std::uint32_t next = 0;
  std::function<void(std::uint32_t, unsigned)> visit = [&](std::uint32_t f, unsigned depth) {
    if (depth > kMostNesting)
      failMalformed("function '" + problem.functions[f].name + "': calls nested more than " +
                    std::to_string(kMostNesting) + " deep");
    order[f] = low[f] = ++next;
    stack.push_back(f);
    for (std::uint32_t callee : callees[f])
      if (order[callee] == 0) {
        visit(callee, depth + 1);
        low[f] = std::min(low[f], low[callee]);
      } else if (component[callee] == kNone) {
        low[f] = std::min(low[f], order[callee]);
      }
    if (low[f] != order[f])
      return;
    bool cycle = stack.back() != f || std::find(callees[f].begin(), callees[f].end(), f) != callees[f].end();
    for (std::uint32_t member = kNone; member != f; stack.pop_back()) {
      member = stack.back();
      component[member] = static_cast<std::uint32_t>(cyclic.size());
    }
    cyclic.push_back(cycle);
  };
  for (std::uint32_t f = 0; f < count; ++f)
    if (order[f] == 0)
      visit(f, 1);
}

bool Lowering::callsBack(const Body &statements) const {
  bool found = false;
  if (active != kNone)
    forEachCall(statements,
                [&](const Call &call, const Statement &) { found = found || component[call.function] == active; });
  return found;
}

std::vector<ArrayId> Lowering::freshNames(std::uint32_t function) {
  std::vector<ArrayId> names(problem.arrays.size(), kNone);
  for (ArrayId local : problem.functions[function].locals)
    if (units[local] == local) {
      names[local] = static_cast<ArrayId>(result.graph.arrays.size());
      result.graph.arrays.push_back(problem.arrays[local]);
    }
  return names;
}

Lowering::Frame Lowering::calleeFrame(const Frame &frame, Tag tag, const std::vector<ArrayId> &names, Target &returns) {
  Frame inside;
  inside.region = frame.region;
  inside.call = static_cast<std::uint32_t>(result.graph.calls.size());
  result.graph.calls.push_back({tag, frame.call});
  inside.names = &names;
  returns.region = frame.region;
  inside.returns = &returns;
  return inside;
}

std::vector<Rename> Lowering::across(const std::vector<Rename> &names, const Frame &destinations, const Frame &sources,
                                     const std::string &what) {
  std::vector<Rename> out;
  for (const Rename &name : names) {
    Rename to = renames({{name.destination, name.destination}}, what, destinations)[0];
    Rename from = renames({{name.source, name.source}}, what, sources)[0];
    out.push_back({to.destination, from.source});
  }
  requireRename(result.graph.arrays, out, what);
  return out;
}

Lowering::Cursor Lowering::call(const Call &call, const Statement &statement, Cursor cursor, const Frame &frame) {
  if (++bodies > problem.inlineBudget)
    failMalformed("call '" + statement.name + "': more than " + std::to_string(problem.inlineBudget) +
                  " operations after inlining");
  for (const Rename &argument : call.arguments)
    if (argument.destination >= problem.arrays.size() || owner[argument.destination] != call.function)
      failMalformed("call '" + statement.name + "': passes an argument to what is no local of '" +
                    problem.functions[call.function].name + "'");
  if (!cyclic[component[call.function]])
    return inlined(call, statement, cursor, frame);
  return component[call.function] == active ? stepRecursion(call, statement, cursor, frame)
                                            : enterRecursion(call, statement, cursor, frame);
}

Lowering::Cursor Lowering::inlined(const Call &call, const Statement &statement, Cursor cursor, const Frame &frame) {
  std::string what = "call '" + statement.name + "'";
  Landmarks marks;
  marks.first = join(frame.region, cursor.frequency, statement.name, frame);
  connect(cursor, marks.first, at(Place::Before, statement, frame), {});
  std::vector<ArrayId> names = freshNames(call.function);
  Target returns;
  Frame inside = calleeFrame(frame, statement.tag, names, returns);
  PointId start = join(frame.region, cursor.frequency, statement.name, frame);
  connect({marks.first, cursor.frequency, std::nullopt}, start, at(Place::CallEntry, statement, frame),
          across(call.arguments, inside, frame, what));
  Cursor end = body(problem.functions[call.function].body, {start, cursor.frequency, std::nullopt}, inside);
  if (end.alive()) {
    end.position = end.position.value_or(at(Place::EndOfBody, statement, inside));
    returns.arrivals.push_back(end);
    returns.renames.push_back({});
  }
  end = meet(returns, statement, inside);
  marks.last = join(frame.region, end.frequency, statement.name, frame);
  connect(end, marks.last, at(Place::CallExit, statement, frame), across(call.results, frame, inside, what));
  landmarks(statement, frame) = marks;
  return {marks.last, end.frequency, std::nullopt};
}

} // namespace ferry::placement
