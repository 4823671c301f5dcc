// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that call each other in a cycle are lowered once for each call from outside. Every call inside the cycle is
// an edge to the callee's entry and one from its exit back to where the call stood, so the plan does not tell calls
// apart.
//
//  - How often each function runs solves a linear system: F = calls from outside + (calls per run)^T F.
//  - An array of a function that is still wanted when an inner call returns stands for as many arrays as there are
//  calls under
//    way. A write then replaces only the innermost one: it is an update of unknown range.
//  - Arguments and results travel in temporaries and are bound to their names by an operation that is free and runs
//  where its
//    operands are; so binding, too, can be an update.
#include "placement/lowering.h"

#include <algorithm>

namespace ferry::placement {

namespace {

/// Solves (1 - transposed(calls)) F = outside by Gaussian elimination, exactly.
std::vector<Rational> solveCalls(const std::vector<std::vector<Rational>> &calls, std::vector<Rational> outside,
                                 const std::string &what) {
  std::size_t n = calls.size();
  std::vector<std::vector<Rational>> rows(n, std::vector<Rational>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      rows[i][j] = Rational(i == j) - calls[j][i];
  auto endless = [&] { failMalformed(what + ": on the average it calls itself at least once a call"); };
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    while (pivot < n && rows[pivot][column] == Rational(0))
      ++pivot;
    if (pivot == n)
      endless();
    std::swap(rows[pivot], rows[column]);
    std::swap(outside[pivot], outside[column]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == column || rows[i][column] == Rational(0))
        continue;
      Rational factor = rows[i][column] / rows[column][column];
      for (std::size_t j = column; j < n; ++j)
        rows[i][j] -= factor * rows[column][j];
      outside[i] -= factor * outside[column];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    outside[i] = outside[i] / rows[i][i];
    if (outside[i] < Rational(0))
      endless();
  }
  return outside;
}

} // namespace

std::vector<Rational> Lowering::recursionFrequencies(std::uint32_t first, const Rational &frequency,
                                                     const std::vector<std::uint32_t> &members) {
  std::vector<std::vector<Rational>> calls;
  std::vector<Rational> outside;
  for (std::uint32_t member : members) {
    Lowering scratch(problem);
    scratch.arrays();
    scratch.findRecursion();
    scratch.active = component[first];
    scratch.measured.assign(problem.functions.size(), 0);
    scratch.shared.resize(problem.functions.size());
    std::vector<ArrayId> names = scratch.freshNames(member);
    Target returns;
    Frame inside = scratch.calleeFrame({}, 0, names, returns);
    PointId start = scratch.join(kNone, 1, "", inside);
    scratch.body(problem.functions[member].body, {start, 1, std::nullopt}, inside);
    std::vector<Rational> row;
    for (std::uint32_t callee : members)
      row.push_back(scratch.measured[callee]);
    calls.push_back(std::move(row));
    outside.push_back(member == first ? frequency : Rational(0));
  }
  return solveCalls(calls, outside, "function '" + problem.functions[first].name + "'");
}

ArrayId Lowering::temporary(ArrayId like, const std::string &suffix) {
  Array array = result.graph.arrays[like];
  array.name += suffix;
  array.argument = array.result = false;
  result.graph.arrays.push_back(std::move(array));
  return static_cast<ArrayId>(result.graph.arrays.size() - 1);
}

PointId Lowering::bind(const std::vector<Rename> &names, const Rational &frequency, const std::string &name,
                       const Frame &frame) {
  Point point;
  point.kind = PointKind::Operation;
  point.region = frame.region;
  point.frequency = frequency;
  point.both = true;
  point.cost.launch = 0;
  point.name = name;
  point.call = frame.call;
  for (const Rename &each : names) {
    point.reads.push_back({each.source, Operand::Operation, std::nullopt, std::nullopt, std::nullopt});
    point.writes.push_back({each.destination, true, std::nullopt, std::nullopt, std::nullopt});
  }
  result.graph.points.push_back(std::move(point));
  return static_cast<PointId>(result.graph.points.size() - 1);
}

/// {what the callee is passed it in: argument}.
std::vector<Rename> Lowering::argumentsOf(const Call &call, const Frame &frame, const std::string &what) {
  const Shared &callee = shared[call.function];
  std::vector<Rename> passed;
  for (const Rename &argument : call.arguments) {
    Rename from = renames({{argument.source, argument.source}}, what, frame)[0];
    ArrayId parameter = callee.names[argument.destination];
    auto at = std::find_if(callee.parameters.begin(), callee.parameters.end(),
                           [&](const Rename &each) { return each.destination == parameter; });
    passed.push_back({at->source, from.source});
  }
  if (passed.size() != callee.parameters.size())
    failMalformed(what + ": not all arguments of a recursive function");
  requireRename(result.graph.arrays, passed, what);
  return passed;
}

void Lowering::sharedBody(std::uint32_t function, const Rational &frequency, const Frame &frame) {
  const Function &callee = problem.functions[function];
  Target returns;
  Frame inside = calleeFrame(frame, 0, shared[function].names, returns);
  PointId start = bind(shared[function].parameters, frequency, callee.name, inside);
  connect({shared[function].entry, frequency, std::nullopt}, start, {}, {});
  Cursor end = body(callee.body, {start, frequency, std::nullopt}, inside);
  if (end.alive()) {
    end.position = end.position.value_or(Position{Place::EndOfBody, 0, 0, inside.call});
    returns.arrivals.push_back(end);
    returns.renames.push_back({});
  }
  for (std::size_t i = 0; i < returns.arrivals.size(); ++i)
    connect(returns.arrivals[i], shared[function].exit, {}, returns.renames[i]);
}

Lowering::Cursor Lowering::enterRecursion(const Call &call, const Statement &statement, Cursor cursor,
                                          const Frame &frame) {
  std::string what = "call '" + statement.name + "'";
  std::vector<std::uint32_t> members;
  for (std::uint32_t f = 0; f < problem.functions.size(); ++f)
    if (component[f] == component[call.function])
      members.push_back(f);
  std::vector<Rational> frequencies = recursionFrequencies(call.function, cursor.frequency, members);

  std::uint32_t outerActive = std::exchange(active, component[call.function]);
  std::vector<Shared> outerShared = std::exchange(shared, std::vector<Shared>(problem.functions.size()));
  std::vector<EdgeId> outerReturns = std::exchange(innerReturns, {});
  std::size_t firstLocal = result.graph.arrays.size();
  for (std::size_t i = 0; i < members.size(); ++i) {
    Shared &copy = shared[members[i]];
    const std::string &name = problem.functions[members[i]].name;
    copy.entry = join(frame.region, frequencies[i], name, frame);
    copy.exit = join(frame.region, frequencies[i], name, frame);
    copy.names = freshNames(members[i]);
    for (ArrayId parameter : parameters[members[i]])
      copy.parameters.push_back({copy.names[parameter], temporary(copy.names[parameter], ".passed")});
  }
  Landmarks marks;
  marks.first = join(frame.region, cursor.frequency, statement.name, frame);
  connect(cursor, marks.first, at(Place::Before, statement, frame), {});
  connect({marks.first, cursor.frequency, std::nullopt}, shared[call.function].entry,
          at(Place::CallEntry, statement, frame), argumentsOf(call, frame, what));
  for (std::size_t i = 0; i < members.size(); ++i)
    sharedBody(members[i], frequencies[i], frame);
  marks.last = join(frame.region, cursor.frequency, statement.name, frame);
  Frame inside = frame;
  inside.names = &shared[call.function].names;
  connect({shared[call.function].exit, cursor.frequency, std::nullopt}, marks.last,
          at(Place::CallExit, statement, frame), across(call.results, frame, inside, what));
  weaken(firstLocal, innerReturns);
  active = outerActive;
  shared = std::move(outerShared);
  innerReturns = std::move(outerReturns);
  landmarks(statement, frame) = marks;
  return {marks.last, cursor.frequency, std::nullopt};
}

Lowering::Cursor Lowering::stepRecursion(const Call &call, const Statement &statement, Cursor cursor,
                                         const Frame &frame) {
  if (!measured.empty()) {
    measured[call.function] += cursor.frequency;
    return cursor;
  }
  std::string what = "call '" + statement.name + "'";
  Landmarks marks;
  marks.first = join(frame.region, cursor.frequency, statement.name, frame);
  connect(cursor, marks.first, at(Place::Before, statement, frame), {});
  connect({marks.first, cursor.frequency, std::nullopt}, shared[call.function].entry,
          at(Place::CallEntry, statement, frame), argumentsOf(call, frame, what));
  Frame inside = frame;
  inside.names = &shared[call.function].names;
  std::vector<Rename> names = across(call.results, frame, inside, what), received;
  for (Rename &each : names) {
    ArrayId carrier = temporary(each.destination, ".returned");
    received.push_back({carrier, each.source});
    each.source = carrier;
  }
  PointId back = join(frame.region, cursor.frequency, statement.name, frame);
  innerReturns.push_back(static_cast<EdgeId>(result.graph.edges.size()));
  connect({shared[call.function].exit, cursor.frequency, std::nullopt}, back, at(Place::CallExit, statement, frame),
          received);
  marks.last = back;
  if (!names.empty()) {
    marks.last = bind(names, cursor.frequency, statement.name, frame);
    connect({back, cursor.frequency, std::nullopt}, marks.last, {}, {});
  }
  landmarks(statement, frame) = marks;
  return {marks.last, cursor.frequency, std::nullopt};
}

namespace {

/// By point: which arrays from `firstLocal` on are alive before it.
std::vector<std::vector<bool>> aliveBefore(const Graph &graph, std::size_t firstLocal) {
  std::vector<std::vector<bool>> live(graph.points.size(), std::vector<bool>(graph.arrays.size()));
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t i = graph.edges.size(); i-- > 0;) {
      const Edge &edge = graph.edges[i];
      std::vector<bool> after = live[edge.to];
      for (const Rename &rename : edge.renames)
        after[rename.destination] = false;
      for (const Rename &rename : edge.renames)
        if (live[edge.to][rename.destination])
          after[rename.source] = true;
      for (const Write &write : graph.points[edge.from].writes)
        if (write.whole)
          after[write.array] = false;
      for (const Read &read : graph.points[edge.from].reads)
        after[read.array] = true;
      for (std::size_t a = firstLocal; a < after.size(); ++a)
        if (after[a] && !live[edge.from][a])
          grown = live[edge.from][a] = true;
    }
  }
  return live;
}

} // namespace

