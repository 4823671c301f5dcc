// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The extents of what a body would yield at a point, for a grid that has none: they are found from the operations that
// make it without evaluating them. What depends on the point counts as 0.

#include "array/Soac.h"
#include "array/interpreter/Machine.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace ferry::array::detail {
namespace {

class Extents {
public:
  Extents(Machine &machine, Region &body) : machine(machine), body(body) {}

  int64_t of(Value array, int64_t d) {
    if (isDefinedOutside(array, body))
      return machine.array(array).extents()[d];
    if (auto argument = dyn_cast<BlockArgument>(array))
      return ofArgument(argument, d);
    Operation *op = array.getDefiningOp();
    unsigned result = cast<OpResult>(array).getResultNumber();
    auto ofGrid = [&](ValueRange sizes, Value element) {
      auto rank = static_cast<int64_t>(sizes.size());
      return d < rank ? std::max<int64_t>(evaluate(sizes[d]), 0) : of(element, d - rank);
    };
    auto yielded = [&](Region &region) { return region.front().getTerminator()->getOperand(result); };
    return llvm::TypeSwitch<Operation *, int64_t>(op)
        .Case<MapOp>([&](MapOp map) { return ofGrid(map.getSizes(), yielded(map.getBody())); })
        .Case<ScanOp>([&](ScanOp scan) { return ofGrid(scan.getSize(), scan.getNeutral()[result]); })
        .Case<FilterOp>([&](FilterOp filter) {
          return ofGrid(filter.getSize(), filter.getBody().front().getTerminator()->getOperand(result));
        })
        .Case<ReplicateOp>([&](ReplicateOp make) { return ofGrid(make.getSizes(), make.getValue()); })
        .Case<LiteralOp>([&](LiteralOp make) {
          return d == 0 ? static_cast<int64_t>(make.getElements().size()) : of(make.getElements().front(), d - 1);
        })
        .Case<AllocOp, ReshapeOp>([&](auto make) { return std::max<int64_t>(evaluate(make.getSizes()[d]), 0); })
        .Case<IotaOp>([&](IotaOp make) { return std::max<int64_t>(evaluate(make.getSize()), 0); })
        .Case<SliceOp>([&](SliceOp slice) { return std::max<int64_t>(evaluate(slice.getLengths()[d]), 0); })
        .Case<RowOp>([&](RowOp row) { return of(row.getArray(), d + row.getIndices().size()); })
        .Case<PermuteOp>([&](PermuteOp permute) { return of(permute.getArray(), permute.getPermutation()[d]); })
        .Case<ConcatOp>([&](ConcatOp join) {
          int64_t sum = 0;
          for (Value part : join.getArrays())
            sum += of(part, d);
          return d == 0 ? sum : of(join.getArrays().front(), d);
        })
        .Case<CopyOp, UpdateOp, InsertSliceOp, PokeOp, TransferOp>(
            [&](auto same) { return of(same->getOperand(0), d); })
        .Case<ScatterOp, HistOp>([&](auto write) { return of(write.getDestinations()[result], d); })
        .Case<ReduceOp>([&](ReduceOp reduce) { return of(reduce.getNeutral()[result], d); })
        .Case<arith::SelectOp>([&](arith::SelectOp select) { return of(select.getTrueValue(), d); })
        .Case<scf::ForOp>([&](scf::ForOp loop) { return of(loop.getInitArgs()[result], d); })
        .Case<scf::IfOp, PinOp>([&](Operation *scope) { return of(yielded(scope->getRegion(0)), d); })
        .Default([](Operation *) { return 0; });
  }

private:
  // Of a row of a SOAC's input, or of an array that a loop carries.
  int64_t ofArgument(BlockArgument argument, int64_t d) {
    Operation *owner = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(owner))
      return of(loop.getInitArgs()[argument.getArgNumber() - 1], d);
    if (!isSoac(owner) || argument.getOwner() != &bodyOf(owner).front())
      return 0;
    auto gridRank = static_cast<int64_t>(sizesOf(owner).size());
    return of(inputsOf(owner)[argument.getArgNumber() - gridRank].get(), d + gridRank);
  }

  // A size, of which only extents and arithmetic are evaluated.
  int64_t evaluate(Value size) {
    if (isDefinedOutside(size, body))
      return machine.integer(size);
    Operation *op = size.getDefiningOp();
    if (!op)
      return 0;
    if (auto dim = dyn_cast<DimOp>(op))
      return of(dim.getArray(), dim.getDimension());
    if (op->getDialect()->getNamespace() != "arith" || !isPure(op))
      return 0;
    for (Value operand : op->getOperands())
      if (!isDefinedOutside(operand, body))
        machine.set(operand, Cell::of(evaluate(operand)));
    machine.run(op);
    return machine.integer(size);
  }

  Machine &machine;
  Region &body;
};

} // namespace

Indices extentsYielded(Machine &machine, Region &body, unsigned operand) {
  Value yielded = body.front().getTerminator()->getOperand(operand);
  Indices extents;
  if (auto row = dyn_cast<RankedTensorType>(yielded.getType()))
    for (int64_t d = 0; d < row.getRank(); ++d)
      extents.push_back(Extents(machine, body).of(yielded, d));
  return extents;
}

} // namespace ferry::array::detail
