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
  // Where items of a group cannot part, they go through the points together.
  bool isTogether = frame->isGroup && isSoac(&op) && !isa<MapOp>(op) && !runsApart(&op);
  bool wasParallel = frame->isParallel;
  frame->isParallel &= !isTogether;
  bool isKnown = emitSoacAsIs(op);
  frame->isParallel = wasParallel;
  return isKnown;
}

bool Emitter::emitSoacAsIs(Operation &op) {
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

// Whether a yielded row's maker can write it where it would be copied to.
bool Emitter::isWrittenInPlace(Value made, Operation *yield) {
  Operation *maker = made.getDefiningOp();
  return maker && maker->getBlock() == yield->getBlock() && ownership->isFresh(made) &&
         isa<MapOp, ScanOp, IotaOp, ReplicateOp, LiteralOp, ConcatOp, CopyOp, AllocOp, ReshapeOp>(maker);
}

// Lets the operation that makes a yielded row write it there.
void Emitter::passDestinations(Operation *yield, size_t skip, ArrayRef<std::optional<Buffer>> rows) {
  llvm::DenseSet<Value> taken;
  for (auto [value, row] : llvm::zip(yield->getOperands().drop_front(skip), rows)) {
    if (!row)
      continue;
    Value made = ownership->same(value);
    if (isWrittenInPlace(made, yield) && taken.insert(made).second)
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

// Whether an item that has many points one after another does better on a device that is a processor: where there is a
// loop in each, vectors of points can go through it.
bool Emitter::isBetterInRuns(MapOp op) {
  if (!frame->isLaunch || !frame->isParallel || kernels != KernelLanguage::openCl || !runsApart(op))
    return false;
  auto isLoop = [](Operation *inner) {
    return isa<ReduceOp, scf::ForOp>(inner) ? WalkResult::interrupt() : WalkResult::advance();
  };
  return op.getBody().walk(isLoop).wasInterrupted();
}

void Emitter::emitMap(MapOp op) {
  Block &body = op.getBody().front();
  Operation *yield = body.getTerminator();
  Values sizes = scalars(op.getSizes());
  for (auto [result, yielded] : llvm::zip(op.getResults(), yield->getOperands())) {
    Values extents = sizes;
    extents.append(rowSizes(yielded, op));
    makeResult(result, extents);
  }
  Value points = product(sizes), grain = grainOf(op);
  auto writePoints = [&](Value from, Value to) {
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
  };
  auto inParts = [&](Value parts) {
    inChunks(points, parts, [&](Value, Value from, Value to) {
      if (from) { // in a function of its own, which runs this once
        auto domain = LLVM::AliasScopeDomainAttr::get(b.getContext());
        for (Value yielded : yield->getOperands())
          frame->outputs.push_back(isa<RankedTensorType>(yielded.getType()) ? Attribute()
                                                                            : LLVM::AliasScopeAttr::get(domain));
      }
      writePoints(from, to);
    });
    return Values();
  };
  auto over = [&] {
    if (!isBetterInRuns(op))
      return inParts(chunkCount(points, grain));
    constexpr int64_t partsOfThread = 8; // evens out points of unequal work
    auto inRuns = [&] {
      return inParts(minimum(points, mul(partCount(points, constant(1)), constant(partsOfThread))));
    };
    return eitherWay(hasGroupsOfOne(), {}, inRuns, [&] { return inParts(points); });
  };
  auto inside = [&] {
    writePoints({}, {});
    return Values();
  };
  overOrInside(op, points, grain, {}, over, inside);
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

// Whether each value that an operator gives is a single operation, that commutes, of the values of its number.
bool Emitter::isCommutative(Block &combiner) {
  size_t count = combiner.getTerminator()->getNumOperands();
  for (auto [index, value] : llvm::enumerate(combiner.getTerminator()->getOperands())) {
    Operation *maker = value.getDefiningOp();
    if (!maker || !maker->hasTrait<OpTrait::IsCommutative>() || maker->getNumOperands() != 2)
      return false;
    Value left = combiner.getArgument(index), right = combiner.getArgument(count + index);
    if (!llvm::equal(maker->getOperands(), SmallVector<Value>{left, right}) &&
        !llvm::equal(maker->getOperands(), SmallVector<Value>{right, left}))
      return false;
  }
  return true;
}

// At a point of a SOAC's grid, numbered in row-major order.
void Emitter::atPoint(Operation *soac, Value point, llvm::function_ref<void(ValueRange indices, Value flat)> body) {
  bool wasPoint = std::exchange(frame->isPoint, true);
  gridLoop(scalars(sizesOf(soac)), point, {}, {}, [&](ValueRange indices, Value flat, ValueRange) {
    body(indices, flat);
    return Values();
  });
  frame->isPoint = wasPoint;
}

// What a reduction or a scan combines; `at` evaluates its body at a point of its grid in row-major order.
Emitter::Operands Emitter::operandsOf(Operation *soac, ValueRange neutral, bool isCommutative) {
  Block &body = soac->getRegion(0).front(), &combiner = soac->getRegion(1).front();
  return {llvm::to_vector(neutral.getTypes()), isCommutative, [this, neutral] { return scalars(neutral); },
          [this, soac, &body](Value point) {
            Values results;
            atPoint(soac, point, [&](ValueRange indices, Value flat) {
              bindPoint(body, inputsOf(soac).getAsOperandRange(), indices, flat);
              emitBody(body, [&](Operation *yield) { results = scalars(yield->getOperands()); });
            });
            return results;
          },
          [this, &combiner](ValueRange left, ValueRange right) { return combine(combiner, left, right); }};
}

void Emitter::emitScalarReduce(ReduceOp op) {
  Block &body = op.getBody().front(), &combiner = op.getCombiner().front();
  Value points = product(scalars(op.getSizes())), grain = grainOf(op);
  auto point = [&](ValueRange indices, Value flat, ValueRange carried) {
    bindPoint(body, op.getInputs(), indices, flat);
    Values results;
    emitBody(body, [&](Operation *yield) { results = combine(combiner, carried, scalars(yield->getOperands())); });
    return results;
  };
  Operands operands = operandsOf(op, op.getNeutral(), op.getCommutative() || isCommutative(combiner));
  bool isByGroups = isForGroups(op, operands.types);
  auto inside = [&] { return wholeGrid(scalars(op.getSizes()), scalars(op.getNeutral()), point); };
  auto over = [&]() -> Values {
    if (!frame->isParallel)
      return inside();
    if (isByGroups && frame->isGroup)
      return reduceTogether(operands, constant(0), points);
    if (isByGroups && frame->isLaunch)
      return reduceByGroups(operands, points, op.getResults());
    Value chunks = partCount(points, grain);
    SmallVector<Buffer> partials;
    for (Value neutral : op.getNeutral())
      partials.push_back(allocate(scratchSide(), "", neutral.getType(), chunks));
    inChunks(points, chunks, [&](Value chunk, Value from, Value to) {
      Values local = gridLoop(scalars(op.getSizes()), from, to, scalars(op.getNeutral()), point);
      storeAll(hereAll(partials), chunk, local);
    });
    Values all = onOneItem(op.getResults(), [&] {
      return loop(constant(0), here(chunks), scalars(op.getNeutral()), [&](Value chunk, ValueRange carried) {
        return combine(combiner, carried, loadAll(hereAll(partials), chunk));
      });
    });
    for (const Buffer &partial : partials)
      release(partial);
    return all;
  };
  Values results = overOrInside(op, points, grain, op.getNeutral().getTypes(), over, inside);
  for (auto [result, value] : llvm::zip(op.getResults(), results))
    frame->scalars[result] = value;
}

} // namespace ferry::codegen
