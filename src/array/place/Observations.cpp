// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "array/place/Observations.h"

#include "array/place/Program.h"

using namespace mlir;

namespace ferry::array {

static constexpr llvm::StringLiteral kName = "array.site";

void nameSites(func::FuncOp function) {
  llvm::StringMap<unsigned> seen;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool givesArray = llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
    if (op == function || !(givesArray || isStructure(op)))
      return;
    std::string place = displayLocation(op->getLoc()) + " " + op->getName().getStringRef().str() + " #";
    unsigned number = seen[place]++;
    op->setAttr(kName, StringAttr::get(op->getContext(), place + std::to_string(number)));
  });
}

void removeSiteNames(Operation *root) {
  root->walk([](Operation *op) { op->removeAttr(kName); });
}

std::string siteName(Operation *op, Aspect aspect, unsigned result, unsigned dimension) {
  static constexpr const char *names[] = {"entries", "trips", "then", "extent", "parameter"};
  auto place = op->getAttrOfType<StringAttr>(kName);
  if (!place)
    return {};
  std::string name = place.str() + " " + names[static_cast<size_t>(aspect)];
  if (aspect == Aspect::extent || aspect == Aspect::parameter)
    name += " " + std::to_string(result) + "." + std::to_string(dimension);
  return name;
}

} // namespace ferry::array
