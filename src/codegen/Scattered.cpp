// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scatters and histograms: writes at indices that the body computes. Chunks of a histogram have bins of their own,
// combined in the order of the chunks; so there are no more chunks than make that little work beside the points'.

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
  bool isContiguous = true;
  for (auto [result, destination] : llvm::zip(op.getResults(), op.getDestinations())) {
    frame->buffers[result] = buffer(destination);
    isContiguous &= buffer(destination).isContiguous();
  }
  if (frame->isParallel && isContiguous)
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
  Block &body = op.getBody().front();
  bindPoint(body, op.getInputs(), grid, flat);
  emitBody(body, [&](Operation *yield) {
    Values indices = scalars(yield->getOperands().take_front(op.getRank()));
    when(isInside(indices, bins.front()), [&] {
      SmallVector<Element> added;
      for (Value value : yield->getOperands().drop_front(op.getRank()))
        added.push_back(elementFrom(value));
      addToBin(op, bins, indices, added);
    });
  });
}

// The bins of an array as a row of bins.
static Buffer asOneRow(const Buffer &array, Value data, Value bins, int64_t rank) {
  Buffer row{array.element, {}, data, {bins}, {}};
  row.sizes.append(array.sizes.begin() + rank, array.sizes.end());
  return row;
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
  });
  when(isPrivate, [&] { gatherBins(op, privates, bins, chunks); });
  for (const Buffer &own : privates)
    release(own);
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
