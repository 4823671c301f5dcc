// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the run-time, and the constant records that name operations and failures. See runtime/abi.h.

#include "codegen/Emitter.h"
#include "codegen/KernelForm.h"
#include "codegen/Locations.h"

using namespace mlir;
using namespace ferry::array;

namespace ferry::codegen {

LLVM::LLVMFuncOp Emitter::runtimeFunction(StringRef name, Type result, ArrayRef<Type> arguments) {
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  auto function = LLVM::LLVMFuncOp::create(b, name, LLVM::LLVMFunctionType::get(result, arguments));
  function.setNoUnwind(true);
  if (name == "ferry_rt_fail")
    function.setPassthroughAttr(b.getStrArrayAttr({"noreturn", "cold"}));
  if (name == "ferry_rt_alloc_array")
    function.setResultAttr(0, LLVM::LLVMDialect::getNoAliasAttrName(), b.getUnitAttr());
  return function;
}

Value Emitter::call(StringRef name, Type result, ValueRange arguments) {
  SmallVector<Type> types(arguments.getTypes());
  return LLVM::CallOp::create(b, runtimeFunction(name, result, types), arguments).getResult();
}

void Emitter::call(StringRef name, ValueRange arguments) {
  SmallVector<Type> types(arguments.getTypes());
  LLVM::CallOp::create(b, runtimeFunction(name, LLVM::LLVMVoidType::get(b.getContext()), types), arguments);
}

//===- Constants of the module ------------------------------------------------------------------------------------===//

Value Emitter::text(StringRef text) { return bytes(text.str() + '\0'); }

Value Emitter::bytes(StringRef bytes) {
  LLVM::GlobalOp &global = texts[bytes];
  if (!global) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMArrayType::get(i8, bytes.size());
    global = LLVM::GlobalOp::create(b, type, true, LLVM::Linkage::Private, "ferry_text_" + std::to_string(texts.size()),
                                    b.getStringAttr(bytes));
  }
  return LLVM::AddressOfOp::create(b, global);
}

// The constant with the given members, strings as pointers to text; the same one for equal members.
LLVM::GlobalOp Emitter::recordOf(ArrayRef<Attribute> members) {
  LLVM::GlobalOp &global = records[b.getArrayAttr(members)];
  if (!global) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    SmallVector<Type> types;
    for (Attribute member : members)
      types.push_back(isa<IntegerAttr>(member) ? i32 : pointer);
    auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), types);
    global = LLVM::GlobalOp::create(b, type, true, LLVM::Linkage::Private,
                                    "ferry_record_" + std::to_string(records.size()), Attribute());
    b.createBlock(&global.getInitializerRegion());
    Value value = LLVM::UndefOp::create(b, type);
    for (auto [index, member] : llvm::enumerate(members)) {
      Value part;
      if (auto string = dyn_cast<StringAttr>(member))
        part = text(string.getValue());
      else if (auto number = dyn_cast<IntegerAttr>(member))
        part = LLVM::ConstantOp::create(b, i32, number);
      else
        part = LLVM::ZeroOp::create(b, pointer);
      value = LLVM::InsertValueOp::create(b, value, part, static_cast<int64_t>(index));
    }
    LLVM::ReturnOp::create(b, value);
  }
  return global;
}

Value Emitter::record(ArrayRef<Attribute> members) { return LLVM::AddressOfOp::create(b, recordOf(members)); }

Value Emitter::operationRecord(Operation *op) {
  Place place = placeOf(op->getLoc());
  std::string name = nameOf(op->getLoc());
  if (auto launch = dyn_cast<LaunchOp>(op))
    name = launch.getName().str();
  else if (name.empty())
    name = op->getName().stripDialect().str();
  return record({b.getStringAttr(name), b.getStringAttr(place.file), b.getI32IntegerAttr(place.line),
                 b.getI32IntegerAttr(place.column)});
}

//===- Failures ---------------------------------------------------------------------------------------------------===//

void Emitter::fail(FerryFailureKind kind, Location location, StringRef message, ValueRange values) {
  Place place = placeOf(location);
  Attribute text = message.empty() ? Attribute(b.getUnitAttr()) : b.getStringAttr(message);
  Attribute file = place.file.empty() ? Attribute(b.getUnitAttr()) : b.getStringAttr(place.file);
  LLVM::GlobalOp what = recordOf({b.getI32IntegerAttr(kind), b.getI32IntegerAttr(place.line),
                                  b.getI32IntegerAttr(place.column), b.getI32IntegerAttr(0), file, text});
  Values arguments;
  if (frame->isKernel)
    arguments = {frame->order, failureNumber(what)};
  else
    arguments = {frame->context, LLVM::AddressOfOp::create(b, what)};
  for (int64_t i = 0; i < 4; ++i)
    arguments.push_back(i < static_cast<int64_t>(values.size()) ? values[i] : constant(0));
  call(frame->isKernel ? StringRef(kFail) : "ferry_rt_fail", arguments);
}

