// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over a range and over a grid, functions of their own for chunks and kernels, and copies of arrays.
//
// A grid of several dimensions is cut into chunks of its points in row-major order, so that any shape gives even
// chunks. A chunk goes row by row: the innermost loop is over consecutive points and has no division in it.

#include "codegen/Emitter.h"

using namespace mlir;

namespace ferry::codegen {

void Emitter::when(Value condition, llvm::function_ref<void()> body) {
  auto branch = scf::IfOp::create(b, condition, false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&branch.getThenRegion().front());
  size_t outside = workspaces.size();
  body();
  releaseWorkspaces(outside);
}

Values Emitter::eitherWay(Value condition, TypeRange types, llvm::function_ref<Values()> whereTrue,
                          llvm::function_ref<Values()> otherwise) {
  auto branch = scf::IfOp::create(b, types, condition, true, true);
  auto arm = [&](Region &region, llvm::function_ref<Values()> write) {
    OpBuilder::InsertionGuard guard(b);
    region.front().clear();
    b.setInsertionPointToStart(&region.front());
    Location location = b.getLoc();
    size_t outside = workspaces.size();
    Values results = write();
    releaseWorkspaces(outside);
    b.setLoc(location);
    scf::YieldOp::create(b, results);
  };
  arm(branch.getThenRegion(), whereTrue);
  arm(branch.getElseRegion(), otherwise);
  return Values(branch.getResults());
}

Values Emitter::loopBy(Value step, Value from, Value to, ValueRange carried, LoopBody body) {
  auto loop = scf::ForOp::create(b, from, to, step, carried);
  OpBuilder::InsertionGuard guard(b);
  loop.getBody()->clear();
  b.setInsertionPointToStart(loop.getBody());
  Location location = b.getLoc();
  size_t outside = workspaces.size();
  Values results = body(loop.getInductionVar(), loop.getRegionIterArgs());
  releaseWorkspaces(outside);
  b.setLoc(location);
  scf::YieldOp::create(b, results);
  return Values(loop.getResults());
}

// All points of a grid in row-major order.
Values Emitter::wholeGrid(ValueRange sizes, ValueRange carried, PointBody body) {
  Values indices;
  std::function<Values(Value, ValueRange)> nest = [&](Value flat, ValueRange carried) -> Values {
    size_t dimension = indices.size();
    if (dimension == sizes.size())
      return body(indices, flat, carried);
    return loop(constant(0), sizes[dimension], carried, [&](Value index, ValueRange carried) {
      indices.push_back(index);
      Values results = nest(dimension == 0 ? index : add(mul(flat, sizes[dimension]), index), carried);
      indices.pop_back();
      return results;
    });
  };
  return nest(constant(0), carried);
}

// The points [from, to) of a grid in row-major order, of which there are some; all points if `from` is null.
Values Emitter::gridLoop(ValueRange sizes, Value from, Value to, ValueRange carried, PointBody body) {
  if (!from)
    return wholeGrid(sizes, carried, body);
  if (frame->isPoint) {
    Values indices(sizes.size());
    Value rest = from;
    for (size_t d = sizes.size(); d-- > 1;) {
      indices[d] = arith::RemUIOp::create(b, rest, sizes[d]);
      rest = arith::DivUIOp::create(b, rest, sizes[d]);
    }
    indices[0] = rest;
    return body(indices, from, carried);
  }
  if (sizes.size() == 1)
    return loop(from, to, carried,
                [&](Value index, ValueRange carried) { return body(ValueRange(index), index, carried); });
  Value width = sizes.back();
  Value firstRow = arith::DivSIOp::create(b, from, width);
  Value rowsEnd = add(arith::DivSIOp::create(b, sub(to, constant(1)), width), constant(1));
  return loop(firstRow, rowsEnd, carried, [&](Value row, ValueRange carried) {
    Values indices(sizes.size());
    Value rest = row;
    for (int64_t d = sizes.size() - 2; d > 0; --d) {
      indices[d] = arith::RemSIOp::create(b, rest, sizes[d]);
      rest = arith::DivSIOp::create(b, rest, sizes[d]);
    }
    indices[0] = rest;
    Value begin = mul(row, width);
    Value first = maximum(sub(from, begin), constant(0)), end = minimum(sub(to, begin), width);
    return loop(first, end, carried, [&](Value column, ValueRange carried) {
      indices.back() = column;
      return body(indices, add(begin, column), carried);
    });
  });
}

//===- Functions of their own -------------------------------------------------------------------------------------===//

// Writes a function whose first argument is the slots passed to it, or the context if it has no function around it.
Frame &Emitter::inFunction(StringRef name, bool isParallel, TypeRange arguments,
                           llvm::function_ref<void(ValueRange)> body, bool isKernel) {
  OpBuilder::InsertionGuard guard(b);
  Location location = b.getLoc();
  b.setInsertionPointToEnd(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()), llvm::to_vector(arguments));
  auto function = LLVM::LLVMFuncOp::create(b, name, type, frame ? LLVM::Linkage::Internal : LLVM::Linkage::External);
  function.setNoUnwind(true);
  Block *setup = function.addEntryBlock(b);
  Block *start = b.createBlock(&function.getBody());
  b.setInsertionPointToEnd(setup);
  LLVM::BrOp::create(b, ValueRange(), start);

