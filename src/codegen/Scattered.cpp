// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scatters and histograms: writes at indices that the body computes. Chunks of a histogram with few bins have bins of
// their own, combined in the order of the chunks; with many bins there is one chunk.

#include "codegen/Emitter.h"

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
  bool hasRows = llvm::any_of(op.getNeutral().getTypes(), llvm::IsaPred<RankedTensorType>);
  bool isContiguous = true;
  for (auto [result, destination] : llvm::zip(op.getResults(), op.getDestinations())) {
    frame->buffers[result] = buffer(destination);
    isContiguous &= buffer(destination).isContiguous();
  }
  if (frame->isParallel && !hasRows && isContiguous)
    emitChunkedHist(op);
  else
    gridLoop(scalars(op.getSizes()), {}, {}, {}, [&](ValueRange grid, Value flat, ValueRange) {
      SmallVector<Buffer> bins;
      for (Value result : op.getResults())
        bins.push_back(buffer(result));
      addToBins(op, bins, grid, flat);
      return Values();
    });
}

// Evaluates the body at a point and combines its values into the bins.
void Emitter::addToBins(HistOp op, ArrayRef<Buffer> bins, ValueRange grid, Value flat) {
  Block &body = op.getBody().front(), &combiner = op.getCombiner().front();
  int64_t rank = op.getRank();
  bindPoint(body, op.getInputs(), grid, flat);
  emitBody(body, [&](Operation *yield) {
    Values indices = scalars(yield->getOperands().take_front(rank));
    when(isInside(indices, bins.front()), [&] {
      SmallVector<Element> old, added;
      SmallVector<std::optional<Buffer>> rows;
      Values offsets;
      for (auto [array, value] : llvm::zip(bins, yield->getOperands().drop_front(rank))) {
        offsets.push_back(offsetOf(array, indices));
        added.push_back(elementFrom(value));
        rows.emplace_back();
        if (added.back().row) {
          Buffer row = rowAt(array, offsets.back(), rank);
          old.push_back({{}, row});
          rows.back() = row;
        } else {
          old.push_back({load(array, offsets.back()), {}});
        }
      }
      // An operator's row is made before any of the bin is written, so it goes through memory of its own.
      Values combined = combineRows(combiner, old, added, rows, false);
      size_t at = 0;
      for (auto [array, offset, row] : llvm::zip(bins, offsets, rows))
        if (!row)
          store(array, offset, combined[at++]);
    });
  });
}

void Emitter::emitChunkedHist(HistOp op) {
  constexpr int64_t mostBins = 1 << 14;
  Block &combiner = op.getCombiner().front();
  Value points = product(scalars(op.getSizes()));
  Value bins = product(buffer(op.getResult(0)).sizes);
  Value isSmall = less(bins, constant(mostBins));
  Value chunks = arith::SelectOp::create(b, isSmall, chunkCount(points, grainOf(op)), constant(1));
  Value isPrivate = less(constant(1), chunks);
  SmallVector<Buffer> privates;
  for (Value result : op.getResults()) {
    Value length = arith::SelectOp::create(b, isPrivate, mul(chunks, bins), constant(0));
    privates.push_back(allocate(FERRY_SCRATCH, "", buffer(result).element, length));
  }
  inChunks(points, chunks, [&](Value chunk, Value from, Value to) {
    SmallVector<Buffer> mine;
    for (auto [result, neutral, own] : llvm::zip(op.getResults(), op.getNeutral(), privates)) {
      Buffer array = buffer(result);
      Value data = address(here(own), mul(chunk, here(bins)));
      array.data = arith::SelectOp::create(b, here(isPrivate), data, array.data);
      when(here(isPrivate), [&] {
        Buffer all{array.element, {}, data, {here(bins)}, {}};
        fill(all, scalar(neutral));
      });
      mine.push_back(array);
    }
    gridLoop(scalars(op.getSizes()), from, to, {}, [&](ValueRange grid, Value flat, ValueRange) {
      addToBins(op, mine, grid, flat);
      return Values();
    });
  });
  when(isPrivate, [&] {
    loop(constant(0), chunks, {}, [&](Value chunk, ValueRange) {
      return loop(constant(0), bins, {}, [&](Value bin, ValueRange) {
        Values old, added;
        for (auto [result, own] : llvm::zip(op.getResults(), privates)) {
          old.push_back(load(buffer(result), bin));
          added.push_back(load(own, add(mul(chunk, bins), bin)));
        }
        for (auto [result, value] : llvm::zip(op.getResults(), combine(combiner, old, added)))
          store(buffer(result), bin, value);
        return Values();
      });
    });
  });
  for (const Buffer &own : privates)
    release(own);
}

} // namespace ferry::codegen
