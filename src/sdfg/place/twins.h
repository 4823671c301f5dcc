// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/names.h"
#include "sdfg/place/extract.h"

#include <map>
#include <set>
#include <string>

namespace ferry::sdfg {

/// The device's copies of containers. A transient that only the device uses moves there itself; any other that the
/// device uses gets a twin beside it, at every level that it is used at. A view's twin views the twin.
class Twins {
public:
  /// Adds them to the program's SDFGs, and to nested SDFGs the connectors by which they enter.
  Twins(Program &program, Extracted &extracted, const placement::Plan &plan);

  /// What a container of a level is called on the device: itself if it has moved or needs no twin. Made when it is
  /// first asked for, if the container is a view.
  std::string onDevice(Level &level, const std::string &container);
  /// Makes sure that a level's container, if it is that of a level outside, also leaves the nested SDFG: the level
  /// writes it.
  void leave(Level &level, const std::string &container);
  bool isUsed(const Level &level, placement::ArrayId array) const {
    auto found = uses.find(&level);
    return found != uses.end() && found->second.contains(array);
  }
  Names &names() { return fresh; }

private:
  /// Of the device's copy, by the device or a transfer.
  struct Access {
    bool reads = false, writes = false;
  };

  void findUses(const placement::Plan &plan);
  void use(Level *level, placement::ArrayId array, Access access);
  void makeTwins(Level &level);
  void makeTwin(Level &level, const std::string &unit, placement::ArrayId array);
  void enter(Level &inner, const std::string &unit, const std::string &twin, Access access);
  NodeId addAccess(Level &level, State &state, NodeId original, bool device, bool isRead);
  static void placeOnDevice(Container &container);

  Extracted &extracted;
  Names fresh;
  std::set<placement::ArrayId> moved; ///< Only the device has them.
  std::map<const Level *, std::map<placement::ArrayId, Access>> uses;
  std::map<std::pair<const Level *, std::string>, std::string> twins; ///< By level and container.
};

} // namespace ferry::sdfg