  Frame *outer = frame;
  frames.emplace_back();
  frame = &frames.back();
  frame->parent = outer;
  frame->function = function;
  frame->environment = setup->getArgument(0);
  frame->isParallel = isParallel;
  frame->isKernel = isKernel;
  if (outer && !isKernel)
    frame->context = capture(outer->context);
  b.setInsertionPointToEnd(start);
  body(setup->getArguments());
  b.setLoc(location);
  LLVM::ReturnOp::create(b, ValueRange());
  Frame &written = *frame;
  frame = outer;
  return written;
}

// Puts what a function needs into stack memory.
Value Emitter::passSlots(const Frame &callee) {
  Value slots = stackSlots(callee.slots.size());
  for (auto [index, value] : llvm::enumerate(callee.slots))
    if (value)
      LLVM::StoreOp::create(b, value, slotAddress(slots, index));
  return slots;
}

Value Emitter::chunkCount(Value points, Value worthAThread) {
  if (!frame->isParallel)
    return constant(1);
  if (frame->isLaunch || frame->isGroup)
    return points;
  return call("ferry_rt_chunks", i64, {frame->context, points, grain ? constant(grain) : worthAThread});
}

// The same where each chunk leaves something behind that is gathered afterwards.
Value Emitter::partCount(Value points, Value worthAThread) {
  if (frame->isGroup && frame->isParallel)
    return minimum(maximum(quotient(points, maximum(worthAThread, constant(1))), constant(1)), frame->groupSize);
  if (!frame->isLaunch)
    return chunkCount(points, worthAThread);
  return call("ferry_rt_chunks", i64, {frame->context, points, worthAThread});
}

// Part number `part` of the points, in order: from where to where.
std::pair<Value, Value> Emitter::partOf(Value points, Value parts, Value part) {
  Value each = arith::DivUIOp::create(b, points, parts), longer = arith::RemUIOp::create(b, points, parts);
  Value from = add(mul(part, each), minimum(part, longer));
  return {from, add(from, add(each, arith::ExtUIOp::create(b, i64, less(part, longer))))};
}

