// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/place/crossing.h"
#include "sdfg/place/extract.h"

#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// \file
/// How extract works, for its own files: levels and their control flow (extract.cpp), states (extract_states.cpp).
namespace ferry::sdfg {

class Extractor {
public:
  Extractor(Program &program, const ExtractOptions &options) : program(program), options(options) {}
  placement::Result<Extracted> run();

private:
  using ArrayId = placement::ArrayId;
  template <typename T> using Result = placement::Result<T>;

  struct Ends {
    placement::PointId entry = kNone, exit = kNone;
  };

  placement::Graph &graph() { return result.graph; }

  // ---- Levels and arrays

  Result<Level *> level(Sdfg &sdfg, Level *outer, const Block *outerBlock, NodeId outerNode, Sizes sizes);
  /// A container of a nested SDFG with a connector stands for what that is connected to.
  void bind(Level &inner);
  static bool isWhole(const Memlet &memlet, const Container &container);
  ArrayId add(placement::Array array, std::pair<Level *, std::string> owner, ArrayId origin);
  ArrayId array(Level &owner, const Container &container);

  // ---- Control flow

  placement::PointId point(placement::PointKind kind, const Rational &frequency, const std::string &name);
  placement::EdgeId connect(placement::PointId from, placement::PointId to, const Rational &frequency,
                            const std::string &name);
  Result<Ends> control(Level &level, const Rational &runs);
  static bool namesContainers(const Level &level, const FlowEdge &edge);
  /// What the host has to read to choose among flow edges, or to go one, and for their assignments.
  void readNames(Level &level, std::span<const FlowEdgeId> edges, placement::PointId point);
  /// The arrays that names are of, each once, with the container if no other name is of the same memory.
  static std::vector<std::pair<ArrayId, const Container *>> alone(const Level &level,
                                                                  const std::set<std::string> &names);
  /// Each array once for each kind of operand. The reference is good until the next read.
  placement::Read &addRead(placement::PointId point, ArrayId array, placement::Operand operand);
  /// Each array once, as addRead.
  placement::Write &addWrite(placement::PointId point, ArrayId array);

  // ---- States

  /// Gives the state's last point.
  Result<placement::PointId> state(Level &level, const Block &block, placement::PointId entry,
                                   const Rational &frequency, LoopId loop);
  bool isLevel(const Block &block, const Operation &operation) const;
  Result<Ends> nested(Level &outer, const Block &block, std::size_t operation, const Rational &frequency,
                      const Sizes &sizes);
  void addUses(const Level &level, const Operation &operation, placement::PointId id, placement::PointId target,
               const Sizes &sizes);
  Result<Ends> place(Level &level, const Block &block, std::size_t index, const Rational &frequency,
                     const Sizes &sizes);
  /// A copy's source and its target as points of their own, with an array for what is carried from one to the other.
  Ends placeCopy(Level &level, const Block &block, std::size_t index, const Crossing &crossing,
                 const Rational &frequency, const Sizes &sizes);
  /// With its launch.
  void setCost(placement::PointId id, placement::Time host, placement::Time device);
  placement::PointId place(const Level &level, const Block &block, const Operation &operation,
                           const Rational &frequency, const Sizes &sizes);
  /// Pins of what no operation is called.
  void noteUnknownPins();
  void note(const std::string &label, placement::Side side, const std::string &why);
  /// What is to stay on the host and is in a kernel already.
  void noteKernels(const Level::StateParts &parts, const State &state, const Operation &operation);
  static std::string labelOf(const Operation &operation) { return operation.name.substr(0, operation.name.find('[')); }
  /// Of one run of a host map all kernels in it, with their launches.
  placement::Time launchTime(const Sdfg &sdfg, const State &state, const Dataflow &dataflow, NodeId entry,
                             const Sizes &sizes);

  Program &program;
  const ExtractOptions &options;
  Extracted result;
};

} // namespace ferry::sdfg
