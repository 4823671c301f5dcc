// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scatters and histograms: writes at indices that the body computes. Chunks of a histogram have bins of their own,
// combined in the order of the chunks; so there are no more chunks than make that little work beside the points'. Large
// groups of a kernel update bins atomically: their own, if they have memory for all of them, and then those in memory.

#include "codegen/Emitter.h"
#include "codegen/KernelForm.h"

using namespace mlir;
using namespace ferry::array;

namespace ferry::codegen {

// Whether all indices are within the leading extents of an array.
Value Emitter::isInside(ValueRange indices, const Buffer &array) {
  Value all;
  for (auto [index, size] : llvm::zip(indices, array.sizes)) {
    Value inside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, index, size);
    all = all ? arith::AndIOp::create(b, all, inside).getResult() : inside;
  }
  return all;
}

void Emitter::emitScatter(ScatterOp op) {
  Block &body = op.getBody().front();
  int64_t rank = op.getRank();
  for (auto [result, destination] : llvm::zip(op.getResults(), op.getDestinations()))
    frame->buffers[result] = buffer(destination);
  Value points = product(scalars(op.getSizes()));
  inChunks(points, chunkCount(points, grainOf(op)), [&](Value, Value from, Value to) {
    gridLoop(scalars(op.getSizes()), from, to, {}, [&](ValueRange grid, Value flat, ValueRange) {
      bindPoint(body, op.getInputs(), grid, flat);
      emitBody(body, [&](Operation *yield) {
        Values indices = scalars(yield->getOperands().take_front(rank));
        for (auto [value, destination] : llvm::zip(yield->getOperands().drop_front(rank), op.getResults())) {
          Buffer array = buffer(destination);
          when(isInside(indices, array), [&] {
            Value offset = offsetOf(array, indices);
            if (isa<RankedTensorType>(value.getType()))
              writeElement(value, array, offset, rowAt(array, offset, rank));
            else
              store(array, offset, scalar(value));
          });
        }
      });
      return Values();
    });
  });
}

void Emitter::emitHist(HistOp op) {
  bool isContiguous = true;
  for (auto [result, destination] : llvm::zip(op.getResults(), op.getDestinations())) {
    frame->buffers[result] = buffer(destination);
    isContiguous &= buffer(destination).isContiguous();
  }
  bool isAtomic = frame->isParallel && isContiguous && hasAtomicBins(op) && runsApart(op);
  if (isAtomic && frame->isGroup)
    histTogether(op, constant(0), product(scalars(op.getSizes())));
  else if (isAtomic && frame->isLaunch)
    emitAtomicHist(op);
  else if (frame->isParallel && isContiguous)
    emitChunkedHist(op);
  else
    gridLoop(scalars(op.getSizes()), {}, {}, {}, [&](ValueRange grid, Value flat, ValueRange) {
      SmallVector<Buffer> bins;
      for (Value result : op.getResults())
        bins.push_back(buffer(result));
      addPoint(op, bins, grid, flat);
      return Values();
    });
}

// Combines values into the bins at an index, or an offset for bins seen as one row.
void Emitter::addToBin(HistOp op, ArrayRef<Buffer> bins, ValueRange indices, ArrayRef<Element> added) {
  SmallVector<Element> old;
  SmallVector<std::optional<Buffer>> rows;
  Values offsets;
  for (auto [array, value] : llvm::zip(bins, added)) {
    offsets.push_back(offsetOf(array, indices));
    rows.emplace_back();
    if (value.row) {
      rows.back() = rowAt(array, offsets.back(), indices.size());
      old.push_back({{}, rows.back()});
    } else {
      old.push_back({load(array, offsets.back()), {}});
    }
  }
  // An operator's row is made before any of the bin is written, so it goes through memory of its own.
  Values combined = combineRows(op.getCombiner().front(), old, added, rows, false);
  size_t at = 0;
  for (auto [array, offset, row] : llvm::zip(bins, offsets, rows))
    if (!row)
      store(array, offset, combined[at++]);
}

// Evaluates the body at a point and combines its values into the bins.
void Emitter::addPoint(HistOp op, ArrayRef<Buffer> bins, ValueRange grid, Value flat) {
  atBin(op, bins.front(), grid, flat, [&](ValueRange indices, ValueRange values) {
    addToBin(op, bins, indices, llvm::map_to_vector(values, [&](Value value) { return elementFrom(value); }));
  });
}

