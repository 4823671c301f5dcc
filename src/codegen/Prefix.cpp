// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans and filters in two passes over chunks. The first evaluates the body and leaves each chunk's own answer in the
// results; then what comes before each chunk is known, and the second pass puts it right: a scan adds what came before,
// a filter moves what was kept to its place. With one chunk there is no second pass. Groups of a kernel only sum up in
// the first pass, if the body costs no more than what it gave would to read.

#include "codegen/Emitter.h"

using namespace mlir;
using namespace ferry::array;

namespace ferry::codegen {

void Emitter::emitScan(ScanOp op) {
  Value size = scalar(op.getSize());
  for (auto [result, neutral] : llvm::zip(op.getResults(), op.getNeutral())) {
    Values extents{size};
    if (isa<RankedTensorType>(neutral.getType()))
      extents.append(buffer(neutral).sizes);
    makeResult(result, extents);
  }
  if (llvm::any_of(op.getNeutral().getTypes(), llvm::IsaPred<RankedTensorType>))
    emitRowScan(op);
  else
    emitScalarScan(op);
}

// In a launch.
void Emitter::scanByGroups(ScanOp op, const Operands &operands, Value size) {
  Value groups = groupCount(size);
  SmallVector<Buffer> before = sumsOfParts(operands.types, groups);
  when(less(constant(1), groups), [&] { scanParts(operands, size, groups, before); });
  onDevice(groups, Items::groups, [&](Value group) {
    auto [from, to] = partOf(here(size), here(groups), group);
    Values sums = eitherWay(
        less(constant(0), group), operands.types, [&] { return loadAll(hereAll(before), group); }, operands.neutral);
    scanTogether(operands, from, to, sums,
                 [&](Value point, ValueRange values) { storeAll(buffers(op.getResults()), point, values); });
  });
}

void Emitter::emitScalarScan(ScanOp op) {
  Block &body = op.getBody().front(), &combiner = op.getCombiner().front();
  Operands operands = operandsOf(op, op.getNeutral(), isCommutative(combiner));
  if (isForGroups(op, operands.types)) {
    if (frame->isGroup)
      return scanTogether(operands, constant(0), scalar(op.getSize()), operands.neutral(),
                          [&](Value point, ValueRange values) { storeAll(buffers(op.getResults()), point, values); });
    if (isCheap(body))
      return scanByGroups(op, operands, scalar(op.getSize()));
  }
  Value size = scalar(op.getSize()), chunks = partCount(size, grainOf(op));
  bool isParallel = frame->isParallel;
  SmallVector<Buffer> partials;
  for (Value neutral : op.getNeutral())
    if (isParallel)
      partials.push_back(allocate(scratchSide(), "", neutral.getType(), chunks));

  inChunks(size, chunks, [&](Value chunk, Value from, Value to) {
    auto point = [&](ValueRange indices, Value flat, ValueRange carried) {
      bindPoint(body, op.getInputs(), indices, flat);
      Values results;
      emitBody(body, [&](Operation *yield) { results = combine(combiner, carried, scalars(yield->getOperands())); });
      storeAll(buffers(op.getResults()), flat, results);
      return results;
    };
    Values last = gridLoop(scalar(op.getSize()), from, to, scalars(op.getNeutral()), point);
    storeAll(hereAll(partials), chunk, last);
  });
  if (!isParallel)
    return;

  when(less(constant(1), chunks), [&] {
    onOneItem({}, [&] {
      loop(constant(0), here(chunks), scalars(op.getNeutral()), [&](Value chunk, ValueRange before) {
        Values own = loadAll(hereAll(partials), chunk);
        storeAll(hereAll(partials), chunk, before);
        return combine(combiner, before, own);
      });
      return Values();
    });
    inChunks(size, chunks, [&](Value chunk, Value from, Value to) {
      Values before = loadAll(hereAll(partials), chunk);
      loop(from, to, {}, [&](Value index, ValueRange) {
        SmallVector<Buffer> results = buffers(op.getResults());
        storeAll(results, index, combine(combiner, before, loadAll(results, index)));
        return Values();
      });
    });
  });
  for (const Buffer &partial : partials)
    release(partial);
}

// One row after another; what is accumulated is the row before, whose address is carried.
void Emitter::emitRowScan(ScanOp op) {
  Block &body = op.getBody().front(), &combiner = op.getCombiner().front();
  Values initial;
  SmallVector<Buffer> copies;
  for (Value neutral : op.getNeutral()) {
    if (!isa<RankedTensorType>(neutral.getType())) {
      initial.push_back(scalar(neutral));
      continue;
    }
    Buffer row = buffer(neutral);
    if (!row.isContiguous()) {
      copies.push_back(allocate(FERRY_SCRATCH, "", row.element, row.sizes));
      copyElements(copies.back(), row);
      row = copies.back();
    }
    initial.push_back(row.data);
  }
  loop(constant(0), scalar(op.getSize()), initial, [&](Value index, ValueRange carried) {
    auto next = outputRows(op.getResults(), op.getNeutral(), index, index);
    SmallVector<Element> before;
    for (auto [value, row] : llvm::zip(carried, next))
      if (row)
        before.push_back({{}, Buffer{row->element, nullPointer(), value, row->sizes, {}}});
      else
        before.push_back({value, {}});
    bindPoint(body, op.getInputs(), index, index);
    Values combined, results;
    emitBody(body, [&](Operation *yield) {
      SmallVector<Element> elements;
      for (Value value : yield->getOperands())
        elements.push_back(elementFrom(value));
      combined = combineRows(combiner, before, elements, next);
    });
    size_t at = 0;
    for (auto [result, row] : llvm::zip(op.getResults(), next)) {
      if (!row)
        store(buffer(result), index, combined[at]);
      results.push_back(row ? row->data : combined[at++]);
    }
    return results;
  });
  for (const Buffer &copy : copies)
    release(copy);
}

//===- Filter -----------------------------------------------------------------------------------------------------===//

// Keeps the elements of [from, to), or of all if `from` is null, one behind the other in `kept` from `first` on.
// Returns where they end.
Value Emitter::keepElements(FilterOp op, ArrayRef<Buffer> kept, Value from, Value to, Value first) {
  auto point = [&](ValueRange, Value flat, ValueRange carried) {
    return Values{add(carried[0], keepElement(op, kept, flat, carried[0]))};
  };
  return gridLoop(scalar(op.getSize()), from, to, first, point)[0];
}

void Emitter::emitFilter(FilterOp op) {
  Value size = scalar(op.getSize()), chunks = partCount(size, grainOf(op));
  SmallVector<Buffer> results;
  for (auto [result, yielded] :
       llvm::zip(op.getResults(), op.getBody().front().getTerminator()->getOperands().drop_front())) {
    Values extents{size};
    extents.append(rowSizes(yielded, op));
    results.push_back(makeResult(result, extents));
  }
  Operands kept{{i64},
                true,
                [this] { return Values{constant(0)}; },
                [this, op](Value point) { return Values{keepElement(op, {}, point, {})}; },
                [this](ValueRange left, ValueRange right) { return Values{add(left[0], right[0])}; }};
  if (!frame->isParallel)
    frame->scalars[op.getCount()] = keepElements(op, results, {}, {}, constant(0));
  else if (frame->isGroup)
    frame->scalars[op.getCount()] = filterTogether(op, kept, results, size);
  else if (isForGroups(op, kept.types) && isCheap(op.getBody().front()))
    filterByGroups(op, kept, results, size);
  else
    filterInChunks(op, results, size, chunks);
}

// By the items of one group; all know the count.
Value Emitter::filterTogether(FilterOp op, const Operands &kept, ArrayRef<Buffer> results, Value size) {
  int64_t outside = frame->localBytes;
  Buffer count = localMemory(i64, 1);
  store(count, constant(0), constant(0));
  scanTogether(kept, constant(0), size, kept.neutral(), [&](Value point, ValueRange sums) {
    keepElement(op, results, point, sub(sums[0], constant(1)));
    Value isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, point, sub(size, constant(1)));
    when(isLast, [&] { store(count, constant(0), sums[0]); });
  });
  Value all = load(count, constant(0));
  frame->localBytes = outside;
  return all;
}

