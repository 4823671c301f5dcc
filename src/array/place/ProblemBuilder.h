// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine's problem for a program: one array a unit, one statement a step, prices from a machine profile.

#pragma once

#include "array/place/Program.h"
#include "placement/machine.h"
#include "placement/problem.h"

namespace ferry::array {

/// What a plan must do besides being cheap.
enum class Strategy : uint8_t {
  automatic,      ///< The cheapest.
  allHost,        ///< Everything on the host.
  allDevice,      ///< Every operation on the device that may run there.
  arraysOnDevice, ///< Arrays on the device only, SOACs as kernels, scalar code on the host reading and writing
                  ///< elements.
  soacsOnDevice,  ///< SOACs on the device, the rest free.
};

/// A side for what has a name: a let-bound value, a marked function, or, as explanations call it, `map at 10:6`.
struct NamedPin {
  std::string name;
  Side side = Side::host;
};

struct ProblemOptions {
  placement::Machine machine;
  Strategy strategy = Strategy::automatic;
  std::vector<NamedPin> pins;
};

/// What an execution of a step asks for, on the host, as a kernel of its own, inside a kernel.
struct StepWork {
  PlacementWork work;
  placement::Cost cost;
};

class ProblemBuilder {
public:
  ProblemBuilder(const Program &program, SizeEvaluator &sizes, const ProblemOptions &options)
      : program(program), sizes(sizes), options(options) {}

  placement::Problem build();
  /// From now on the step is no part of the problem: what it makes is never used.
  void leaveOut(Tag tag) { leftOut.insert(tag); }
  /// Whether an operation that stays uses what a step makes, if only to write into it: a scatter of two arrays of which
  /// one is wanted has both. What loops and branches hand on they need not.
  bool isUsed(mlir::Value made, const Step &step) const;
  bool isLeftOut(Tag tag) const { return leftOut.contains(tag); }
  StepWork work(const Step &step);
  SizeEvaluator &sizeEvaluator() const { return sizes; }
  /// Whether the trip counts and conditions that a run comes by were known.
  bool knowsFrequencies() const { return frequenciesKnown; }
  /// Operations pinned to the device that only run on the host.
  llvm::ArrayRef<mlir::Operation *> impossible() const { return impossiblePins; }
  /// What is wrong with a named pin that pins nothing: a message each.
  std::vector<std::string> unusedPins() const;

private:
  PlacementWork work(mlir::Operation *op);
  placement::Time time(placement::Side side, const placement::Work &work) const;
  void declareUnits(placement::Problem &problem);
  placement::Body body(mlir::Block *block, const placement::Rational &frequency);
  void append(placement::Body &into, const Step &step);
  placement::Statement piece(const Step &step);
  placement::Statement loop(const Step &step);
  placement::Statement branch(const Step &step);
  void describe(placement::Operation &operation, mlir::Operation *op, const Step &step);
  void read(std::vector<placement::Read> &reads, mlir::Value value, placement::Operand operand,
            std::optional<placement::Time> peek = std::nullopt);
  void write(placement::Operation &operation, Unit unit, bool whole, std::optional<placement::Time> poke);
  std::optional<Pin> markOf(mlir::Operation *op) const;
  std::optional<placement::Side> namedPin(const Step &step);
  std::optional<placement::Side> pinOf(const Step &step);
  void notePinnable(const Step &step);
  placement::Rational probability(mlir::scf::IfOp branch);
  std::optional<placement::Rational> counted(mlir::Operation *structure);

  const Program &program;
  SizeEvaluator &sizes;
  const ProblemOptions &options;
  llvm::DenseSet<Tag> leftOut;
  llvm::DenseMap<mlir::Operation *, std::optional<placement::Rational>> counts; ///< Counting.h, for every `build`.
  enum class PinUse : uint8_t { unknown, named, pinned };
  std::vector<PinUse> pinUses; ///< By named pin: whether something has the name, and a side that can be chosen.
  std::vector<std::string> pinnable;
  llvm::SmallVector<mlir::Operation *> impossiblePins;
  bool frequenciesKnown = true;
  bool comesBy = true; ///< A run comes by where the problem is being built.
  double often = 1;    ///< About so often, if the loops around are reached at all.
};

} // namespace ferry::array
