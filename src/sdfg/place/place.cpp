// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/place.h"

#include "sdfg/place/rebuild.h"
#include "sdfg/place/rewrite.h"

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
};

Result<Decided> decide(Program &program, const ExtractOptions &options) {
  Result<Extracted> extracted = extract(program, options);
  if (!extracted)
    return extracted.error();
  Decided decided{std::move(*extracted), {}, nullptr, {}};
  Result<placement::Plan> plan = placement::solve(decided.extracted.graph, options.machine);
  if (!plan)
    return plan.error();
  decided.plan = std::move(*plan);
  decided.residency = std::make_unique<placement::Residency>(decided.extracted.graph, decided.plan);
  for (const auto &level : decided.extracted.levels) {
    std::optional<Insertions> found = insertionsOf(*level, decided.extracted.graph, decided.plan, *decided.residency);
    if (!found)
      break;
    decided.insertions.push_back(std::move(*found));
  }
  return decided;
}

} // namespace

Result<PlacedProgram> place(Program &program, const ExtractOptions &options) {
  ExtractOptions tried = options;
  Result<Decided> decided = decide(program, tried);
  if (decided && !decided->isWritable()) {
    tried.rotates = false;
    decided = decide(program, tried);
  }
  if (!decided)
    return decided.error();
  if (!decided->isWritable())
    return Error{ErrorKind::Infeasible, "a copy is wanted on a way out of a loop where the graph has no place for one"};
  Extracted &extracted = decided->extracted;
  Twins twins(program, extracted, decided->plan);
  Dialect dialect = program.version.dialect;
  for (auto &level : extracted.levels)
    for (auto &[block, parts] : level->states)
      StateRewriter(*level, *const_cast<Block *>(block)->state(), parts, decided->plan, *decided->residency,
                    extracted.graph, twins, dialect)
          .run();
  // Inner levels first: where a level is written anew, its blocks move.
  for (std::size_t i = extracted.levels.size(); i-- > 0;)
    insertTransfers(*extracted.levels[i], decided->insertions[i], twins, dialect);
  return PlacedProgram{std::move(extracted.graph), std::move(decided->plan)};
}

} // namespace ferry::sdfg
