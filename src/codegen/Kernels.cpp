// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches on a device that does not run host code. A launch's body is host code: it makes the arrays and enqueues
// kernels. Where SOACs on a device that shares the process are cut into chunks, there is an item for each point here.
// Scalars that kernels compute stay on the device, in arrays of rank 0 (cells), from where later kernels read them.

#include "array/Soac.h"
#include "codegen/Emitter.h"
#include "codegen/KernelForm.h"
#include "codegen/Locations.h"

#include <algorithm>

using namespace mlir;
using namespace ferry::array;

namespace ferry::codegen {

//===- Kernels ----------------------------------------------------------------------------------------------------===//

// Writes a kernel that runs the body once for each of [0, items), and enqueues it.
void Emitter::onDevice(Value items, Items kind, llvm::function_ref<void(Value item)> body) {
  std::string name = source.getName().str();
  std::ranges::replace_if(name, [](char c) { return !llvm::isAlnum(c); }, '_'); // `f'` is a name, but not a device's
  name += "_" + std::to_string(functions++);
  auto item = [&](ValueRange arguments) {
    frame->isPoint = kind == Items::points;
    frame->order = arguments[0];
    if (kind == Items::groups)
      beginGroup(arguments[0]);
    body(arguments[0]);
  };
  Frame &kernel = inFunction(name, false, i64, item, true);
  heapsOfKernel.reset();
  enqueue(kernel, kind, items);
  if (heapsOfKernel)
    workspaces.push_back(*heapsOfKernel);
}

// Memory that kernels of this launch hand each other, until it ends.
Buffer Emitter::workspace(Type element, ValueRange sizes) {
  workspaces.push_back(allocate(FERRY_WORKSPACE, "", element, sizes));
  return workspaces.back();
}

// Those that were made last, down to as many: where what they were made in ends.
void Emitter::releaseWorkspaces(size_t left) {
  if (!frame->isLaunch)
    return;
  for (; workspaces.size() > left; workspaces.pop_back())
    release(workspaces.back());
}

void Emitter::makeCell(Value scalar) { frame->cells[scalar] = workspace(scalar.getType(), {}); }

// Numbers that a kernel has left, once it has ended: in stack memory, and as values.
Value Emitter::readNumbers(const Buffer &numbers, int64_t count) {
  Value slots = stackSlots(count);
  call("ferry_rt_read", {frame->context, slots, numbers.data, constant(count * 8)});
  return slots;
}

Values Emitter::readBack(const Buffer &numbers, int64_t count) {
  Value slots = readNumbers(numbers, count);
  Values result;
  for (int64_t i = 0; i < count; ++i)
    result.push_back(LLVM::LoadOp::create(b, i64, slotAddress(slots, i)));
  return result;
}

// What one item does after all others: here if this is the device, and then what it gives; else by a kernel, which
// leaves it in the results' cells.
Values Emitter::onOneItem(ValueRange results, llvm::function_ref<Values()> body) {
  if (!frame->isLaunch)
    return body();
  for (Value result : results)
    makeCell(result);
  onDevice(constant(1), Items::parts, [&](Value) {
    Values values = body();
    for (auto [result, value] : llvm::zip(results, values))
      store(here(frame->parent->cells[result]), constant(0), value);
  });
  return {};
}

//===- Arrays that kernels make -----------------------------------------------------------------------------------===//

Buffer Emitter::allocateInKernel(Type element, ValueRange sizes) {
  Values extents(sizes);
  Value bytes = mul(product(extents), constant(byteSize(element)));
  if (!frame->heap) {
    Block &entry = frame->function.getBody().front();
    Value base = entry.addArgument(pointer, b.getLoc()), each = entry.addArgument(i64, b.getLoc());
    entry.addArgument(i64, b.getLoc()); // how many items there are
    frame->slots.append(3, Value());
    frame->heap = {base, each};
  }
  frame->heapNeeds.push_back(bytes);
  bool isInLoop = b.getInsertionBlock()->getParentOp() != frame->function;
  if (isInLoop) // the array of this round, of the one before, and of the one around
    frame->heapNeeds.append(3, bytes);
  Value block = frame->isGroup ? allocateForGroup(bytes) : allocateFromHeap(bytes);
  return {element, block, block, extents, {}};
}

Value Emitter::allocateFromHeap(Value bytes) {
  Value block = call(kAllocate, pointer, {frame->heap->first, frame->heap->second, bytes});
  Value isNull = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, block, nullPointer());
  when(isNull, [&] {
    fail(FERRY_FAIL_TEXT, b.getLoc(), "a kernel's working memory is used up: it has {0} bytes", frame->heap->second);
  });
  return block;
}

