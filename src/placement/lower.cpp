// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each statement becomes a few points; a cursor is the edge that has left the last one. Loops and branches:
//
//      |                                      |
//    guard ----------GuardSkip-----.       control ---ArmStart--> arm 1 --> armEnd --OnArmEnd-.
//      | LoopEntry                 |          |                                               |
//     pad                          |          '-----ArmStart----> arm 0 --> armEnd --OnArmEnd-+
//      | OnEntry                   |                                                          |
//     head <--OnBack-- join <-.    |                                                         join
//      |                      |    |                                                          |
//     body          BackEdge  |    |
//      |                      |    |
//     latch ------------------'    |
//      | LoopExit                  |
//     join --OnExit-> last <-OnSkip'
//
// Points that do nothing cost nothing: the solver leaves them out where they decide nothing. They are there so that a
// copy may come before a rename as well as after it.
#include "placement/lowering.h"

#include <algorithm>

namespace ferry::placement {

std::string nameOf(const Statement &statement, const char *kind) {
  if (!statement.name.empty())
    return std::string(kind) + " '" + statement.name + "'";
  return std::string(kind) + (statement.tag ? " " + std::to_string(statement.tag) : " without a name");
}

Lowered Lowering::run() {
  arrays();
  findRecursion();
  if (problem.runs <= Rational(0))
    failMalformed("problem: runs " + problem.runs.toString() + " is not positive");
  Frame frame;
  Point entry;
  entry.kind = PointKind::Entry;
  entry.frequency = problem.runs;
  entry.name = "start";
  result.graph.points.push_back(entry);
  Cursor end = body(problem.body, {0, problem.runs, std::nullopt}, frame);
  if (end.alive()) {
    Position position{Place::EndOfBody, 0, 0, kNone};
    Point exit;
    exit.kind = PointKind::Exit;
    exit.frequency = end.frequency;
    exit.name = "end";
    result.graph.points.push_back(exit);
    connect(end, static_cast<PointId>(result.graph.points.size() - 1), position, {});
  }
  return std::move(result);
}

unsigned Lowering::depth(RegionId region) const { return region == kNone ? 0 : depths[region]; }

Position Lowering::at(Place place, const Statement &statement, const Frame &frame, std::uint8_t arm) const {
  return {place, statement.tag, arm, frame.call};
}

Landmarks &Lowering::landmarks(const Statement &statement, const Frame &frame) {
  // Without a tag the statement cannot be asked for; all such share one entry that is dropped in the end.
  return result.statements[{statement.tag, frame.call}];
}

void Lowering::connect(const Cursor &cursor, PointId to, const Position &position, const std::vector<Rename> &names) {
  Edge edge;
  edge.from = cursor.from;
  edge.to = to;
  edge.frequency = cursor.frequency;
  edge.position = cursor.position.value_or(position);
  edge.renames = names;
  result.graph.edges.push_back(std::move(edge));
}

PointId Lowering::join(RegionId region, const Rational &frequency, const std::string &name, const Frame &frame) {
  Point point;
  point.region = region;
  point.frequency = frequency;
  point.name = name;
  point.call = frame.call;
  result.graph.points.push_back(std::move(point));
  return static_cast<PointId>(result.graph.points.size() - 1);
}

RegionId Lowering::region(RegionId parent, const Statement &statement, std::optional<Side> pin, const Frame &frame) {
  result.graph.regions.push_back({parent, pin, false, statement.name, statement.tag, frame.call});
  depths.push_back(depth(parent) + 1);
  return static_cast<RegionId>(result.graph.regions.size() - 1);
}

PointId Lowering::control(const Control &control, const Statement &statement, RegionId region,
                          const Rational &frequency, const Frame &frame) {
  if (++bodies > problem.inlineBudget)
    failMalformed(nameOf(statement, "control") + ": more than " + std::to_string(problem.inlineBudget) +
                  " operations after inlining");
  Point point;
  point.kind = PointKind::Control;
  point.region = region;
  point.frequency = frequency;
  point.reads = reads(control.reads, nameOf(statement, "control"), frame);
  point.cost.host = control.host;
  point.cost.inner = control.inner;
  point.name = statement.name;
  point.tag = statement.tag;
  point.call = frame.call;
  result.graph.points.push_back(std::move(point));
  return static_cast<PointId>(result.graph.points.size() - 1);
}

Lowering::Cursor Lowering::body(const Body &statements, Cursor cursor, const Frame &frame) {
  ++nesting;
  for (const Statement &each : statements) {
    if (!cursor.alive())
      failMalformed(nameOf(each, "statement") + ": nothing gets here");
    if (nesting > kMostNesting)
      failMalformed(nameOf(each, "statement") + ": nested more than " + std::to_string(kMostNesting) +
                    " deep, calls included");
    cursor = statement(each, cursor, frame);
  }
  --nesting;
  return cursor;
}

Lowering::Cursor Lowering::statement(const Statement &statement, Cursor cursor, const Frame &frame) {
  if (statement.tag != 0 && result.statements.count({statement.tag, frame.call}) != 0)
    failMalformed(nameOf(statement, "statement") + ": tag " + std::to_string(statement.tag) + " is given twice");
  if (const auto *leaf = std::get_if<Operation>(&statement.what))
    return operation(*leaf, statement, cursor, frame);
  if (const auto *repeated = std::get_if<Loop>(&statement.what))
    return loop(*repeated, statement, cursor, frame);
  if (const auto *choice = std::get_if<Branch>(&statement.what))
    return branch(*choice, statement, cursor, frame);
  if (const auto *callee = std::get_if<Call>(&statement.what))
    return call(*callee, statement, cursor, frame);
  if (const auto *out = std::get_if<Return>(&statement.what))
    return leave(out->renames, frame.returns, statement, cursor, frame);
  if (const auto *out = std::get_if<Break>(&statement.what)) {
    if (!frame.breaks)
      failMalformed(nameOf(statement, "break") + ": outside of a loop");
    return leave(out->renames, frame.breaks, statement, cursor, frame);
  }
  if (!frame.continues)
    failMalformed(nameOf(statement, "continue") + ": outside of a loop");
  return leave(std::get<Continue>(statement.what).renames, frame.continues, statement, cursor, frame);
}

Lowering::Cursor Lowering::operation(const Operation &operation, const Statement &statement, Cursor cursor,
                                     const Frame &frame) {
  std::string what = nameOf(statement, "operation");
  if (++bodies > problem.inlineBudget)
    failMalformed(what + ": more than " + std::to_string(problem.inlineBudget) + " operations after inlining");
  Point point;
  point.kind = PointKind::Operation;
  point.region = frame.region;
  point.frequency = cursor.frequency;
  point.reads = reads(operation.reads, what, frame);
  point.writes = writes(operation.writes, what, frame);
  point.cost = operation.cost;
  point.both = operation.both || operation.allocate;
  if (operation.allocate) {
    if (!operation.reads.empty())
      failMalformed(what + ": an allocation that reads");
    for (const Write &write : operation.writes)
      if (!write.whole)
        failMalformed(what + ": an allocation that updates a part");
    point.cost = {0, 0, 0, 0};
  }
  point.fusible = operation.fusible;
  point.noKernel = operation.noKernel;
  point.pin = operation.pin;
  point.name = statement.name;
  point.tag = statement.tag;
  point.call = frame.call;
  result.graph.points.push_back(std::move(point));
  PointId id = static_cast<PointId>(result.graph.points.size() - 1);
  connect(cursor, id, at(Place::Before, statement, frame), {});
  Landmarks &marks = landmarks(statement, frame);
  marks.first = marks.last = id;
  return {id, cursor.frequency, std::nullopt};
}

Lowering::Cursor Lowering::leave(const std::vector<Rename> &given, Target *target, const Statement &statement,
                                 Cursor cursor, const Frame &frame) {
  std::vector<Rename> names = renames(given, nameOf(statement, "statement"), frame);
  PointId here = join(frame.region, cursor.frequency, statement.name, frame);
  connect(cursor, here, at(Place::Before, statement, frame), {});
  landmarks(statement, frame).first = here;
  Cursor gone{here, cursor.frequency, at(Place::Leave, statement, frame)};
  if (target) {
    target->arrivals.push_back(gone);
    target->renames.push_back(std::move(names));
    return {};
  }
  Point exit;
  exit.kind = PointKind::Exit;
  exit.frequency = cursor.frequency;
  exit.name = statement.name;
  exit.tag = statement.tag;
  result.graph.points.push_back(std::move(exit));
  connect(gone, static_cast<PointId>(result.graph.points.size() - 1), {}, names);
  return {};
}

Lowering::Cursor Lowering::meet(Target &target, const Statement &statement, const Frame &frame) {
  Rational sum = 0;
  for (const Cursor &arrival : target.arrivals)
    sum += arrival.frequency;
  PointId point = join(target.region, sum, statement.name, frame);
  for (std::size_t i = 0; i < target.arrivals.size(); ++i)
    connect(target.arrivals[i], point, {}, target.renames[i]);
  return {point, sum, std::nullopt};
}

Lowering::Cursor Lowering::beforeRenames(Cursor cursor, RegionId region, const std::vector<Rename> &names,
                                         const Frame &frame) {
  if (names.empty())
    return cursor;
  PointId point = join(region, cursor.frequency, "", frame);
  connect(cursor, point, {}, {});
  return {point, cursor.frequency, std::nullopt};
}

std::optional<RegionId> Lowering::leavesTo(const Body &statements, const Frame &frame, unsigned loopsInside) const {
  if (statements.empty())
    return std::nullopt;
  const auto &last = statements.back().what;
  if (std::holds_alternative<Return>(last))
    return frame.returns ? frame.returns->region : kNone;
  if (std::holds_alternative<Break>(last))
    return loopsInside == 0 && frame.breaks ? std::optional(frame.breaks->region) : std::nullopt;
  if (std::holds_alternative<Continue>(last))
    return loopsInside == 0 && frame.continues ? std::optional(frame.continues->region) : std::nullopt;
  if (const auto *choice = std::get_if<Branch>(&last)) {
    auto first = leavesTo(choice->then, frame, loopsInside), second = leavesTo(choice->otherwise, frame, loopsInside);
    if (first && second)
      return deeper(*first, *second);
  }
  return std::nullopt;
}

Lowering::Cursor Lowering::branch(const Branch &branch, const Statement &statement, Cursor cursor, const Frame &frame) {
  std::string what = nameOf(statement, "branch");
  if (branch.probability < Rational(0) || branch.probability > Rational(1))
    failMalformed(what + ": probability " + branch.probability.toString() + " is not between 0 and 1");
  bool kernel = !callsBack(branch.then) && !callsBack(branch.otherwise);
  if (!kernel && branch.pin == Side::Device)
    failMalformed(what + ": calls back into the function it is in, so it is no region");
  Landmarks marks;
  Target after;
  after.region = marks.region = kernel ? region(frame.region, statement, branch.pin, frame) : frame.region;
  marks.first = control(branch.control, statement, after.region, cursor.frequency, frame);
  connect(cursor, marks.first, at(Place::Before, statement, frame), {});
  const Body *arms[] = {&branch.then, &branch.otherwise};
  const std::vector<Rename> *renamed[] = {&branch.onThen, &branch.onOtherwise};
  Rational shares[] = {cursor.frequency * branch.probability, cursor.frequency * (Rational(1) - branch.probability)};
  for (std::uint8_t i : {0, 1}) {
    Frame within = frame;
    within.region = leavesTo(*arms[i], frame, 0).value_or(after.region);
    Cursor end = body(*arms[i], {marks.first, shares[i], at(Place::ArmStart, statement, frame, i)}, within);
    if (!end.alive())
      continue;
    PointId armEnd = join(after.region, end.frequency, statement.name, frame);
    connect(end, armEnd, at(Place::EndOfBody, statement, frame, i), {});
    after.arrivals.push_back({armEnd, end.frequency, at(Place::OnArmEnd, statement, frame, i)});
    after.renames.push_back(renames(*renamed[i], what, frame));
  }
  cursor = after.arrivals.empty() ? Cursor{} : meet(after, statement, frame);
  marks.last = cursor.from;
  landmarks(statement, frame) = marks;
  return cursor;
}

Result<Lowered> lower(const Problem &problem) {
  return guarded<Lowered>([&]() -> Result<Lowered> {
    Lowered lowered = Lowering(problem).run();
    std::erase_if(lowered.statements, [](const auto &entry) { return entry.first.first == 0; });
    return lowered;
  });
}

} // namespace ferry::placement
