// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names become units: a view reads and writes its part of the array it is a view of, and a whole write of a view that
// does not cover its unit is an update. A callee's locals become fresh arrays.
#include "placement/lowering.h"

#include <algorithm>

namespace ferry::placement {

void Lowering::arrays() {
  const std::vector<Array> &given = problem.arrays;
  owner.assign(given.size(), kNone);
  for (std::uint32_t f = 0; f < problem.functions.size(); ++f)
    for (ArrayId local : problem.functions[f].locals) {
      if (local >= given.size())
        failMalformed("function '" + problem.functions[f].name + "': a local that does not exist");
      if (owner[local] != kNone)
        failMalformed(describe(given[local]) + ": a local of two functions");
      if (given[local].argument || given[local].result)
        failMalformed(describe(given[local]) + ": a local of a function is an argument or a result of the program");
      owner[local] = f;
    }
  for (ArrayId id = 0; id < given.size(); ++id) {
    requireWellFormed(given[id]);
    ArrayId unit = id;
    for (std::size_t steps = 0; given[unit].aliasOf; ++steps) {
      unit = *given[unit].aliasOf;
      if (unit >= given.size() || steps > given.size())
        failMalformed(describe(given[id]) + ": an alias of " +
                      (unit >= given.size() ? "an array that does not exist" : "itself"));
    }
    const Array &view = given[id];
    if (view.aliasOf) {
      if (view.argument || view.result || view.h2d || view.d2h || view.byValue || view.extent)
        failMalformed(describe(view) + ": an alias has no home, price or extent of its own");
      if (*view.aliasOf != unit)
        failMalformed(describe(view) + ": an alias of the alias " + describe(given[*view.aliasOf]));
      if (owner[id] != owner[unit])
        failMalformed(describe(view) + ": an alias of a local of another function");
      requireWellFormed(given, Read{unit, Operand::Operation, std::nullopt, std::nullopt, view.aliasBox},
                        describe(view));
    } else if (view.aliasBox) {
      failMalformed(describe(view) + ": a part of no array");
    }
    units.push_back(unit);
  }
  // Aliases keep their index, as arrays that nothing uses.
  result.graph.arrays = given;
  for (Array &array : result.graph.arrays)
    if (array.aliasOf) {
      Array unused;
      unused.name = array.name;
      array = std::move(unused);
    }
}

ArrayId Lowering::resolve(ArrayId array, const Frame &frame) const {
  ArrayId unit = units[array];
  return frame.names && (*frame.names)[unit] != kNone ? (*frame.names)[unit] : unit;
}

/// A view's own boxes are refused, for want of an extent; its part of the unit stands for all of its uses.
std::optional<Box> Lowering::inUnit(ArrayId array, const std::optional<Box> &box) const {
  return problem.arrays[array].aliasOf ? problem.arrays[array].aliasBox : box;
}

bool Lowering::coversUnit(ArrayId array) const {
  const Array &view = problem.arrays[array];
  return !view.aliasOf || (view.aliasBox && contains(*view.aliasBox, *problem.arrays[units[array]].extent));
}

std::vector<Read> Lowering::reads(const std::vector<Read> &given, const std::string &what, const Frame &frame) const {
  std::vector<Read> out;
  for (const Read &read : given) {
    requireWellFormed(problem.arrays, read, what);
    out.push_back({resolve(read.array, frame), read.operand, read.peek, read.fetch, inUnit(read.array, read.box)});
  }
  return out;
}

std::vector<Write> Lowering::writes(const std::vector<Write> &given, const std::string &what,
                                    const Frame &frame) const {
  std::vector<Write> out;
  for (const Write &write : given) {
    if (write.array < problem.arrays.size() && !coversUnit(write.array)) {
      Write part = write; // an update of the unit, which a poke or push may accompany
      part.whole = false;
      requireWellFormed(problem.arrays, part, what);
    } else {
      requireWellFormed(problem.arrays, write, what);
    }
    bool view = problem.arrays[write.array].aliasOf.has_value();
    Write mine{resolve(write.array, frame), write.whole && coversUnit(write.array), write.poke, write.push,
               std::nullopt};
    if (!view || write.whole)
      mine.box = inUnit(write.array, write.box);
    auto same = std::find_if(out.begin(), out.end(), [&](const Write &other) { return other.array == mine.array; });
    if (same == out.end()) {
      out.push_back(std::move(mine));
      continue;
    }
    if (std::count_if(given.begin(), given.end(), [&](const Write &other) { return other.array == write.array; }) > 1)
      failMalformed(what + ": writes " + describe(problem.arrays[write.array]) + " twice");
    // Two views of one unit: it is written whole if either is, else both parts are updated.
    auto sum = [](const std::optional<Time> &a, const std::optional<Time> &b) -> std::optional<Time> {
      return a && b ? std::optional(static_cast<Time>(std::min<Wide>(addChecked(*a, *b), INT64_MAX))) : std::nullopt;
    };
    same->whole = same->whole || mine.whole;
    same->poke = same->whole ? std::nullopt : sum(same->poke, mine.poke);
    same->push = same->whole ? std::nullopt : sum(same->push, mine.push);
    same->box.reset();
  }
  return out;
}

std::vector<Rename> Lowering::renames(const std::vector<Rename> &given, const std::string &what,
                                      const Frame &frame) const {
  std::vector<Rename> out;
  for (const Rename &rename : given) {
    if (rename.destination >= problem.arrays.size() || rename.source >= problem.arrays.size())
      failMalformed(what + ": renames an array that does not exist");
    for (ArrayId array : {rename.destination, rename.source})
      if (problem.arrays[array].aliasOf)
        failMalformed(what + ": renames the alias " + describe(problem.arrays[array]));
    out.push_back({resolve(rename.destination, frame), resolve(rename.source, frame)});
  }
  requireRename(result.graph.arrays, out, what);
  return out;
}

} // namespace ferry::placement
