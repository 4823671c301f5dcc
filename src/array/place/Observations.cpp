// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "array/place/Observations.h"

#include "array/place/Program.h"

using namespace mlir;

namespace ferry::array {

ObservationSites::ObservationSites(func::FuncOp function) {
  llvm::StringMap<unsigned> seen;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    std::string place = displayLocation(op->getLoc()) + " " + op->getName().getStringRef().str() + " #";
    unsigned number = seen[place]++;
    places[op] = place + std::to_string(number);
  });
}

std::string ObservationSites::name(Operation *op, Aspect aspect, unsigned result, unsigned dimension) const {
  static constexpr const char *names[] = {"entries", "trips", "then", "extent", "parameter"};
  std::string name = places.lookup(op) + " " + names[aspect];
  if (aspect == extent || aspect == parameter)
    name += " " + std::to_string(result) + "." + std::to_string(dimension);
  return name;
}

} // namespace ferry::array
