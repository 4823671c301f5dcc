// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps and reductions. Chunks of a reduction leave their values in scratch memory, from where they are combined in
// order. An operator that is a single floating-point operation is marked as reassociable, which is what the language
// says of every operator, so that LLVM may vectorise its loop.

#include "array/Soac.h"
#include "codegen/Emitter.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ferry::array;

namespace ferry::codegen {

bool Emitter::emitSoac(Operation &op) {
  return llvm::TypeSwitch<Operation *, bool>(&op)
      .Case<MapOp>([&](MapOp map) { return emitMap(map), true; })
      .Case<ReduceOp>([&](ReduceOp reduce) { return emitReduce(reduce), true; })
      .Case<ScanOp>([&](ScanOp scan) { return emitScan(scan), true; })
      .Case<FilterOp>([&](FilterOp filter) { return emitFilter(filter), true; })
      .Case<ScatterOp>([&](ScatterOp scatter) { return emitScatter(scatter), true; })
      .Case<HistOp>([&](HistOp hist) { return emitHist(hist), true; })
      .Default(false);
}

//===- Points -----------------------------------------------------------------------------------------------------===//

// How much one evaluation of a block costs, in scalar operations. What is inside a loop counts as done often.
static int64_t weightOf(Block &block) {
  constexpr int64_t often = 64, most = 1 << 20;
  int64_t weight = 0;
  for (Operation &op : block) {
    int64_t inner = 0;
    for (Region &region : op.getRegions())
      for (Block &body : region)
        inner += weightOf(body);
    bool repeats = isSoac(&op) || isa<scf::ForOp, scf::WhileOp>(op);
    weight = std::min(most, weight + 1 + (repeats ? often * inner : inner));
  }
  return weight;
}

// The least number of points worth a thread.
int64_t Emitter::grainOf(Operation *soac) {
  constexpr int64_t operationsWorthAThread = 1 << 16;
  int64_t weight = 0;
  for (Region &region : soac->getRegions())
    weight += weightOf(region.front());
  return std::max<int64_t>(1, operationsWorthAThread / std::max<int64_t>(1, weight));
}

// Makes the body's arguments known: the indices, then an element or a row of each input.
void Emitter::bindPoint(Block &body, ValueRange inputs, ValueRange indices, Value flat) {
  for (auto [argument, index] : llvm::zip(body.getArguments(), indices))
    frame->scalars[argument] = index;
  for (auto [argument, input] : llvm::zip(body.getArguments().drop_front(indices.size()), inputs)) {
    if (argument.use_empty())
      continue;
    Buffer array = buffer(input);
    if (isa<RankedTensorType>(argument.getType()))
      frame->buffers[argument] = elementRow(array, indices, flat);
    else
      frame->scalars[argument] = load(array, array.isContiguous() ? flat : offsetOf(array, indices));
  }
}

Buffer Emitter::elementRow(const Buffer &array, ValueRange indices, Value flat) {
  if (!array.isContiguous())
    return rowOf(array, indices);
  return rowAt(array, mul(flat, product(ArrayRef<Value>(array.sizes).drop_front(indices.size()))), indices.size());
}

// Lets the operation that makes a yielded row write it where it would be copied to.
void Emitter::passDestinations(Operation *yield, size_t skip, ArrayRef<std::optional<Buffer>> rows) {
  llvm::DenseSet<Value> taken;
  for (auto [value, row] : llvm::zip(yield->getOperands().drop_front(skip), rows)) {
    if (!row)
      continue;
    Value made = ownership->same(value);
    Operation *maker = made.getDefiningOp();
    if (!maker || maker->getBlock() != yield->getBlock() || !ownership->isFresh(made))
      continue;
    if (isa<MapOp, ScanOp, IotaOp, ReplicateOp, LiteralOp, ConcatOp, CopyOp, AllocOp, ReshapeOp>(maker) &&
        taken.insert(made).second)
      frame->destinations[made] = *row;
  }
}

// Stores what a body yields; a row that was written in place is there already.
void Emitter::writeElement(Value source, const Buffer &array, Value offset, const std::optional<Buffer> &row) {
  if (!row) {
    store(array, offset, scalar(source));
    return;
  }
  Buffer value = buffer(source);
  for (auto [dimension, there, wanted] : llvm::enumerate(value.sizes, row->sizes))
    if (there != wanted) {
      Value isEqual = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, there, wanted);
      check(isEqual, FERRY_FAIL_SHAPE, source.getLoc(), "row", {there, wanted});
    }
  if (value.data != row->data)
    copyElements(*row, value);
}