// In a launch.
void Emitter::filterByGroups(FilterOp op, const Operands &kept, ArrayRef<Buffer> results, Value size) {
  Value groups = groupCount(size);
  SmallVector<Buffer> before = sumsOfParts(kept.types, groups);
  scanParts(kept, size, groups, before);
  onDevice(groups, Items::groups, [&](Value group) {
    auto [from, to] = partOf(here(size), here(groups), group);
    scanTogether(kept, from, to, loadAll(hereAll(before), group), [&](Value point, ValueRange sums) {
      keepElement(op, hereAll(results), point, sub(sums[0], constant(1)));
    });
  });
  frame->cells[op.getCount()] = {i64, before[0].block, address(before[0], groups), {}, {}};
}

// Evaluates the body at a point, whose values go to `place`, unless it is null, if they are kept. Returns 1 then, else
// 0.
Value Emitter::keepElement(FilterOp op, ArrayRef<Buffer> results, Value point, Value place) {
  Block &body = op.getBody().front();
  Operation *yield = body.getTerminator();
  Value isKept;
  bindPoint(body, op.getInputs(), point, point);
  auto write = [&] {
    for (auto [value, array] : llvm::zip(yield->getOperands().drop_front(), results)) {
      std::optional<Buffer> row;
      if (isa<RankedTensorType>(value.getType()))
        row = rowOf(array, place);
      writeElement(value, array, place, row);
    }
  };
  emitBody(body, [&](Operation *) {
    isKept = scalar(yield->getOperand(0));
    if (place)
      when(isKept, write);
  });
  return arith::ExtUIOp::create(b, i64, isKept);
}

