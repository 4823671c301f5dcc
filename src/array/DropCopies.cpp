// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As values, an array and its copy are the same, and array-copy-consumed makes the copies that updates in place need.
// So a copy may always be dropped; it pays if no other one becomes necessary for that.
//
// Copies of views stay: they are there to lay out elements anew, and let the rest of the memory go.

#include "array/Passes.h"
#include "array/Sharing.h"
#include "array/Soac.h"

using namespace mlir;

namespace ferry::array {

#define GEN_PASS_DEF_DROPCOPIES
#include "array/Passes.h.inc"

namespace {

bool isView(Value array) {
  if (auto argument = dyn_cast<BlockArgument>(array))
    return isSoac(argument.getOwner()->getParentOp()); // a row
  return viewedArray(array) != array;
}

class DropCopies : public impl::DropCopiesBase<DropCopies> {
  void runOnOperation() override {
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && function.getBody().hasOneBlock())
        dropCopies(function);
  }

  void dropCopies(func::FuncOp function) {
    SmallVector<CopyOp> found;
    function.walk([&](CopyOp copy) {
      if (!isView(copy.getArray()))
        found.push_back(copy);
    });
    if (found.empty())
      return;
    int64_t needs = copiesNeeded(function);
    for (CopyOp copy : found)
      dropCopy(copy, needs);
  }

  // If it can go. `needs` is how many copies the function needs, before and after.
  static void dropCopy(CopyOp copy, int64_t &needs) {
    Value array = copy.getArray();
    SmallVector<OpOperand *> uses = llvm::map_to_vector(copy->getUses(), [](OpOperand &use) { return &use; });
    for (OpOperand *use : uses)
      use->set(array);
    int64_t without = copiesNeeded(copy->getParentOfType<func::FuncOp>());
    if (without > needs) {
      for (OpOperand *use : uses)
        use->set(copy);
      return;
    }
    needs = without;
    // The name that users know it by.
    if (Operation *maker = array.getDefiningOp();
        maker && maker->getNumResults() == 1 && isa<NameLoc>(copy.getLoc()) && !isa<NameLoc>(maker->getLoc()))
      maker->setLoc(copy.getLoc());
    copy.erase();
  }
};

} // namespace
} // namespace ferry::array
