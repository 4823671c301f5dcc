// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop becomes
//
//     guard ─► landing pad ─► head ─► body ─► control ─► behind
//       │                      ▲                 │          ▲
//       │                      └─────────────────┘          │
//       └───────────────────────────────────────────────────┘
//
// The landing pad runs as often as the loop is entered, so what is hoisted to it is never done in vain. An edge with
// renames has a point before it for what is copied under the old names.
#include "placement/lowering.h"

namespace ferry::placement {

void Lowering::checkLoop(const Loop &loop, const std::string &what, bool isRegion) const {
  if (loop.trips < Rational(1))
    failMalformed(what + ": " + loop.trips.toString() + " trips; once entered it makes at least one");
  if (loop.enter <= Rational(0) || loop.enter > Rational(1))
    failMalformed(what + ": entered with probability " + loop.enter.toString());
  if (loop.parallel && !loop.onBack.empty())
    failMalformed(what + ": a parallel loop carries values from trip to trip");
  if (!isRegion && (loop.pin == Side::Device || loop.parallel))
    failMalformed(what + ": calls back into the function it is in, so it is no region");
}

Lowering::Cursor Lowering::guard(const Loop &loop, const Statement &statement, Cursor cursor, Target &after,
                                 const Frame &frame) {
  PointId guard = control(loop.control, statement, after.region, cursor.frequency, frame);
  connect(cursor, guard, at(Place::Before, statement, frame), {});
  Rational skipped = cursor.frequency * (Rational(1) - loop.enter);
  std::vector<Rename> names = renames(loop.onSkip, nameOf(statement, "loop"), frame);
  Cursor around = beforeRenames({guard, skipped, at(Place::GuardSkip, statement, frame)}, after.region, names, frame);
  if (!names.empty())
    around.position = at(Place::OnSkip, statement, frame);
  after.arrivals.push_back(around);
  after.renames.push_back(std::move(names));
  return {guard, cursor.frequency * loop.enter, at(Place::LoopEntry, statement, frame)};
}

Lowering::Cursor Lowering::trip(const Loop &loop, const Statement &statement, PointId head, const Rational &trips,
                                Target &after, const Frame &within) {
  Target continues;
  continues.region = within.region;
  Frame inside = within;
  inside.breaks = &after;
  inside.continues = &continues;
  Cursor end = body(loop.body, {head, trips, std::nullopt}, inside);
  if (!continues.arrivals.empty()) {
    if (end.alive()) {
      end.position = end.position.value_or(at(Place::EndOfBody, statement, within));
      continues.arrivals.push_back(end);
      continues.renames.push_back({});
    }
    end = meet(continues, statement, inside);
    end.position = at(Place::BeforeControl, statement, within);
  }
  if (!end.alive())
    failMalformed(nameOf(statement, "loop") + ": its body never gets to its end");
  return end;
}

void Lowering::closeLoop(const Loop &loop, const Statement &statement, const Landmarks &marks, const Rational &entered,
                         const Rational &atEnd, Target &after, const Frame &within) {
  std::string what = nameOf(statement, "loop");
  Rational trips = entered * loop.trips, back = trips - entered, out = atEnd - back;
  if (out < Rational(0))
    failMalformed(what + ": " + loop.trips.toString() + " trips, but it is left early " +
                  ((trips - atEnd) / entered).toString() + " times an entry");
  if (loop.trips != Rational(1) || loop.repeats) {
    std::vector<Rename> names = renames(loop.onBack, what, within);
    Cursor around =
        beforeRenames({marks.latch, back, at(Place::BackEdge, statement, within)}, within.region, names, within);
    connect(around, marks.head, at(Place::OnBack, statement, within), names);
  }
  if (out != Rational(0) || entered == Rational(0)) {
    std::vector<Rename> names = renames(loop.onExit, what, within);
    Cursor done =
        beforeRenames({marks.latch, out, at(Place::LoopExit, statement, within)}, after.region, names, within);
    if (!names.empty())
      done.position = at(Place::OnExit, statement, within);
    after.arrivals.push_back(done);
    after.renames.push_back(std::move(names));
  }
}

Lowering::Cursor Lowering::loop(const Loop &loop, const Statement &statement, Cursor cursor, const Frame &frame) {
  std::string what = nameOf(statement, "loop");
  bool isRegion = !callsBack(loop.body), isGuarded = loop.enter != Rational(1);
  checkLoop(loop, what, isRegion);
  Target after;
  after.region =
      isGuarded && loop.guardRegion && isRegion ? region(frame.region, statement, std::nullopt, frame) : frame.region;
  Landmarks marks;
  if (isGuarded) {
    cursor = guard(loop, statement, cursor, after, frame);
    marks.first = cursor.from;
  }
  PointId pad = join(after.region, cursor.frequency, statement.name, frame);
  connect(cursor, pad, at(Place::Before, statement, frame), {});
  if (!isGuarded)
    marks.first = pad;
  Rational entered = cursor.frequency, trips = entered * loop.trips;
  Frame within = frame;
  within.region = isRegion ? region(after.region, statement, loop.pin, frame) : after.region;
  if (isRegion)
    result.graph.regions[within.region].parallel = loop.parallel;
  marks.region = within.region;
  marks.head = join(within.region, trips, statement.name, frame);
  connect({pad, entered, std::nullopt}, marks.head, at(Place::OnEntry, statement, frame),
          renames(loop.onEntry, what, frame));
  Cursor end = trip(loop, statement, marks.head, trips, after, within);
  marks.latch = control(loop.control, statement, within.region, end.frequency, frame);
  connect(end, marks.latch, at(Place::EndOfBody, statement, frame), {});
  closeLoop(loop, statement, marks, entered, end.frequency, after, within);
  cursor = after.arrivals.empty() ? Cursor{} : meet(after, statement, frame);
  marks.last = cursor.from;
  landmarks(statement, frame) = marks;
  return cursor;
}

} // namespace ferry::placement
