// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/device_boxes.h"

#include "sdfg/place/footprint.h"
#include "sdfg/place/peeks.h"

#include <algorithm>

namespace ferry::sdfg {

using placement::ArrayId;
using placement::Side;

namespace {

class Narrower {
public:
  Narrower(Extracted &extracted, const placement::Machine &machine)
      : extracted(extracted), machine(machine), names(extracted.graph.arrays.size()) {
    for (const auto &level : extracted.levels) {
      for (const auto &[unit, array] : level->arrays)
        ++names[array];
      for (const auto &[array, part] : level->parts)
        ++names[array];
    }
  }

  placement::Result<void> run() {
    for (const auto &level : extracted.levels)
      for (const auto &[unit, box] : boxesOf(*level))
        if (box) {
          auto narrowed = priced(unit, [&]() -> placement::Result<void> {
            narrow(*level, unit, *box);
            return {};
          });
          if (!narrowed)
            return narrowed;
        }
    return {};
  }

private:
  /// By unit that a level reads on the device: the box around; absent where there is none.
  std::map<std::string, std::optional<Subset>> boxesOf(const Level &level) const {
    std::map<std::string, std::optional<Subset>> result;
    std::set<std::string> changing;
    for (const FlowEdge &edge : level.flow->edges)
      for (const Assignment &each : edge.assignments)
        changing.insert(each.symbol);
    for (const auto &[block, parts] : level.states)
      for (std::size_t i = 0; i < parts.operations.size(); ++i)
        for (const Use &use : parts.operations[i].uses) {
          if (!use.reads && !use.writes)
            continue; // an extent: the host's
          placement::PointId point = parts.pointOf(i, use);
          if (point != kNone && extracted.graph.points[point].pin == Side::Host)
            continue;
          std::optional<Subset> part = use.writes || point == kNone ? std::nullopt : use.readPart;
          if (part &&
              std::ranges::any_of(freeSymbols(*part), [&](const auto &name) { return changing.contains(name); }))
            part.reset();
          add(result, *level.sdfg, use.unit, std::move(part));
        }
    return result;
  }

  static void add(std::map<std::string, std::optional<Subset>> &to, const Sdfg &sdfg, const std::string &unit,
                  std::optional<Subset> part) {
    auto [found, isNew] = to.try_emplace(unit, part);
    if (isNew || !found->second)
      return;
    found->second = part ? std::optional(hull(*found->second, *part, sizesOf(*sdfg.find(unit)))) : std::nullopt;
  }

  void narrow(Level &level, const std::string &unit, const Subset &read) {
    ArrayId array = level.arrays.at(unit);
    const Container &container = *level.sdfg->find(unit);
    placement::Array &made = extracted.graph.arrays[array];
    // What some other name stands for too is read by that as well.
    bool isOnly = extracted.owners[array] == std::pair(&level, unit) && names[array] == 1;
    if (!isOnly || made.byValue || made.home == Side::Device || read.dims.size() != container.shape.size())
      return;
    Subset box = inside(read, container, sizesOf(container)); // a copy may run although none of the reads does
    if (!isPart(box, container))
      return;
    std::int64_t bytes = saturatingProduct(level.sizes->in(kNone).elements(box), container.elementBytes.value_or(8));
    made.h2d = machine.copy(placement::Direction::HostToDevice, bytes);
    made.d2h = kForbidden; // the twin is never up to date in all of it
    made.name += toString(box);
    extracted.deviceBoxes.emplace(array, std::move(box));
  }

  Extracted &extracted;
  const placement::Machine &machine;
  std::vector<unsigned> names; ///< By array: how many units and parts in all levels are of it.
};

} // namespace

placement::Result<void> narrowCopies(Extracted &extracted, const placement::Machine &machine) {
  return Narrower(extracted, machine).run();
}

} // namespace ferry::sdfg