// Cuts [0, points) into chunks that run in parallel. Inside a chunk or a sequential kernel, runs the body here, with
// null for the bounds of all points.
void Emitter::inChunks(Value points, Value chunks, llvm::function_ref<void(Value, Value, Value)> body) {
  if (!frame->isParallel)
    return body(constant(0), {}, {});
  if (frame->isGroup)
    return inItems(points, chunks, body);
  if (frame->isLaunch && chunks == points)
    return onDevice(points, Items::points, [&](Value item) { body(item, item, add(item, constant(1))); });
  if (frame->isLaunch)
    return onDevice(chunks, Items::parts, [&](Value item) {
      auto [from, to] = partOf(here(points), here(chunks), item);
      body(item, from, to);
    });
  std::string name = (source.getName() + "_chunk_" + Twine(functions++)).str();
  Frame &callee = inFunction(name, false, {pointer, i64, i64, i64},
                             [&](ValueRange arguments) { body(arguments[1], arguments[2], arguments[3]); });
  Value slots = passSlots(callee);
  Value function = LLVM::AddressOfOp::create(b, callee.function);
  call("ferry_rt_parallel_for", {frame->context, function, slots, points, chunks});
}

//===- Copies -----------------------------------------------------------------------------------------------------===//

// How many bytes or elements a chunk of a copy has at least: less than that, a thread is not worth its start.
static constexpr int64_t copyGrain = 1 << 17;

void Emitter::copyElements(const Buffer &to, const Buffer &from) {
  if (to.isContiguous() && from.isContiguous() && !frame->isLaunch && !frame->isGroup) {
    Value bytes = bytesOf(to);
    inChunks(bytes, chunkCount(bytes, copyGrain), [&](Value, Value begin, Value end) {
      if (!begin) {
        LLVM::MemcpyOp::create(b, to.data, from.data, bytes, false);
        return;
      }
      Buffer target{i8, {}, here(to.data), {}, {}}, origin{i8, {}, here(from.data), {}, {}};
      LLVM::MemcpyOp::create(b, address(target, begin), address(origin, begin), sub(end, begin), false);
    });
    return;
  }
  std::optional<int64_t> along = frame->isLaunch ? transposedDimension(to, from) : std::nullopt;
  if (along)
    return transpose(to, from, *along);
  inGrid(to.sizes, copyGrain, {to, from}, [&](ArrayRef<Buffer> arrays, ValueRange indices) {
    store(arrays[0], offsetOf(arrays[0], indices), load(arrays[1], offsetOf(arrays[1], indices)));
  });
}

void Emitter::fill(const Buffer &to, Value value) {
  inGrid(to.sizes, copyGrain, {to}, [&](ArrayRef<Buffer> arrays, ValueRange indices) {
    store(arrays[0], offsetOf(arrays[0], indices), here(value));
  });
}

// A value of the function that cut the chunks, in the chunk.
Value Emitter::here(Value value) {
  if (value.getParentRegion()->isAncestor(b.getInsertionBlock()->getParent()))
    return value;
  return capture(value);
}

Buffer Emitter::here(const Buffer &array) {
  Buffer result{array.element, array.block ? here(array.block) : Value(), here(array.data), {}, {}};
  for (Value size : array.sizes)
    result.sizes.push_back(here(size));
  for (Value stride : array.strides)
    result.strides.push_back(here(stride));
  return result;
}

SmallVector<Buffer> Emitter::hereAll(ArrayRef<Buffer> arrays) {
  return llvm::map_to_vector(arrays, [&](const Buffer &array) { return here(array); });
}

// Once per point of a grid, in parallel chunks; the arrays are as the chunk sees them.
void Emitter::inGrid(ValueRange sizes, int64_t grain, ArrayRef<Buffer> arrays,
                     llvm::function_ref<void(ArrayRef<Buffer>, ValueRange)> body) {
  if (sizes.empty() && frame->isLaunch)
    return onDevice(constant(1), Items::points, [&](Value) { body(hereAll(arrays), {}); });
  if (sizes.empty())
    return body(arrays, {});
  Value points = product(sizes);
  inChunks(points, chunkCount(points, grain), [&](Value, Value from, Value to) {
    Values extents;
    for (Value size : sizes)
      extents.push_back(here(size));
    SmallVector<Buffer> seen = hereAll(arrays);
    gridLoop(extents, from, to, {}, [&](ValueRange indices, Value, ValueRange) {
      body(seen, indices);
      return Values();
    });
  });
}

} // namespace ferry::codegen