//===- Map --------------------------------------------------------------------------------------------------------===//

void Emitter::emitMap(MapOp op) {
  Block &body = op.getBody().front();
  Operation *yield = body.getTerminator();
  Values sizes = scalars(op.getSizes());
  for (auto [result, yielded] : llvm::zip(op.getResults(), yield->getOperands())) {
    Values extents = sizes;
    extents.append(rowSizes(yielded, op));
    makeResult(result, extents);
  }
  Value points = product(sizes);
  inChunks(points, chunkCount(points, grainOf(op)), [&](Value, Value from, Value to) {
    if (from) { // in a function of its own, which runs this once
      auto domain = LLVM::AliasScopeDomainAttr::get(b.getContext());
      for (Value yielded : yield->getOperands())
        frame->outputs.push_back(isa<RankedTensorType>(yielded.getType()) ? Attribute()
                                                                          : LLVM::AliasScopeAttr::get(domain));
    }
    gridLoop(scalars(op.getSizes()), from, to, {}, [&](ValueRange indices, Value flat, ValueRange) {
      SmallVector<std::optional<Buffer>> rows = outputRows(op.getResults(), yield->getOperands(), indices, flat);
      bindPoint(body, op.getInputs(), indices, flat);
      passDestinations(yield, 0, rows);
      emitBody(body, [&](Operation *) {
        for (auto [index, yielded, result, row] : llvm::enumerate(yield->getOperands(), op.getResults(), rows))
          if (row)
            writeElement(yielded, buffer(result), flat, row);
          else
            storeOutput(buffer(result), flat, scalar(yielded), index);
      });
      return Values();
    });
  });
}

// Where each yielded row goes; nothing for a scalar.
SmallVector<std::optional<Buffer>> Emitter::outputRows(ValueRange results, ValueRange yielded, ValueRange indices,
                                                       Value flat) {
  SmallVector<std::optional<Buffer>> rows;
  for (auto [result, value] : llvm::zip(results, yielded)) {
    rows.emplace_back();
    if (!isa<RankedTensorType>(value.getType()))
      continue;
    rows.back() = elementRow(buffer(result), indices, flat);
    rows.back()->block = nullPointer();
  }
  return rows;
}

//===- Reduce -----------------------------------------------------------------------------------------------------===//

void Emitter::emitReduce(ReduceOp op) {
  if (llvm::any_of(op.getNeutral().getTypes(), llvm::IsaPred<RankedTensorType>))
    emitRowReduce(op);
  else
    emitScalarReduce(op);
}

static bool isSingleFloatOperation(Block &combiner) {
  return llvm::hasNItems(combiner, 2) &&
         isa<arith::AddFOp, arith::MulFOp, arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(
             combiner.front());
}

// The operator applied to scalars.
Values Emitter::combine(Block &combiner, ValueRange left, ValueRange right) {
  for (auto [index, argument] : llvm::enumerate(combiner.getArguments()))
    frame->scalars[argument] = index < left.size() ? left[index] : right[index - left.size()];
  Values results;
  isReassociable = isSingleFloatOperation(combiner);
  emitBody(combiner, [&](Operation *yield) { results = scalars(yield->getOperands()); });
  isReassociable = false;
  return results;
}

