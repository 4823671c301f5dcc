// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalars, addresses, loads and stores, and what a function sees of the one around it. Setup code (constants, values
// that were passed in, stack memory) goes to the entry block, which every other block is dominated by.

#include "codegen/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ferry::array;

namespace ferry::codegen {

Emitter::Emitter(ModuleOp module, int64_t grain, KernelLanguage kernels)
    : module(module), b(module.getLoc(), module.getContext()), i1(b.getI1Type()), i8(b.getI8Type()),
      i32(b.getI32Type()), i64(b.getI64Type()), pointer(LLVM::LLVMPointerType::get(module.getContext())), grain(grain),
      kernels(kernels) {}

void Emitter::setInSetup(llvm::function_ref<void()> write) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(frame->function.getBody().front().getTerminator());
  write();
}

Value Emitter::constant(TypedAttr value) {
  Value &known = frame->constants[value];
  if (!known)
    setInSetup([&] { frame->constants[value] = arith::ConstantOp::create(b, value); });
  return frame->constants[value];
}

Value Emitter::nullPointer() {
  Attribute key = TypeAttr::get(pointer);
  if (!frame->constants[key])
    setInSetup([&] { frame->constants[key] = LLVM::ZeroOp::create(b, pointer); });
  return frame->constants[key];
}

//===- Values of the source function ------------------------------------------------------------------------------===//

Value Emitter::capture(Value outer) { return capture(*frame, outer); }

// A value of the parent's function in this one: passed in a slot, or made again if it is a constant.
Value Emitter::capture(Frame &frame, Value outer) {
  auto it = frame.captured.find(outer);
  if (it != frame.captured.end())
    return it->second;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(frame.function.getBody().front().getTerminator());
  Value inner;
  if (Operation *maker = outer.getDefiningOp();
      isa_and_nonnull<arith::ConstantOp, LLVM::ZeroOp, LLVM::AddressOfOp>(maker)) {
    inner = b.clone(*maker)->getResult(0);
  } else if (frame.isKernel) {
    frame.slots.push_back(outer);
    inner = frame.function.getBody().front().addArgument(outer.getType(), b.getLoc());
  } else {
    Value slot = slotAddress(frame.environment, frame.slots.size());
    frame.slots.push_back(outer);
    inner = LLVM::LoadOp::create(b, outer.getType(), slot);
  }
  frame.captured[outer] = inner;
  return inner;
}

Value Emitter::scalar(Value source) {
  if (auto it = frame->scalars.find(source); it != frame->scalars.end())
    return it->second;
  if (auto known = source.getDefiningOp<arith::ConstantOp>())
    return constant(known.getValue());
  Frame *inner = frame;
  if (!inner->parent) {
    hasFailed = true; // a value that its operation did not make: that operation has reported
    return constant(b.getZeroAttr(source.getType()));
  }
  if (auto cell = inner->parent->cells.find(source); cell != inner->parent->cells.end()) {
    Buffer memory = here(cell->second);
    setInSetup([&] { frame->scalars[source] = load(memory, constant(0)); });
    return frame->scalars[source];
  }
  frame = inner->parent;
  Value outer = scalar(source);
  frame = inner;
  return frame->scalars[source] = capture(outer);
}

Values Emitter::scalars(ValueRange sources) {
  Values result;
  for (Value source : sources)
    result.push_back(scalar(source));
  return result;
}

Buffer Emitter::buffer(Value source) {
  if (auto it = frame->buffers.find(source); it != frame->buffers.end())
    return it->second;
  Frame *inner = frame;
  if (!inner->parent) {
    hasFailed = true;
    auto type = cast<RankedTensorType>(source.getType());
    Buffer none{type.getElementType(), nullPointer(), nullPointer(), Values(type.getRank(), constant(0)), {}};
    return frame->buffers[source] = none;
  }
  frame = inner->parent;
  Buffer outer = buffer(source);
  frame = inner;
  Buffer result{outer.element, capture(outer.block), capture(outer.data), {}, {}};
  for (Value size : outer.sizes)
    result.sizes.push_back(capture(size));
  for (Value stride : outer.strides)
    result.strides.push_back(capture(stride));
  return frame->buffers[source] = std::move(result);
}

SmallVector<Buffer> Emitter::buffers(ValueRange sources) {
  return llvm::map_to_vector(sources, [&](Value source) { return buffer(source); });
}

//===- Arithmetic on extents and offsets, which fit 64 bits -------------------------------------------------------===//

static std::optional<int64_t> known(Value value) {
  auto constant = value.getDefiningOp<arith::ConstantIntOp>();
  return constant ? std::optional(constant.value()) : std::nullopt;
}

static constexpr auto noWrap = arith::IntegerOverflowFlags::nsw;

Value Emitter::add(Value x, Value y) {
  if (known(x) == 0)
    return y;
  if (known(x) && known(y))
    return constant(*known(x) + *known(y));
  return known(y) == 0 ? x : arith::AddIOp::create(b, x, y, noWrap).getResult();
}

Value Emitter::sub(Value x, Value y) { return known(y) == 0 ? x : arith::SubIOp::create(b, x, y, noWrap).getResult(); }

Value Emitter::mul(Value x, Value y) {
  if (known(x) == 1 || known(y) == 0)
    return y;
  if (known(x) && known(y) && known(x) < int64_t(1) << 31 && known(y) < int64_t(1) << 31)
    return constant(*known(x) * *known(y));
  return known(y) == 1 || known(x) == 0 ? x : arith::MulIOp::create(b, x, y, noWrap).getResult();
}

