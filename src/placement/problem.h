// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/access.h"

#include <string>
#include <variant>
#include <vector>

/// \file
/// A placement problem as callers build it: a program as a tree of statements over arrays. docs/engine.md says what is
/// decided and what a plan costs; graph.h is the form the engine works on, open to callers with control flow of their
/// own.
namespace ferry::placement {

/// Loops, branches and calls nest at most this deep, all together.
inline constexpr unsigned kMostNesting = 500;

struct Statement;
using Body = std::vector<Statement>;

struct Operation {
  std::vector<Read> reads;
  std::vector<Write> writes;
  Cost cost;
  /// Pure and cheap enough to run once on each side (`zeros`, `iota`, an index table).
  bool both = false;
  /// An allocation with undefined contents: its writes are whole, it may run on both sides, costs nothing and needs no
  /// launch whatever `cost` says.
  bool allocate = false;
  /// Shares one launch with the previous fusible operation of the same straight line when both run on the device. Not
  /// if it may run on both sides, nor if it reads for the host or its launcher, or can fetch, what an earlier one of
  /// the same launch writes.
  bool fusible = false;
  /// Cannot be inside the kernel of a region (allocations of varying size, library calls, callbacks).
  bool noKernel = false;
  std::optional<Side> pin;
};

/// What decides whether a loop goes on or which arm is taken. It runs where its region does.
struct Control {
  std::vector<Read> reads; ///< `Operand::Operation`: the side that the control runs on.
  Time host = 0;
  Time inner = 0;
};

/// A do-while loop: the body runs, then the control is evaluated, and so on; `trips` bodies an entry on the average. It
/// stands behind a guard, which costs and reads what the control does, if `enter` is below 1.
struct Loop {
  Body body;
  Control control;
  Rational trips = 1; ///< At least 1.
  /// Above 0, at most 1: the probability that there is a first trip. A loop that never has one is left out by the
  /// caller: nothing could be said of how often its trips follow each other.
  Rational enter = 1;
  /// A loop of one trip on the average never goes around again, and its plan may count on that, unless it `repeats`.
  bool repeats = false;
  /// The guard and the loop behind it form a region of their own, so that a kernel can hold both (as for `scf.while`).
  /// Otherwise the guard is evaluated where the statements around the loop are.
  bool guardRegion = false;
  /// Loop-carried values. `onEntry` {parameter: initial} before the first trip, `onBack` {parameter: yielded} between
  /// trips, `onExit` {result: yielded} after the last, `onSkip` {result: initial} where the guard skips the loop.
  std::vector<Rename> onEntry, onBack, onExit, onSkip;
  /// Host: the loop cannot become one kernel. Device: it has to.
  std::optional<Side> pin;
  /// Its trips run at the same time on the host. Arrays that live across trips are then on the same sides throughout
  /// the body. Its sequential form is the same loop without this, with the times that it then takes: which is cheaper
  /// is no question for one cut, and a caller who has both asks for both.
  bool parallel = false;
};

struct Branch {
  Control control;
  Rational probability = {1, 2}; ///< Of the first arm. An arm that is never taken costs nothing, but has to be right.
  Body then, otherwise;
  /// Renames where each arm meets the other: {result: yielded}.
  std::vector<Rename> onThen, onOtherwise;
  std::optional<Side> pin;
};

/// The three ways to leave a body early, with the renames on the edge that leaves. An arm whose every path ends in one
/// of them lies outside the regions that it leaves.
struct Return { ///< Leaves the program, or the callee whose body it stands in.
  std::vector<Rename> renames;
};
struct Break { ///< Leaves the innermost loop.
  std::vector<Rename> renames;
};
struct Continue { ///< Goes to the innermost loop's control.
  std::vector<Rename> renames;
};

/// Runs a function of Problem::functions, placed as if inlined here. A callee inside a recursion is inlined once for
/// each call from outside of it.
struct Call {
  std::uint32_t function = kNone;
  /// {parameter: argument} by value, {result: the callee's array}.
  std::vector<Rename> arguments, results;
};

struct Statement {
  std::variant<Operation, Loop, Branch, Return, Break, Continue, Call> what;
  std::string name; ///< For messages and reports.
  Tag tag = 0;      ///< Unique among the statements that have one.
};

struct Function {
  std::string name;
  Body body;
  /// Arrays of its own, parameters included: each inlined copy has fresh ones. Any other array it names is the
  /// program's.
  std::vector<ArrayId> locals;
};

struct Problem {
  std::vector<Array> arrays;
  std::vector<Function> functions;
  Body body;
  Rational runs = 1; ///< How often the body runs; the plan's cost is the sum over the runs.
  /// Most operations and controls after inlining.
  std::uint32_t inlineBudget = 1000000;
};

} // namespace ferry::placement