// Evaluates the body at a point, and uses the indices and values that it yields if they are inside of `bins`.
void Emitter::atBin(HistOp op, const Buffer &bins, ValueRange grid, Value flat,
                    llvm::function_ref<void(ValueRange indices, ValueRange values)> use) {
  Block &body = op.getBody().front();
  bindPoint(body, op.getInputs(), grid, flat);
  emitBody(body, [&](Operation *yield) {
    Values indices = scalars(yield->getOperands().take_front(op.getRank()));
    when(isInside(indices, bins), [&] { use(indices, yield->getOperands().drop_front(op.getRank())); });
  });
}

// The bins of an array as a row of bins.
static Buffer asOneRow(const Buffer &array, Value data, Value bins, int64_t rank) {
  Buffer row{array.element, {}, data, {bins}, {}};
  row.sizes.append(array.sizes.begin() + rank, array.sizes.end());
  return row;
}

// A loop with a branch in it, which OpenCL's compilers do not unroll by themselves.
void Emitter::unrollLast() {
  constexpr int64_t copies = 8;
  auto last = b.getInsertionPoint();
  if (auto loop = dyn_cast_or_null<scf::ForOp>(last == b.getInsertionBlock()->begin() ? nullptr : &*std::prev(last)))
    loop->setAttr(kUnroll, b.getI64IntegerAttr(copies));
}

void Emitter::setToNeutral(const Buffer &bins, Value neutral) {
  if (!isa<RankedTensorType>(neutral.getType()))
    return fill(bins, scalar(neutral));
  Buffer row = buffer(neutral);
  loop(constant(0), bins.sizes.front(), {}, [&](Value bin, ValueRange) {
    copyElements(rowOf(bins, bin), row);
    return Values();
  });
}

void Emitter::emitChunkedHist(HistOp op) {
  int64_t rank = op.getRank();
  Value points = product(scalars(op.getSizes()));
  Value bins = product(ArrayRef<Value>(buffer(op.getResult(0)).sizes).take_front(rank));
  Value chunks = partCount(points, maximum(grainOf(op), mul(bins, constant(2))));
  Value isPrivate = less(constant(1), chunks);
  SmallVector<Buffer> privates;
  for (Value result : op.getResults()) {
    Buffer array = buffer(result);
    Values sizes{arith::SelectOp::create(b, isPrivate, chunks, constant(0)), bins};
    sizes.append(array.sizes.begin() + rank, array.sizes.end());
    privates.push_back(allocate(scratchSide(), "", array.element, sizes));
  }
  inChunks(points, chunks, [&](Value chunk, Value from, Value to) {
    SmallVector<Buffer> mine;
    for (auto [result, neutral, own] : llvm::zip(op.getResults(), op.getNeutral(), privates)) {
      Buffer array = buffer(result);
      Value data = rowOf(here(own), chunk).data;
      array.data = arith::SelectOp::create(b, here(isPrivate), data, array.data);
      when(here(isPrivate), [&] { setToNeutral(asOneRow(array, data, here(bins), rank), neutral); });
      mine.push_back(array);
    }
    gridLoop(scalars(op.getSizes()), from, to, {}, [&](ValueRange grid, Value flat, ValueRange) {
      addPoint(op, mine, grid, flat);
      return Values();
    });
    unrollLast();
  });
  when(isPrivate, [&] { gatherBins(op, privates, bins, chunks); });
  for (const Buffer &own : privates)
    release(own);
}

//===- Atomic updates ---------------------------------------------------------------------------------------------===//

// Whether a bin is one number that devices update atomically.
bool Emitter::hasAtomicBins(HistOp op) {
  Type type = op.getNeutral().front().getType();
  return op.getNumResults() == 1 && type.isIntOrFloat() && llvm::is_contained({32U, 64U}, type.getIntOrFloatBitWidth());
}

// In a launch: as suits the device.
void Emitter::emitAtomicHist(HistOp op) {
  auto inChunks = [&] {
    emitChunkedHist(op);
    return Values();
  };
  auto byGroups = [&] {
    Value points = product(scalars(op.getSizes())), groups = groupCount(points);
    onDevice(groups, Items::groups, [&](Value group) {
      auto [from, to] = partOf(here(points), here(groups), group);
      histTogether(op, from, to);
    });
    return Values();
  };
  eitherWay(hasGroupsOfOne(), {}, inChunks, byGroups);
}