// A kernel's value in the launch; nothing if it depends on the item or on device memory.
std::optional<Value> Emitter::inLaunch(Frame &kernel, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() != &kernel.function.getBody().front() || argument.getArgNumber() == 0)
      return std::nullopt;
    Value outer = kernel.slots[argument.getArgNumber() - 1];
    return outer ? std::optional(outer) : std::nullopt;
  }
  Operation *maker = value.getDefiningOp();
  if (auto known = dyn_cast<arith::ConstantOp>(maker))
    return constant(known.getValue());
  if (!isa<arith::ArithDialect>(maker->getDialect()))
    return std::nullopt;
  IRMapping mapping;
  for (Value operand : maker->getOperands()) {
    std::optional<Value> outer = inLaunch(kernel, operand);
    if (!outer)
      return std::nullopt;
    mapping.map(operand, *outer);
  }
  return b.clone(*maker, mapping)->getResult(0);
}

// Makes the heaps, and lets no more items run at the same time than the device has threads.
void Emitter::provideHeap(Frame &kernel, Items kind, Value &items) {
  constexpr int64_t header = 16, alignment = 16;
  Value running =
      call(kind == Items::groups ? "ferry_rt_groups" : "ferry_rt_chunks", i64, {frame->context, items, constant(1)});
  Value each = constant(header);
  bool isKnown = true;
  for (Value need : kernel.heapNeeds) {
    std::optional<Value> bytes = inLaunch(kernel, need);
    isKnown &= bytes.has_value();
    if (bytes)
      each = add(each, add(*bytes, constant(header + alignment)));
  }
  if (!isKnown)
    each = add(each, call("ferry_rt_heap", i64, {frame->context, running}));
  each = mul(quotient(add(each, constant(alignment - 1)), constant(alignment)), constant(alignment));
  Buffer heaps = allocate(FERRY_WORKSPACE, "", i8, {running, each});
  unsigned first = cast<BlockArgument>(kernel.heap->first).getArgNumber() - 1;
  kernel.slots[first] = heaps.data;
  kernel.slots[first + 1] = each;
  kernel.slots[first + 2] = items;
  kernel.function->setAttr(kHeap, b.getI64IntegerAttr(first));
  items = running;
  heapsOfKernel = heaps;
}

//===- Launches ---------------------------------------------------------------------------------------------------===//

void Emitter::enqueue(Frame &kernel, Items kind, Value items) {
  if (kernel.heap)
    provideHeap(kernel, kind, items);
  Block &entry = kernel.function.getBody().front();
  SmallVector<Type> types(entry.getArgumentTypes());
  kernel.function.setFunctionType(LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()), types));
  std::string kinds;
  for (Type type : llvm::drop_begin(types))
    kinds += isa<LLVM::LLVMPointerType>(type) ? 'p' : 's';
  kernel.function->setAttr(kKernel, b.getStringAttr(kinds));

  LLVM::GlobalOp record;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), SmallVector<Type>(4, pointer));
    record = LLVM::GlobalOp::create(b, type, true, LLVM::Linkage::Private,
                                    ("ferry_kernel_" + kernel.function.getName()).str(), Attribute());
    b.createBlock(&record.getInitializerRegion());
    Value members[] = {LLVM::AddressOfOp::create(b, pointer, kProgram), text(kernel.function.getName()), text(kinds),
                       LLVM::AddressOfOp::create(b, pointer, kFailures)};
    Value value = LLVM::UndefOp::create(b, type);
    for (auto [index, member] : llvm::enumerate(members))
      value = LLVM::InsertValueOp::create(b, value, member, static_cast<int64_t>(index));
    LLVM::ReturnOp::create(b, value);
  }
  Value arguments = passSlots(kernel);
  call("ferry_rt_enqueue", {frame->context, LLVM::AddressOfOp::create(b, record), arguments, items,
                            constant(kind == Items::groups ? 1 : 0)});
}

// The number of a failure that kernels leave.
Value Emitter::failureNumber(LLVM::GlobalOp record) {
  auto found = llvm::find(kernelFailures, record);
  int64_t number = found - kernelFailures.begin();
  if (found == kernelFailures.end())
    kernelFailures.push_back(record);
  return constant(number);
}

static bool isOfKernels(StringRef name) { return name.starts_with(kOfKernels); }

void Emitter::defineKernels(StringRef text) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  std::string ended = text.str() + '\0';
  LLVM::GlobalOp::create(b, LLVM::LLVMArrayType::get(i8, ended.size()), true, LLVM::Linkage::Private, kProgram,
                         b.getStringAttr(ended));
  auto type = LLVM::LLVMArrayType::get(pointer, std::max<size_t>(kernelFailures.size(), 1));
  auto table = LLVM::GlobalOp::create(b, type, true, LLVM::Linkage::Private, kFailures, Attribute());
  b.createBlock(&table.getInitializerRegion());
  Value value = LLVM::ZeroOp::create(b, type);
  for (auto [index, record] : llvm::enumerate(kernelFailures))
    value = LLVM::InsertValueOp::create(b, value, LLVM::AddressOfOp::create(b, record), static_cast<int64_t>(index));
  LLVM::ReturnOp::create(b, value);
  for (LLVM::LLVMFuncOp function : llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>()))
    if (function->hasAttr(kKernel) || isOfKernels(function.getName()))
      function.erase();
}

} // namespace ferry::codegen