Value Emitter::less(Value x, Value y) { return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, x, y); }

Value Emitter::minimum(Value x, Value y) {
  if (known(x) && known(y))
    return *known(x) < *known(y) ? x : y;
  return arith::MinSIOp::create(b, x, y);
}

Value Emitter::maximum(Value x, Value y) {
  if (known(x) && known(y))
    return *known(x) > *known(y) ? x : y;
  return arith::MaxSIOp::create(b, x, y);
}

Value Emitter::quotient(Value x, Value y) {
  if (known(x) && known(y))
    return constant(*known(x) / *known(y));
  return arith::DivUIOp::create(b, x, y);
}

Value Emitter::product(ValueRange factors) {
  Value result = constant(1);
  for (Value factor : factors)
    result = mul(result, factor);
  return result;
}

//===- Memory -----------------------------------------------------------------------------------------------------===//

Type Emitter::storage(Type element) { return element.isInteger(1) ? i8 : element; }

int64_t Emitter::byteSize(Type element) { return (storage(element).getIntOrFloatBitWidth() + 7) / 8; }

Value Emitter::bytesOf(const Buffer &array) { return mul(product(array.sizes), constant(byteSize(array.element))); }

Value Emitter::address(const Buffer &array, Value offset) {
  if (known(offset) == 0)
    return array.data;
  return LLVM::GEPOp::create(b, pointer, storage(array.element), array.data, ArrayRef<LLVM::GEPArg>(offset),
                             LLVM::GEPNoWrapFlags::inbounds);
}

Value Emitter::strideOf(const Buffer &array, int64_t dimension) {
  if (!array.isContiguous())
    return array.strides[dimension];
  return product(ArrayRef<Value>(array.sizes).drop_front(dimension + 1));
}

Value Emitter::offsetOf(const Buffer &array, ValueRange indices) {
  Value offset = constant(0);
  if (array.isContiguous()) { // Horner's rule
    for (auto [dimension, index] : llvm::enumerate(indices))
      offset = add(dimension == 0 ? offset : mul(offset, array.sizes[dimension]), index);
    return mul(offset, product(ArrayRef<Value>(array.sizes).drop_front(indices.size())));
  }
  for (auto [dimension, index] : llvm::enumerate(indices))
    offset = add(offset, mul(index, array.strides[dimension]));
  return offset;
}

Value Emitter::load(const Buffer &array, Value offset) {
  auto load = LLVM::LoadOp::create(b, storage(array.element), address(array, offset));
  SmallVector<Attribute> outputs = llvm::filter_to_vector(frame->outputs, [](Attribute scope) { return scope; });
  if (!outputs.empty())
    load.setNoaliasScopesAttr(b.getArrayAttr(outputs));
  if (array.element.isInteger(1))
    return arith::TruncIOp::create(b, i1, load.getResult());
  return load.getResult();
}

LLVM::StoreOp Emitter::store(const Buffer &array, Value offset, Value value) {
  if (array.element.isInteger(1))
    value = arith::ExtUIOp::create(b, i8, value);
  LLVM::StoreOp made;
  auto write = [&] { made = LLVM::StoreOp::create(b, value, address(array, offset)); };
  if (frame->isGroup)
    byFirst(write);
  else
    write();
  return made;
}

// The elements at one offset of several arrays.
Values Emitter::loadAll(ArrayRef<Buffer> arrays, Value index) {
  Values values;
  for (const Buffer &array : arrays)
    values.push_back(load(array, index));
  return values;
}

void Emitter::storeAll(ArrayRef<Buffer> arrays, Value index, ValueRange values) {
  for (auto [array, value] : llvm::zip(arrays, values))
    store(array, index, value);
}

// Stores an element of a map's result.
void Emitter::storeOutput(const Buffer &array, Value offset, Value value, size_t output) {
  LLVM::StoreOp made = store(array, offset, value);
  SmallVector<Attribute> others;
  for (auto [index, scope] : llvm::enumerate(frame->outputs))
    if (scope && index != output)
      others.push_back(scope);
  if (output < frame->outputs.size() && frame->outputs[output])
    made.setAliasScopesAttr(b.getArrayAttr(frame->outputs[output]));
  if (!others.empty())
    made.setNoaliasScopesAttr(b.getArrayAttr(others));
}

Buffer Emitter::rowAt(const Buffer &array, Value offset, int64_t leading) {
  Buffer row{array.element, array.block, address(array, offset), Values(llvm::drop_begin(array.sizes, leading)), {}};
  if (!array.isContiguous())
    row.strides = Values(llvm::drop_begin(array.strides, leading));
  return row;
}

Buffer Emitter::rowOf(const Buffer &array, ValueRange indices) {
  return rowAt(array, offsetOf(array, indices), indices.size());
}

Value Emitter::stackSlots(int64_t count) {
  Value slots;
  setInSetup([&] {
    Value size = arith::ConstantOp::create(b, b.getI64IntegerAttr(std::max<int64_t>(count, 1)));
    slots = LLVM::AllocaOp::create(b, pointer, i64, size, 8);
  });
  return slots;
}

Value Emitter::slotAddress(Value slots, int64_t index) {
  if (index == 0)
    return slots;
  return LLVM::GEPOp::create(b, pointer, i64, slots, ArrayRef<LLVM::GEPArg>(static_cast<int32_t>(index)),
                             LLVM::GEPNoWrapFlags::inbounds);
}

} // namespace ferry::codegen