void Emitter::histTogether(HistOp op, Value from, Value to) {
  constexpr int64_t bytes = 16 << 10;
  int64_t outside = frame->localBytes;
  Buffer result = buffer(op.getResult(0));
  Buffer all{result.element, result.block, result.data, {product(result.sizes)}, {}};
  Buffer own = localMemory(result.element, bytes / byteSize(result.element));
  auto near = [&] {
    eachByTurns(all.sizes[0], [&](Value bin) { store(own, bin, scalar(op.getNeutral().front())); });
    addPointsAtomically(op, own, from, to);
    eachByTurns(all.sizes[0], [&](Value bin) { addAtomically(op.getCombiner().front(), all, bin, load(own, bin)); });
    return Values();
  };
  auto far = [&] {
    addPointsAtomically(op, all, from, to);
    return Values();
  };
  Value fits = arith::CmpIOp::create(b, arith::CmpIPredicate::sle, all.sizes[0], own.sizes[0]);
  eitherWay(fits, {}, near, far);
  frame->localBytes = outside;
}

// `bins` are those of the result as one row.
void Emitter::addPointsAtomically(HistOp op, const Buffer &bins, Value from, Value to) {
  Buffer result = buffer(op.getResult(0));
  auto add = [&](ValueRange indices, ValueRange values) {
    addAtomically(op.getCombiner().front(), bins, offsetOf(result, indices), scalar(values.front()));
  };
  apart([&] {
    byTurns(from, to, {}, [&](Value point, ValueRange) {
      atPoint(op, point, [&](ValueRange grid, Value flat) { atBin(op, result, grid, flat, add); });
      return Values();
    });
  });
}

// Tries again as long as somebody else was quicker.
void Emitter::addAtomically(Block &combiner, const Buffer &bins, Value offset, Value added) {
  Type type = bins.element, bits = b.getIntegerType(type.getIntOrFloatBitWidth());
  Value place = address(bins, offset);
  auto suffixed = [&](StringRef name) { return (name + Twine(bits.getIntOrFloatBitWidth())).str(); };
  if (llvm::hasNItems(combiner, 2) && isa<arith::AddIOp>(combiner.front()) && isCommutative(combiner)) {
    call(suffixed(kAtomicAdd), {place, added});
    return;
  }
  auto cast = [&](Type to, Value value) -> Value {
    return value.getType() == to ? value : arith::BitcastOp::create(b, to, value).getResult();
  };
  Value old = LLVM::LoadOp::create(b, bits, place);
  auto loop = scf::WhileOp::create(b, bits, old);
  OpBuilder::InsertionGuard guard(b);
  Block *attempt = b.createBlock(&loop.getBefore(), {}, bits, b.getLoc());
  Value expected = attempt->getArgument(0);
  Value wanted = cast(bits, combine(combiner, cast(type, expected), added)[0]);
  Value found = call(suffixed(kCompareExchange), bits, {place, expected, wanted});
  Value isLate = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, found, expected);
  scf::ConditionOp::create(b, isLate, found);
  Block *again = b.createBlock(&loop.getAfter(), {}, bits, b.getLoc());
  scf::YieldOp::create(b, again->getArgument(0));
}

// Combines the bins of all chunks into the results.
void Emitter::gatherBins(HistOp op, ArrayRef<Buffer> privates, Value bins, Value chunks) {
  constexpr int64_t binsWorthAThread = 1 << 12;
  inChunks(bins, chunkCount(bins, binsWorthAThread), [&](Value, Value from, Value to) {
    SmallVector<Buffer> all, owned;
    for (auto [result, own] : llvm::zip(op.getResults(), privates)) {
      Buffer array = buffer(result);
      all.push_back(asOneRow(array, array.data, here(bins), op.getRank()));
      owned.push_back(here(own));
    }
    loop(constant(0), here(chunks), {}, [&](Value chunk, ValueRange) {
      return loop(from, to, {}, [&](Value bin, ValueRange) {
        SmallVector<Element> added;
        for (const Buffer &own : owned) {
          Value offset = offsetOf(own, {chunk, bin});
          if (own.rank() > 2)
            added.push_back({{}, rowAt(own, offset, 2)});
          else
            added.push_back({load(own, offset), {}});
        }
        addToBin(op, all, bin, added);
        return Values();
      });
    });
  });
}

} // namespace ferry::codegen