void Emitter::emitScalarReduce(ReduceOp op) {
  Block &body = op.getBody().front(), &combiner = op.getCombiner().front();
  auto point = [&](ValueRange indices, Value flat, ValueRange carried) {
    bindPoint(body, op.getInputs(), indices, flat);
    Values results;
    emitBody(body, [&](Operation *yield) { results = combine(combiner, carried, scalars(yield->getOperands())); });
    return results;
  };
  Values results;
  if (!frame->isParallel) {
    results = wholeGrid(scalars(op.getSizes()), scalars(op.getNeutral()), point);
  } else {
    Value points = product(scalars(op.getSizes())), chunks = chunkCount(points, grainOf(op));
    SmallVector<Buffer> partials;
    for (Value neutral : op.getNeutral())
      partials.push_back(allocate(FERRY_SCRATCH, "", neutral.getType(), chunks));
    inChunks(points, chunks, [&](Value chunk, Value from, Value to) {
      Values local = gridLoop(scalars(op.getSizes()), from, to, scalars(op.getNeutral()), point);
      for (auto [partial, value] : llvm::zip(partials, local))
        store(here(partial), chunk, value);
    });
    results = loop(constant(0), chunks, scalars(op.getNeutral()), [&](Value chunk, ValueRange carried) {
      Values local;
      for (const Buffer &partial : partials)
        local.push_back(load(partial, chunk));
      return combine(combiner, carried, local);
    });
    for (const Buffer &partial : partials)
      release(partial);
  }
  for (auto [result, value] : llvm::zip(op.getResults(), results))
    frame->scalars[result] = value;
}

//===- Reductions of rows -----------------------------------------------------------------------------------------===//

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

// Rows are reduced one after another. What is accumulated and what the operator makes of it take turns in two memories,
// whose addresses are carried, accumulated one first.
void Emitter::emitRowReduce(ReduceOp op) {
  Block &body = op.getBody().front(), &combiner = op.getCombiner().front();
  SmallVector<std::optional<Buffer>> made, spare;
  Values initial;
  for (auto [result, neutral] : llvm::zip(op.getResults(), op.getNeutral())) {
    made.emplace_back();
    spare.emplace_back();
    if (!isa<RankedTensorType>(neutral.getType())) {
      initial.push_back(scalar(neutral));
      continue;
    }
    Buffer from = buffer(neutral);
    made.back() = makeResult(result, from.sizes);
    spare.back() = allocate(FERRY_SCRATCH, "", from.element, from.sizes);
    copyElements(*made.back(), from);
    initial.append({made.back()->data, spare.back()->data});
  }
  auto rowAtAddress = [&](const Buffer &like, Value data) {
    return Buffer{like.element, nullPointer(), data, like.sizes, {}};
  };
  auto point = [&](ValueRange indices, Value flat, ValueRange carried) {
    SmallVector<Element> accumulated;
    SmallVector<std::optional<Buffer>> next;
    size_t at = 0;
    for (const std::optional<Buffer> &row : made) {
      next.emplace_back();
      if (!row) {
        accumulated.push_back({carried[at++], {}});
        continue;
      }
      accumulated.push_back({{}, rowAtAddress(*row, carried[at])});
      next.back() = rowAtAddress(*row, carried[at + 1]);
      at += 2;
    }
    bindPoint(body, op.getInputs(), indices, flat);
    Values combined, results;
    emitBody(body, [&](Operation *yield) {
      SmallVector<Element> elements;
      for (Value value : yield->getOperands())
        elements.push_back(elementFrom(value));
      combined = combineRows(combiner, accumulated, elements, next);
    });
    size_t scalarAt = 0;
    for (auto [old, row] : llvm::zip(accumulated, next))
      if (row)
        results.append({row->data, old.row->data});
      else
        results.push_back(combined[scalarAt++]);
    return results;
  };
  Values results = wholeGrid(scalars(op.getSizes()), initial, point);
  size_t at = 0;
  for (auto [result, row, extra] : llvm::zip(op.getResults(), made, spare)) {
    if (!row) {
      frame->scalars[result] = results[at++];
      continue;
    }
    Value isElsewhere = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, results[at], row->data);
    when(isElsewhere, [&] { copyElements(*row, rowAtAddress(*row, results[at])); });
    release(*extra);
    at += 2;
  }
}

} // namespace ferry::codegen