// Each chunk keeps its elements in scratch memory, where its part of the array would be; once it is known how many are
// before them they move to the result.
void Emitter::filterInChunks(FilterOp op, ArrayRef<Buffer> results, Value size, Value chunks) {
  Value isSplit = less(constant(1), chunks);
  SmallVector<Buffer> parts;
  for (const Buffer &result : results) {
    Values extents = result.sizes;
    extents[0] = arith::SelectOp::create(b, isSplit, size, constant(0));
    Buffer part = allocate(scratchSide(), "", result.element, extents);
    part.data = arith::SelectOp::create(b, isSplit, part.data, result.data);
    parts.push_back(part);
  }
  Buffer starts = allocate(scratchSide(), "", i64, chunks), counts = allocate(scratchSide(), "", i64, chunks);
  inChunks(size, chunks, [&](Value chunk, Value from, Value to) {
    SmallVector<Buffer> mine;
    for (const Buffer &part : parts)
      mine.push_back(here(part));
    store(here(starts), chunk, from);
    store(here(counts), chunk, sub(keepElements(op, mine, from, to, from), from));
  });
  Buffer places = allocate(scratchSide(), "", i64, chunks);
  Values count = onOneItem(op.getCount(), [&] {
    return loop(constant(0), here(chunks), constant(0), [&](Value chunk, ValueRange before) {
      store(here(places), chunk, before[0]);
      return Values{add(before[0], load(here(counts), chunk))};
    });
  });
  if (!count.empty())
    frame->scalars[op.getCount()] = count[0];
  Value moves = arith::SelectOp::create(b, isSplit, chunks, constant(0));
  inChunks(moves, moves, [&](Value chunk, Value, Value) {
    for (auto [part, result] : llvm::zip(parts, results)) {
      Buffer from = here(part), to = here(result);
      Value rowLength = product(ArrayRef<Value>(to.sizes).drop_front());
      Value bytes = mul(mul(load(here(counts), chunk), rowLength), constant(byteSize(to.element)));
      LLVM::MemcpyOp::create(b, address(to, mul(load(here(places), chunk), rowLength)),
                             address(from, mul(load(here(starts), chunk), rowLength)), bytes, false);
    }
  });
  for (const Buffer &own : llvm::concat<Buffer>(parts, SmallVector<Buffer>{starts, counts, places}))
    release(own);
}

} // namespace ferry::codegen
