// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/Locations.h"

using namespace mlir;

namespace ferry::codegen {

Place placeOf(Location location) {
  Place place;
  location->walk([&](Location part) {
    auto line = dyn_cast<FileLineColRange>(part);
    if (!line)
      return WalkResult::advance();
    place = {line.getFilename().str(), static_cast<int32_t>(line.getStartLine()),
             static_cast<int32_t>(line.getStartColumn())};
    return WalkResult::interrupt();
  });
  return place;
}

std::string nameOf(Location location) {
  std::string name;
  location->walk([&](Location part) {
    auto named = dyn_cast<NameLoc>(part);
    if (!named)
      return WalkResult::advance();
    name = named.getName().str();
    return WalkResult::interrupt();
  });
  return name;
}

} // namespace ferry::codegen
