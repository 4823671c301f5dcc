// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "array/place/BodyWork.h"

#include "array/place/WholeNumbers.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <algorithm>

using namespace mlir;

namespace ferry::array {

namespace {

int64_t weight(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() || op->hasTrait<OpTrait::IsTerminator>() || isa<DimOp>(op))
    return 0;
  if (isa_and_nonnull<math::MathDialect>(op->getDialect()))
    return 8;
  if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::RemFOp,
          arith::FloorDivSIOp>(op))
    return 4;
  return 1;
}

void add(BodyWork &to, const BodyWork &work, int64_t times) {
  to.operations = saturatingSum(to.operations, saturatingProduct(work.operations, times));
  to.loads = saturatingSum(to.loads, saturatingProduct(work.loads, times));
  to.loadedBytes = saturatingSum(to.loadedBytes, saturatingProduct(work.loadedBytes, times));
  to.stores = saturatingSum(to.stores, saturatingProduct(work.stores, times));
}

} // namespace

BodyWork bodyWork(Region &region, SizeEvaluator &sizes) {
  BodyWork total;
  for (Operation &op : region.getOps()) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      add(total, bodyWork(loop.getRegion(), sizes), sizes.trips(loop).value);
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      add(total, bodyWork(loop.getBefore(), sizes), Assumed::trips);
      add(total, bodyWork(loop.getAfter(), sizes), Assumed::trips);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      BodyWork a = bodyWork(branch.getThenRegion(), sizes), b = bodyWork(branch.getElseRegion(), sizes);
      auto longer = [](int64_t x, int64_t y) { return std::max(x, y); };
      add(total,
          {longer(a.operations, b.operations), longer(a.loads, b.loads), longer(a.loadedBytes, b.loadedBytes),
           longer(a.stores, b.stores)},
          1);
    } else if (isSoac(&op)) {
      PlacementWork inner = cast<PlaceableOpInterface>(op).getPlacementWork(sizes);
      add(total, {inner.alone, 0, saturatingSum(inner.bytesRead, inner.bytesWritten), 0}, 1);
    } else if (isa<ElementOp, tensor::ExtractOp>(op)) {
      add(total, {1, 1, elementBytes(op.getResult(0).getType()), 0}, 1);
    } else if (isa<UpdateOp, tensor::InsertOp>(op)) {
      add(total, {1, 0, 0, 1}, 1);
    } else if (auto copied = dyn_cast<CopyOp>(op)) {
      int64_t bytes = sizes.bytes(copied.getArray());
      add(total, {sizes.elements(copied.getArray()), 0, saturatingProduct(2, bytes), 0}, 1);
    } else {
      total.operations = saturatingSum(total.operations, weight(&op));
      for (Region &inner : op.getRegions())
        add(total, bodyWork(inner, sizes), 1);
    }
  }
  return total;
}

} // namespace ferry::array
