// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/place.h"

#include "sdfg/flatten.h"
#include "sdfg/place/assumptions.h"
#include "sdfg/place/nest.h"
#include "sdfg/place/persistent_kernels.h"
#include "sdfg/place/rebuild.h"
#include "sdfg/place/rewrite.h"
#include "sdfg/place/waits.h"

#include <algorithm>
#include <memory>

namespace ferry::sdfg {

using placement::Error;
using placement::ErrorKind;
using placement::Result;

namespace {

struct Decided {
  Extracted extracted;
  placement::Plan plan;
  std::unique_ptr<placement::Residency> residency;
  std::vector<Insertions> insertions; ///< By level; fewer if there is no place for a copy.
  bool isWritable() const { return insertions.size() == extracted.levels.size(); }
  bool usesDevice() const {
    const auto &points = extracted.graph.points;
    for (std::size_t i = 0; i < points.size(); ++i)
      if (points[i].kind == placement::PointKind::Operation && plan.sides[i] != placement::Sides::Host)
        return true;
    return false;
  }
};

/// An error of the problem's numbers with what helps against it.
Error withWayOut(Error error) {
  if (error.kind == ErrorKind::Overflow && error.message.find("assume") == std::string::npos)
    error.message += "; assume smaller sizes";
  return error;
}

Result<Decided> decide(Program &program, const ExtractOptions &options) {
  Result<Extracted> extracted = extract(program, options);
  if (!extracted)
    return extracted.error();
  Decided decided{std::move(*extracted), {}, nullptr, {}};
  Result<placement::Plan> plan = placement::solve(decided.extracted.graph, options.machine);
  if (!plan)
    return withWayOut(plan.error());
  decided.plan = std::move(*plan);
  decided.residency = std::make_unique<placement::Residency>(decided.extracted.graph, decided.plan);
  for (const auto &level : decided.extracted.levels) {
    std::optional<Insertions> found = insertionsOf(decided.extracted, *level, decided.plan);
    if (!found)
      break;
    decided.insertions.push_back(std::move(*found));
  }
  return decided;
}

} // namespace

/// Nested SDFGs that copy what they have only a part of stay on the host. One more solve for each round that finds
/// some, so at the most as many as there are nested SDFGs.
static Result<Decided> decideLevels(Program &program, ExtractOptions options) {
  for (;;) {
    Result<Decided> decided = decide(program, options);
    if (!decided && decided.error().kind == ErrorKind::Overflow && options.rarity == Rarity::Fine) {
      options.rarity = Rarity::Coarse;
      continue;
    }
    if (!decided)
      return decided;
    std::size_t before = options.whole.size();
    for (const placement::Copy &copy : decided->plan.copies)
      if (auto found = decided->extracted.partOf.find(copy.array); found != decided->extracted.partOf.end())
        options.whole.insert(found->second);
    if (options.whole.size() == before)
      return decided;
  }
}

/// Regions become states and edges where the copies have no place otherwise, and where DaCe could not generate code.
static Result<Decided> decideFlat(Program &program, const ExtractOptions &options) {
  Result<Decided> decided = decideLevels(program, options);
  bool onlyStates = program.version.text.starts_with("1.");
  if (!decided || !hasRegions(program) || (decided->isWritable() && !(onlyStates && decided->usesDevice())))
    return decided;
  flatten(program);
  return decideLevels(program, options);
}

/// What runs more than once on the device as a launch of a single thread.
static std::vector<placement::PointId> singleThreadsOf(const Extracted &extracted, const placement::Plan &plan) {
  std::vector<placement::PointId> result;
  for (const auto &level : extracted.levels)
    for (const auto &[block, parts] : level->states)
      for (std::size_t i = 0; i < parts.operations.size(); ++i) {
        placement::PointId id = parts.points[i];
        if (id != kNone && plan.sides[id] == placement::Sides::Device && parts.operations[i].work.isSingleThread() &&
            extracted.graph.points[id].frequency > Rational(1) && !plan.inKernel(extracted.graph.points[id].region))
          result.push_back(id);
      }
  std::sort(result.begin(), result.end());
  return result;
}

static std::map<placement::PointId, placement::PointId> copyTargetsOf(const Extracted &extracted) {
  std::map<placement::PointId, placement::PointId> result;
  for (const auto &level : extracted.levels)
    for (const auto &[block, parts] : level->states)
      for (std::size_t i = 0; i < parts.operations.size(); ++i)
        if (parts.targets[i] != kNone)
          result.emplace(parts.points[i], parts.targets[i]);
  return result;
}

Result<PlacedProgram> place(Program &program, const ExtractOptions &options) {
  std::vector<std::string> notes = unknownAssumptions(program, options.assume);
  Result<Decided> decided = decideFlat(program, options);
  if (!decided)
    return decided.error();
  program.root.dropAttribute("hash");
  Extracted &extracted = decided->extracted;
  std::string guessed = guesses(program, extracted.guessed);
  notes.insert(notes.end(), extracted.notes.begin(), extracted.notes.end());
  std::vector<placement::PointId> singleThreads = singleThreadsOf(extracted, decided->plan);
  std::map<placement::PointId, placement::PointId> copyTargets = copyTargetsOf(extracted);
  Twins twins(program, extracted, decided->plan);
  Dialect dialect = program.version.dialect;
  // In the program's order, not in that of addresses: names are given.
  for (auto &level : extracted.levels)
    forEachBlock(level->sdfg->graph, [&](Block &block) {
      if (auto found = level->states.find(&block); found != level->states.end())
        StateRewriter(*level, *block.state(), found->second, decided->plan, *decided->residency, extracted, twins,
                      dialect)
            .run();
    });
  // Inner levels first: where a level is written anew, its blocks move.
  for (std::size_t i = extracted.levels.size(); i-- > 0;) {
    Level &level = *extracted.levels[i];
    std::vector<KernelLoop> kernels = kernelLoopsOf(level, extracted.graph, decided->plan);
    splitStates(level, extracted.graph, decided->plan, decided->insertions[i]);
    if (Result<void> done = insertTransfers(level, decided->insertions[i], twins, dialect); !done)
      return done.error();
    nestKernelLoops(level, kernels, twins.names(), dialect);
    awaitCopies(*level.sdfg, twins.names());
  }
  if (!extracted.onHost.empty())
    nestLaunches(program.root, twins.names(), dialect);
  return PlacedProgram{std::move(extracted.graph), std::move(decided->plan), std::move(notes),
                       std::move(guessed),         std::move(singleThreads), std::move(copyTargets)};
}

} // namespace ferry::sdfg