/// An edge that renames into weak arrays gets a point behind it that updates them instead. False if there is none.
bool Lowering::bindWeak(const std::vector<bool> &weak) {
  Graph &graph = result.graph;
  bool any = false;
  std::size_t edges = graph.edges.size();
  for (EdgeId id = 0; id < edges; ++id) {
    std::vector<Rename> bound;
    for (Rename &rename : graph.edges[id].renames)
      if (rename.destination < weak.size() && weak[rename.destination]) {
        ArrayId carrier = temporary(rename.destination, ".bound");
        bound.push_back({rename.destination, carrier});
        rename.destination = carrier;
      }
    if (bound.empty())
      continue;
    // The edge now leads to the binding, which is in every region that holds both of the edge's ends.
    Frame frame;
    RegionId from = graph.points[graph.edges[id].from].region, to = graph.points[graph.edges[id].to].region;
    while (from != to)
      (depth(from) >= depth(to) ? from : to) = graph.regions[depth(from) >= depth(to) ? from : to].parent;
    frame.region = from;
    PointId binding = bind(bound, graph.edges[id].frequency, "", frame);
    for (Write &write : graph.points[binding].writes)
      write.whole = false;
    PointId target = std::exchange(graph.edges[id].to, binding);
    connect({binding, graph.edges[id].frequency, std::nullopt}, target, {}, {});
    any = true;
  }
  return any;
}

/// Finds the locals (arrays from `firstLocal` on) that some returning edge leaves alive, and makes all their writes
/// updates; that keeps more of them alive, so until nothing changes.
void Lowering::weaken(std::size_t firstLocal, const std::vector<EdgeId> &returns) {
  Graph &graph = result.graph;
  std::vector<bool> weak(graph.arrays.size());
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<std::vector<bool>> live = aliveBefore(graph, firstLocal);
    for (EdgeId id : returns)
      for (ArrayId a = static_cast<ArrayId>(firstLocal); a < graph.arrays.size(); ++a) {
        const auto &names = graph.edges[id].renames;
        bool fresh =
            std::any_of(names.begin(), names.end(), [&](const Rename &rename) { return rename.destination == a; });
        if (live[graph.edges[id].to][a] && !fresh && !weak[a])
          changed = weak[a] = true;
      }
    for (Point &point : graph.points)
      for (Write &write : point.writes)
        if (weak[write.array])
          write = {write.array, false, write.whole ? std::nullopt : write.poke, write.whole ? std::nullopt : write.push,
                   std::nullopt};
    changed |= bindWeak(weak);
    weak.resize(graph.arrays.size());
  }
}

} // namespace ferry::placement
