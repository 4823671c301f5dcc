// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much work a SOAC is, and so into how many chunks it is cut. What is in a loop or a SOAC inside counts as often as
// it is done, where that is known before the outer SOAC begins, and else as often as is usual.

#include "array/Soac.h"
#include "codegen/Emitter.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace ferry::array;

namespace ferry::codegen {

static constexpr int64_t operationsWorthAThread = 1 << 16;
static constexpr int64_t usualTrips = 64;

// How often an operation of a body does what is inside it, as a value computed outside of the SOAC.
Value Emitter::tripsOf(Operation &op, Operation *soac) {
  Value trips = constant(1);
  auto times = [&](std::optional<Value> count) {
    Value most = constant(operationsWorthAThread);
    Value bounded = minimum(count ? maximum(*count, constant(1)) : constant(usualTrips), most);
    trips = minimum(mul(trips, bounded), most);
  };
  if (isSoac(&op)) {
    for (Value size : sizesOf(&op))
      times(scalarOutside(size, soac));
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    auto from = scalarOutside(loop.getLowerBound(), soac), to = scalarOutside(loop.getUpperBound(), soac);
    // Bounds of the program's own may be far apart: the difference may wrap.
    times(from && to ? std::optional<Value>(arith::SubIOp::create(b, *to, *from)) : std::nullopt);
  } else if (isa<scf::WhileOp>(op)) {
    times(std::nullopt);
  }
  return trips;
}

// How many scalar operations a block takes; more than what is worth a thread counts as that.
Value Emitter::workOf(Block &block, Operation *soac) {
  int64_t plain = 0;
  Value work = constant(0);
  for (Operation &op : block) {
    ++plain;
    if (op.getNumRegions() == 0)
      continue;
    Value inner = constant(0);
    for (Region &region : op.getRegions())
      for (Block &body : region)
        inner = add(inner, workOf(body, soac));
    work = add(work, mul(tripsOf(op, soac), inner));
  }
  return minimum(add(work, constant(plain)), constant(operationsWorthAThread));
}

// The least number of points worth a thread.
Value Emitter::grainOf(Operation *soac) {
  if (!frame->isParallel || frame->isLaunch || grain)
    return constant(std::max<int64_t>(1, grain));
  Value work = constant(0);
  for (Region &region : soac->getRegions())
    work = add(work, workOf(region.front(), soac));
  Value bounded = minimum(maximum(work, constant(1)), constant(operationsWorthAThread));
  return quotient(constant(operationsWorthAThread), bounded);
}

// Whether to evaluate a body again costs no more than to read what it gave before.
bool Emitter::isCheap(Block &body) {
  constexpr size_t few = 16;
  return body.getOperations().size() <= few && llvm::none_of(body, [](Operation &op) {
           return op.getNumRegions() > 0 || isa<func::CallOp>(op) || isa<math::MathDialect>(op.getDialect());
         });
}

// Whether something in a body could be cut into chunks by itself.
static bool hasLoopsOverArrays(Operation *soac) {
  return soac
      ->walk([&](Operation *op) { return op != soac && isSoac(op) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

// Writes a SOAC's chunks, and once more its points one after another with parallel bodies, which is what runs where the
// points are fewer than the threads but each is worth many. Both give the SOAC's scalar results.
Values Emitter::overOrInside(Operation *soac, Value points, Value grain, TypeRange types,
                             llvm::function_ref<Values()> over, llvm::function_ref<Values()> inside) {
  if (frame->isGroup && frame->isParallel)
    return runsApart(soac) ? over() : inside();
  if (!frame->isParallel || frame->isLaunch || !hasLoopsOverArrays(soac))
    return over();
  constexpr int64_t many = int64_t(1) << 40;
  // Where there is no lack of work, there are four chunks for each thread.
  Value threads = this->grain ? constant(3) : quotient(chunkCount(constant(many), constant(1)), constant(4));
  Value isHeavy = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, grain, constant(1));
  return eitherWay(arith::AndIOp::create(b, less(points, threads), isHeavy), types, inside, over);
}

} // namespace ferry::codegen
