// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions whose elements are rows, or rows and scalars. Rows are reduced one after another: what is accumulated and
// what the operator makes of it take turns in two memories, whose addresses are carried, accumulated one first. Chunks
// leave their rows in scratch memory, where they are reduced once more; with one chunk, the operator itself is
// parallel.

#include "codegen/Emitter.h"

using namespace mlir;
using namespace ferry::array;

namespace ferry::codegen {

Element Emitter::elementFrom(Value source) {
  if (isa<RankedTensorType>(source.getType()))
    return {{}, buffer(source)};
  return {scalar(source), {}};
}

// The operator applied to scalars and rows. Rows are written to `to`, which the operator may read if it must not
// overwrite it before it is done; scalars are returned.
Values Emitter::combineRows(Block &combiner, ArrayRef<Element> left, ArrayRef<Element> right,
                            ArrayRef<std::optional<Buffer>> to, bool canOverwrite) {
  auto bind = [&](Value argument, const Element &element) {
    if (element.row)
      frame->buffers[argument] = *element.row;
    else
      frame->scalars[argument] = element.scalar;
  };
  for (size_t i = 0; i < left.size(); ++i) {
    bind(combiner.getArgument(i), left[i]);
    bind(combiner.getArgument(left.size() + i), right[i]);
  }
  if (canOverwrite)
    passDestinations(combiner.getTerminator(), 0, to);
  Values results;
  emitBody(combiner, [&](Operation *yield) {
    for (auto [value, row] : llvm::zip(yield->getOperands(), to))
      if (row)
        writeElement(value, *row, constant(0), row);
      else
        results.push_back(scalar(value));
  });
  return results;
}

static Buffer rowAtAddress(const Buffer &like, Value block, Value data) {
  return {like.element, block, data, like.sizes, {}};
}

// Combines the neutral element with the elements at each point that `repeat` goes through, into `rows`, which are null
// for scalars; these are returned.
Values Emitter::foldRows(ReduceOp op, ArrayRef<std::optional<Buffer>> rows,
                         llvm::function_ref<Values(ValueRange, PointBody)> repeat, ElementsAt elementsAt) {
  SmallVector<std::optional<Buffer>> spare;
  Values initial;
  for (auto [row, neutral] : llvm::zip(rows, op.getNeutral())) {
    spare.emplace_back();
    if (!row) {
      initial.push_back(scalar(neutral));
      continue;
    }
    spare.back() = allocate(FERRY_SCRATCH, "", row->element, row->sizes);
    copyElements(*row, buffer(neutral));
    initial.append({row->data, spare.back()->data});
  }
  auto point = [&](ValueRange indices, Value flat, ValueRange carried) {
    SmallVector<Element> accumulated;
    SmallVector<std::optional<Buffer>> next;
    size_t at = 0;
    for (const std::optional<Buffer> &row : rows) {
      next.emplace_back();
      if (!row) {
        accumulated.push_back({carried[at++], {}});
        continue;
      }
      accumulated.push_back({{}, rowAtAddress(*row, nullPointer(), carried[at])});
      next.back() = rowAtAddress(*row, nullPointer(), carried[at + 1]);
      at += 2;
    }
    Values combined, results;
    elementsAt(indices, flat, [&](ArrayRef<Element> elements) {
      combined = combineRows(op.getCombiner().front(), accumulated, elements, next);
    });
    size_t scalarAt = 0;
    for (auto [old, row] : llvm::zip(accumulated, next))
      if (row)
        results.append({row->data, old.row->data});
      else
        results.push_back(combined[scalarAt++]);
    return results;
  };
  Values results = repeat(initial, point), scalarResults;
  size_t at = 0;
  for (auto [row, extra] : llvm::zip(rows, spare)) {
    if (!row) {
      scalarResults.push_back(results[at++]);
      continue;
    }
    Value isElsewhere = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, results[at], row->data);
    when(isElsewhere, [&] { copyElements(*row, rowAtAddress(*row, nullPointer(), results[at])); });
    release(*extra);
    at += 2;
  }
  return scalarResults;
}

// The points [from, to), or all of them if `from` is null.
Values Emitter::reduceRows(ReduceOp op, ArrayRef<std::optional<Buffer>> rows, Value from, Value to) {
  Block &body = op.getBody().front();
  auto repeat = [&](ValueRange initial, PointBody point) {
    return gridLoop(scalars(op.getSizes()), from, to, initial, point);
  };
  return foldRows(op, rows, repeat, [&](ValueRange indices, Value flat, UseElements use) {
    bindPoint(body, op.getInputs(), indices, flat);
    emitBody(body, [&](Operation *yield) {
      SmallVector<Element> elements;
      for (Value value : yield->getOperands())
        elements.push_back(elementFrom(value));
      use(elements);
    });
  });
}

Values Emitter::reduceRowsInChunks(ReduceOp op, ArrayRef<std::optional<Buffer>> rows, Value points, Value chunks) {
  SmallVector<Buffer> partials;
  for (auto [row, neutral] : llvm::zip(rows, op.getNeutral())) {
    Values sizes{chunks};
    if (row)
      sizes.append(row->sizes);
    partials.push_back(allocate(FERRY_SCRATCH, "", row ? row->element : neutral.getType(), sizes));
  }
  inChunks(points, chunks, [&](Value chunk, Value from, Value to) {
    SmallVector<std::optional<Buffer>> mine;
    for (auto [partial, row] : llvm::zip(partials, rows)) {
      mine.emplace_back();
      if (row)
        mine.back() = rowOf(here(partial), chunk);
    }
    Values local = reduceRows(op, mine, from, to);
    size_t at = 0;
    for (auto [partial, row] : llvm::zip(partials, rows))
      if (!row)
        store(here(partial), chunk, local[at++]);
  });
  auto repeat = [&](ValueRange initial, PointBody point) {
    return loop(constant(0), chunks, initial,
                [&](Value chunk, ValueRange carried) { return point(ValueRange(chunk), chunk, carried); });
  };
  Values results = foldRows(op, rows, repeat, [&](ValueRange, Value chunk, UseElements use) {
    SmallVector<Element> elements;
    for (auto [partial, row] : llvm::zip(partials, rows))
      if (row)
        elements.push_back({{}, rowOf(partial, chunk)});
      else
        elements.push_back({load(partial, chunk), {}});
    use(elements);
  });
  for (const Buffer &partial : partials)
    release(partial);
  return results;
}

void Emitter::emitRowReduce(ReduceOp op) {
  SmallVector<std::optional<Buffer>> rows;
  SmallVector<Type> scalarTypes;
  for (auto [result, neutral] : llvm::zip(op.getResults(), op.getNeutral())) {
    rows.emplace_back();
    if (isa<RankedTensorType>(neutral.getType()))
      rows.back() = makeResult(result, buffer(neutral).sizes);
    else
      scalarTypes.push_back(neutral.getType());
  }
  Values results;
  if (!frame->isParallel || frame->isGroup) {
    results = reduceRows(op, rows, {}, {});
  } else {
    constexpr int64_t fewestRows = 4; // of a chunk, whose own row is one more to combine
    Value points = product(scalars(op.getSizes()));
    Value chunks = chunkCount(points, maximum(grainOf(op), constant(fewestRows)));
    results = eitherWay(
        less(constant(1), chunks), scalarTypes, [&] { return reduceRowsInChunks(op, rows, points, chunks); },
        [&] { return reduceRows(op, rows, {}, {}); });
  }
  size_t at = 0;
  for (auto [result, row] : llvm::zip(op.getResults(), rows))
    if (!row)
      frame->scalars[result] = results[at++];
}

} // namespace ferry::codegen
