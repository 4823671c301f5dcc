// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/failure.h"
#include "placement/lower.h"

#include <optional>
#include <vector>

namespace ferry::placement {

/// Internal: how messages call a statement of a kind: "loop 'i'".
std::string nameOf(const Statement &statement, const char *kind);

/// Internal: turns a problem's tree into its graph, one statement at a time.
class Lowering {
public:
  explicit Lowering(const Problem &problem) : problem(problem) {}
  Lowered run();

private:
  /// An edge that has left `from` and not arrived yet.
  struct Cursor {
    PointId from = kNone; ///< kNone: nothing gets here.
    Rational frequency = 0;
    std::optional<Position> position; ///< Of the edge; absent: the place it leads to names it.
    bool alive() const { return from != kNone; }
  };

  /// Where the paths that leave a body go. The point they meet in is made when there are any.
  struct Target {
    RegionId region = kNone;
    bool exists = false;
    std::vector<Cursor> arrivals;
    std::vector<std::vector<Rename>> renames;
  };

  /// What surrounds the statements being lowered.
  struct Frame {
    RegionId region = kNone;
    std::uint32_t call = kNone;
    const std::vector<ArrayId> *names = nullptr; ///< Of the callee's locals, by array; null in the program's body.
    Target *returns = nullptr;                   ///< Null: a return ends the program.
    Target *breaks = nullptr;
    Target *continues = nullptr;
  };

  /// A recursive function's one copy.
  struct Shared {
    PointId entry = kNone;
    PointId exit = kNone;
    std::vector<ArrayId> names;
    std::vector<Rename> parameters; ///< {parameter: what calls pass it in}, in the graph's names.
  };

  /// lower.cpp
  Cursor body(const Body &statements, Cursor cursor, const Frame &frame);
  Cursor statement(const Statement &statement, Cursor cursor, const Frame &frame);
  Cursor operation(const Operation &operation, const Statement &statement, Cursor cursor, const Frame &frame);
  Cursor branch(const Branch &branch, const Statement &statement, Cursor cursor, const Frame &frame);
  Cursor arm(const Body &statements, Cursor cursor, RegionId region, const std::string &name, const Frame &frame);
  Cursor leave(const std::vector<Rename> &renames, Target *target, const Statement &statement, Cursor cursor,
               const Frame &frame);
  /// The innermost region that a body which never completes leads to; absent if it may complete.
  std::optional<RegionId> leavesTo(const Body &statements, const Frame &frame, unsigned loopsInside) const;
  PointId control(const Control &control, const Statement &statement, RegionId region, const Rational &frequency,
                  const Frame &frame);
  PointId join(RegionId region, const Rational &frequency, const std::string &name, const Frame &frame);
  RegionId region(RegionId parent, const Statement &statement, std::optional<Side> pin, const Frame &frame);
  void connect(const Cursor &cursor, PointId to, const Position &position, const std::vector<Rename> &renames);
  /// Goes on from `point` by an edge at `position` into a join, from which the next edge carries the renames.
  Cursor beforeRenames(Cursor cursor, RegionId region, const std::vector<Rename> &renames, const Frame &frame);
  Cursor meet(Target &target, const Statement &statement, const Frame &frame);
  Landmarks &landmarks(const Statement &statement, const Frame &frame);
  Position at(Place place, const Statement &statement, const Frame &frame, std::uint8_t arm = 0) const;
  RegionId deeper(RegionId a, RegionId b) const { return depth(a) >= depth(b) ? a : b; }
  unsigned depth(RegionId region) const;

  /// lower_loop.cpp
  Cursor loop(const Loop &loop, const Statement &statement, Cursor cursor, const Frame &frame);
  void checkLoop(const Loop &loop, const std::string &what, bool isRegion) const;
  Cursor guard(const Loop &loop, const Statement &statement, Cursor cursor, Target &after, const Frame &frame);
  Cursor trip(const Loop &loop, const Statement &statement, PointId head, const Rational &trips, Target &after,
              const Frame &within);
  void closeLoop(const Loop &loop, const Statement &statement, const Landmarks &marks, const Rational &entered,
                 const Rational &atEnd, Target &after, const Frame &within);

  /// lower_arrays.cpp
  void arrays();
  std::vector<Read> reads(const std::vector<Read> &reads, const std::string &what, const Frame &frame) const;
  std::vector<Write> writes(const std::vector<Write> &writes, const std::string &what, const Frame &frame) const;
  std::vector<Rename> renames(const std::vector<Rename> &renames, const std::string &what, const Frame &frame) const;
  ArrayId resolve(ArrayId array, const Frame &frame) const;
  std::optional<Box> inUnit(ArrayId array, const std::optional<Box> &box) const;
  bool coversUnit(ArrayId array) const;

  /// lower_calls.cpp
  Cursor call(const Call &call, const Statement &statement, Cursor cursor, const Frame &frame);
  Cursor inlined(const Call &call, const Statement &statement, Cursor cursor, const Frame &frame);
  std::vector<Rename> across(const std::vector<Rename> &names, const Frame &destinations, const Frame &sources,
                             const std::string &what);
  std::vector<ArrayId> freshNames(std::uint32_t function);
  Frame calleeFrame(const Frame &frame, Tag tag, const std::vector<ArrayId> &names, Target &returns);
  void findRecursion();
  bool callsBack(const Body &statements) const;

  /// lower_recursion.cpp
  Cursor enterRecursion(const Call &call, const Statement &statement, Cursor cursor, const Frame &frame);
  Cursor stepRecursion(const Call &call, const Statement &statement, Cursor cursor, const Frame &frame);
  std::vector<Rational> recursionFrequencies(std::uint32_t first, const Rational &frequency,
                                             const std::vector<std::uint32_t> &members);
  std::vector<Rename> argumentsOf(const Call &call, const Frame &frame, const std::string &what);
  void sharedBody(std::uint32_t function, const Rational &frequency, const Frame &frame);
  PointId bind(const std::vector<Rename> &names, const Rational &frequency, const std::string &name,
               const Frame &frame);
  ArrayId temporary(ArrayId like, const std::string &suffix);
  bool bindWeak(const std::vector<bool> &weak);
  void weaken(std::size_t firstLocal, const std::vector<EdgeId> &returns);

  const Problem &problem;
  Lowered result;
  std::vector<unsigned> depths;                 ///< Of regions.
  std::vector<ArrayId> units;                   ///< By problem array: the array it stands for.
  std::vector<std::uint32_t> owner;             ///< By problem array: the function whose local it is.
  std::vector<std::uint32_t> component;         ///< By function: its strongly connected component of the call graph.
  std::vector<bool> cyclic;                     ///< By component: whether its functions are recursive.
  std::vector<std::vector<ArrayId>> parameters; ///< By function: the destinations of its calls' arguments.
  /// While a recursive component is lowered: its number, its functions' copies, and the edges that return inside of it.
  std::uint32_t active = kNone;
  std::vector<Shared> shared;
  std::vector<EdgeId> innerReturns;
  /// While frequencies are measured: how often each function of the component is called. Else empty.
  std::vector<Rational> measured;
  std::size_t bodies = 0; ///< Operations, controls and calls so far.
  unsigned nesting = 0;   ///< Bodies under way.
};

} // namespace ferry::placement