void Emitter::check(Value holds, FerryFailureKind kind, Location location, StringRef message, ValueRange values) {
  Value isBroken = arith::XOrIOp::create(b, holds, constant(b.getBoolAttr(true)));
  when(isBroken, [&] { fail(kind, location, message, values); });
}

//===- Blocks -----------------------------------------------------------------------------------------------------===//

int32_t Emitter::sideFor(Operation *op) {
  if (isInsideSoac(op))
    return FERRY_SCRATCH;
  return runningSide(op) == Side::device ? FERRY_DEVICE : FERRY_HOST;
}

// How many bytes an array takes, or what no machine has if that is more: the extents are the program's, and their
// product need not fit 64 bits.
Value Emitter::bytesToAllocate(Type element, ValueRange sizes) {
  Type wide = b.getIntegerType(128);
  auto widened = [&](Value value) -> Value { return arith::ExtSIOp::create(b, wide, value); };
  Value most = constant(b.getIntegerAttr(wide, int64_t(1) << 62));
  Value bytes = constant(b.getIntegerAttr(wide, byteSize(element)));
  for (Value size : sizes)
    bytes = arith::MinSIOp::create(b, arith::MulIOp::create(b, bytes, widened(size)), most);
  return arith::TruncIOp::create(b, i64, bytes);
}

Buffer Emitter::allocate(int32_t side, StringRef name, Type element, ValueRange sizes) {
  if (frame->isKernel)
    return allocateInKernel(element, sizes);
  Values extents;
  for (Value size : sizes)
    extents.push_back(size);
  Buffer made{element, {}, {}, extents, {}};
  Place place = placeOf(b.getLoc());
  Attribute label = name.empty() ? Attribute(b.getUnitAttr()) : b.getStringAttr(name);
  Attribute file = place.file.empty() ? Attribute(b.getUnitAttr()) : b.getStringAttr(place.file);
  Value array = record({label, file, b.getI32IntegerAttr(place.line), b.getI32IntegerAttr(place.column)});
  Values arguments{frame->context, constant(b.getI32IntegerAttr(side)), bytesToAllocate(element, sizes), array};
  made.block = call("ferry_rt_alloc_array", pointer, arguments);
  made.data = made.block;
  return made;
}

// The memory of a fresh array: what was set aside for it, or a block of its own.
Buffer Emitter::makeResult(Value source, ValueRange sizes) {
  Buffer made;
  auto type = cast<RankedTensorType>(source.getType());
  if (auto it = frame->destinations.find(source); it != frame->destinations.end()) {
    made = it->second;
    frame->destinations.erase(it);
  } else {
    int32_t side = sideFor(source.getDefiningOp());
    if (side != FERRY_SCRATCH && sideOf(type)) // a transfer, or host code that makes room on the device
      side = *sideOf(type) == Side::device ? FERRY_DEVICE : FERRY_HOST;
    made = allocate(side, nameOf(source.getLoc()), type.getElementType(), sizes);
  }
  frame->buffers[source] = made;
  return made;
}

static bool isNull(Value block) { return isa_and_nonnull<LLVM::ZeroOp>(block.getDefiningOp()); }

// Whether a kernel was handed the block: whoever launched it keeps it.
static bool isArgumentOf(Frame &kernel, Value block) {
  auto argument = dyn_cast<BlockArgument>(block);
  return argument && argument.getOwner() == &kernel.function.getBody().front();
}

void Emitter::retain(const Buffer &array) {
  if (isNull(array.block) || (frame->isKernel && isArgumentOf(*frame, array.block)))
    return;
  if (frame->isKernel)
    onceInGroup([&] { call(kRetain, array.block); });
  else
    call("ferry_rt_retain", {frame->context, array.block});
}

void Emitter::release(const Buffer &array) {
  if (isNull(array.block) || (frame->isKernel && isArgumentOf(*frame, array.block)))
    return;
  if (frame->isKernel)
    onceInGroup([&] { call(kRelease, array.block); });
  else
    call("ferry_rt_release", {frame->context, array.block});
}

} // namespace ferry::codegen
