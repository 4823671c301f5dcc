// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An item is a thread. A kernel begins with its item's number; items behind the last one do nothing, nor do those of a
// kernel behind one that failed. An item with a heap goes on with the one that lies as many items ahead as run.
//
// Operations that the back end has an accurate instruction for become LLVM's; the others calls of libdevice.

#include "codegen/cuda/Nvvm.h"
#include "codegen/KernelForm.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace ferry::codegen::cuda {

namespace {

// Most threads that a group of a kernel has; registers are given out for as many. Where they work together there are
// as many.
constexpr int32_t groupThreads = mostGroupItems;

// Makes one function a kernel.
class Kernel {
public:
  Kernel(ModuleOp module, LLVM::LLVMFuncOp function)
      : module(module), function(function), b(function.getLoc(), function.getContext()), i64(b.getI64Type()),
        i32(b.getI32Type()), generic(LLVM::LLVMPointerType::get(b.getContext())),
        global(LLVM::LLVMPointerType::get(b.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::Global))) {}

  void write() {
    Block *setup = &function.getBody().front();
    item = setup->getArgument(0);
    SmallVector<LLVM::ReturnOp> returns;
    function.walk([&](LLVM::ReturnOp end) { returns.push_back(end); });
    Block *end = b.createBlock(&function.getBody(), function.getBody().end());
    LLVM::ReturnOp::create(b, ValueRange());
    Block *entry = b.createBlock(&function.getBody(), function.getBody().begin());
    SmallVector<Value> arguments = takeArguments(setup, entry);
    if (auto bytes = function->getAttrOfType<IntegerAttr>(kGroup))
      beginGroup(bytes.getInt());
    Value self = itemNumber();
    arguments.front() = self;
    Value runs = LLVM::AndOp::create(b, less(self, items), isToRun());
    if (auto heapAt = function->getAttrOfType<IntegerAttr>(kHeap)) {
      int64_t first = heapAt.getInt() + 1;
      heapBytes = arguments[first + 1];
      Value offset = LLVM::MulOp::create(b, self, heapBytes);
      heap = LLVM::GEPOp::create(b, generic, b.getI8Type(), arguments[first], ArrayRef<LLVM::GEPArg>(offset));
      takeTurns(setup, end, returns, arguments[first + 2]);
    } else {
      for (LLVM::ReturnOp one : returns) {
        b.setInsertionPoint(one);
        LLVM::BrOp::create(b, ValueRange(), end);
        one.erase();
      }
    }
    b.setInsertionPointToEnd(entry);
    LLVM::CondBrOp::create(b, runs, setup, arguments, end, ValueRange());
    stackToEntry(entry);
    SmallVector<LLVM::CallOp> calls;
    function.walk([&](LLVM::CallOp call) {
      if (!llvm::is_contained({kBegin, kMeet, kClear}, call.getCallee().value_or("")))
        calls.push_back(call);
    });
    llvm::for_each(calls, [&](LLVM::CallOp call) { rewrite(call); });
    function->removeAttr(kKernel);
    function->removeAttr(kHeap);
    function->removeAttr(kGroup);
    function.setLinkage(LLVM::Linkage::External);
    function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), b.getUnitAttr());
    function->setAttr(groupMemory ? NVVM::NVVMDialect::getReqntidAttrName() : NVVM::NVVMDialect::getMaxntidAttrName(),
                      b.getDenseI32ArrayAttr({groupThreads}));
  }

private:
  Value number(int64_t value) { return LLVM::ConstantOp::create(b, i64, b.getI64IntegerAttr(value)); }
  Value less(Value x, Value y) { return LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::slt, x, y); }

  // The values of the setup's arguments, from the entry's; none for the item.
  SmallVector<Value> takeArguments(Block *setup, Block *entry) {
    SmallVector<Value> values{Value()};
    SmallVector<Type> types;
    for (BlockArgument inner : llvm::drop_begin(setup->getArguments())) {
      bool isAddress = isa<LLVM::LLVMPointerType>(inner.getType());
      types.push_back(isAddress ? Type(global) : i64);
      Value outer = entry->addArgument(types.back(), inner.getLoc());
      values.push_back(isAddress ? Value(LLVM::AddrSpaceCastOp::create(b, generic, outer))
                                 : fromBits(outer, inner.getType()));
    }
    types.append({global, i64, i64});
    status = entry->addArgument(global, b.getLoc());
    launch = entry->addArgument(i64, b.getLoc());
    items = entry->addArgument(i64, b.getLoc());
    function.setFunctionType(LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()), types));
    return values;
  }

  Value fromBits(Value bits, Type type) {
    unsigned width = type.getIntOrFloatBitWidth();
    if (width < 64)
      bits = LLVM::TruncOp::create(b, b.getIntegerType(width), bits);
    return isa<FloatType>(type) ? Value(LLVM::BitcastOp::create(b, type, bits)) : bits;
  }

  // Shared memory with room for the flag that an item has failed, which is in front.
  void beginGroup(int64_t bytes) {
    OpBuilder atStart = OpBuilder::atBlockBegin(module.getBody());
    auto space = static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared);
    auto type = LLVM::LLVMArrayType::get(b.getI8Type(), flagBytes + bytes);
    auto global = LLVM::GlobalOp::create(atStart, b.getLoc(), type, false, LLVM::Linkage::Internal,
                                         (function.getName() + "_memory").str(), Attribute(), 16, space);
    atStart.createBlock(&global.getInitializerRegion());
    LLVM::ReturnOp::create(atStart, b.getLoc(), LLVM::UndefOp::create(atStart, b.getLoc(), type));
    Value shared = LLVM::AddressOfOp::create(b, LLVM::LLVMPointerType::get(b.getContext(), space), global.getName());
    groupMemory = LLVM::AddrSpaceCastOp::create(b, generic, shared);
    localId = LLVM::ZExtOp::create(b, i64, NVVM::ThreadIdXOp::create(b, i32));
    LLVM::CallOp::create(b, TypeRange(), kBegin, ValueRange{groupMemory, localId});
  }

  Value itemNumber() {
    auto wide = [&](Value narrow) -> Value { return LLVM::ZExtOp::create(b, i64, narrow); };
    Value group = wide(NVVM::BlockIdXOp::create(b, i32));
    if (groupMemory)
      return group;
    Value size = wide(NVVM::BlockDimXOp::create(b, i32));
    return LLVM::AddOp::create(b, LLVM::MulOp::create(b, group, size), wide(NVVM::ThreadIdXOp::create(b, i32)));
  }

  // Whether no kernel before this one has failed.
  Value isToRun() {
    Value at = LLVM::GEPOp::create(b, global, i64, status, ArrayRef<LLVM::GEPArg>(1));
    Value failed = LLVM::LoadOp::create(b, i64, at);
    Value none = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, failed, number(0));
    return LLVM::OrOp::create(b, none, LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, failed, launch));
  }

  // Goes on, at each return, with the item that is as many ahead as run, up to `all`, with an empty heap.
  void takeTurns(Block *setup, Block *end, ArrayRef<LLVM::ReturnOp> returns, Value all) {
    b.setInsertionPointToStart(setup);
    if (groupMemory) // else another item's may go away while one is still at it
      LLVM::CallOp::create(b, TypeRange(), kMeet, ValueRange());
    LLVM::CallOp::create(b, TypeRange(), kClear, ValueRange{heap, heapBytes, localId ? localId : number(0)});
    for (LLVM::ReturnOp one : returns) {
      b.setInsertionPoint(one);
      Value next = LLVM::AddOp::create(b, item, items);
      SmallVector<Value> again(setup->getArguments());
      again.front() = next;
      LLVM::CondBrOp::create(b, less(next, all), setup, again, end, ValueRange());
      one.erase();
    }
  }

  // LLVM keeps in registers what it can only of stack memory that the entry makes.
  void stackToEntry(Block *entry) {
    Operation *first = &entry->front();
    function.walk([&](LLVM::AllocaOp slots) {
      if (auto count = slots.getArraySize().getDefiningOp<arith::ConstantOp>())
        count->moveBefore(first);
      slots->moveBefore(first);
    });
  }

  void rewrite(LLVM::CallOp call) {
    StringRef callee = call.getCallee().value_or("");
    SmallVector<Value> x(call.getArgOperands());
    b.setInsertionPoint(call);
    b.setLoc(call.getLoc());
    auto replaceBy = [&](StringRef name, TypeRange results, ValueRange arguments) {
      auto made = LLVM::CallOp::create(b, results, name, arguments);
      call->replaceAllUsesWith(made);
      call.erase();
    };
    constexpr llvm::StringLiteral scope = "device";
    auto replaceByValue = [&](Value value) {
      call->replaceAllUsesWith(ValueRange(value));
      call.erase();
    };
    if (callee == kFail) {
      if (groupMemory)
        LLVM::StoreOp::create(b, number(1), groupMemory);
      SmallVector<Value> arguments{status, launch};
      llvm::append_range(arguments, x);
      replaceBy(kLeave, {}, arguments);
    } else if (callee.starts_with(kAtomicAdd)) {
      LLVM::AtomicRMWOp::create(b, LLVM::AtomicBinOp::add, x[0], x[1], LLVM::AtomicOrdering::monotonic, scope);
      call.erase();
    } else if (callee.starts_with(kCompareExchange)) {
      auto pair = LLVM::AtomicCmpXchgOp::create(b, x[0], x[1], x[2], LLVM::AtomicOrdering::monotonic,
                                                LLVM::AtomicOrdering::monotonic, scope);
      replaceByValue(LLVM::ExtractValueOp::create(b, pair, 0));
    } else if (callee == kBarrier) {
      replaceBy(kMeet, {}, {});
    } else if (callee == kBarrierOrEnd) {
      replaceBy(kMeetOrExit, {}, groupMemory);
    } else if (callee == kLocalId) {
      replaceByValue(localId);
    } else if (callee == kGroupSize) {
      replaceByValue(number(groupThreads));
    } else if (callee == kLocalMemory) {
      replaceByValue(LLVM::GEPOp::create(b, generic, b.getI8Type(), groupMemory, ArrayRef<LLVM::GEPArg>(flagBytes)));
    } else if (callee == kAllocate) {
      replaceBy(kAlloc, generic, {heap, heapBytes, x[2]});
    } else if (callee == kOffset) {
      Value from = LLVM::PtrToIntOp::create(b, i64, x[0]), to = LLVM::PtrToIntOp::create(b, i64, x[1]);
      call->replaceAllUsesWith(ValueRange(LLVM::SubOp::create(b, to, from).getResult()));
      call.erase();
    } else if (callee == kRetain || callee == kRelease) {
      if (heap)
        replaceBy(kCount, {}, {heap, heapBytes, x[0], number(callee == kRetain ? 1 : -1)});
      else
        call.erase();
    } else { // of libm
      std::string name = (kLibdevicePrefix + callee).str();
      if (!module.lookupSymbol(name)) {
        OpBuilder atStart = OpBuilder::atBlockBegin(module.getBody());
        auto type = LLVM::LLVMFunctionType::get(call.getResult().getType(), SmallVector<Type>(call.getOperandTypes()));
        LLVM::LLVMFuncOp::create(atStart, call.getLoc(), name, type);
      }
      call.setCallee(name);
    }
  }

  ModuleOp module;
  LLVM::LLVMFuncOp function;
  ImplicitLocOpBuilder b;
  Type i64, i32, generic, global;
  Value status, launch, items;
  Value item;                 // this round's
  Value heap, heapBytes;      // of a kernel whose items have some
  Value groupMemory, localId; // of one whose items work in groups
  static constexpr int32_t flagBytes = 16;
};

void declareSupport(ModuleOp module) {
  ImplicitLocOpBuilder b(module.getLoc(), module.getContext());
  b.setInsertionPointToStart(module.getBody());
  Type i64 = b.getI64Type(), nothing = LLVM::LLVMVoidType::get(b.getContext()),
       generic = LLVM::LLVMPointerType::get(b.getContext()),
       global = LLVM::LLVMPointerType::get(b.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
  auto declare = [&](StringRef name, Type result, ArrayRef<Type> arguments) {
    auto function = LLVM::LLVMFuncOp::create(b, name, LLVM::LLVMFunctionType::get(result, arguments));
    function.setNoUnwind(true);
    return function;
  };
  declare(kLeave, nothing, {global, i64, i64, i64, i64, i64, i64, i64});
  declare(kAlloc, generic, {generic, i64, i64});
  declare(kCount, nothing, {generic, i64, generic, i64});
  declare(kClear, nothing, {generic, i64, i64});
  for (LLVM::LLVMFuncOp meets : {declare(kBegin, nothing, {generic, i64}), declare(kMeet, nothing, {}),
                                 declare(kMeetOrExit, nothing, {generic})})
    meets.setConvergent(true);
}

//===- Conversions ------------------------------------------------------------------------------------------------===//

using Populate = llvm::function_ref<void(LLVMTypeConverter &, RewritePatternSet &, ConversionTarget &)>;

LogicalResult convert(ModuleOp module, Populate populate) {
  LowerToLLVMOptions options(module.getContext());
  LLVMTypeConverter types(module.getContext(), options);
  RewritePatternSet patterns(module.getContext());
  LLVMConversionTarget target(*module.getContext());
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  populate(types, patterns, target);
  return applyPartialConversion(module, target, std::move(patterns));
}

LogicalResult lower(ModuleOp module) {
  auto controlFlow = [](LLVMTypeConverter &, RewritePatternSet &patterns, ConversionTarget &target) {
    populateSCFToControlFlowConversionPatterns(patterns);
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    target.addIllegalDialect<scf::SCFDialect>();
    target.addIllegalOp<arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>();
  };
  auto instructions = [](LLVMTypeConverter &types, RewritePatternSet &patterns, ConversionTarget &target) {
    populateMathToLLVMConversionPatterns(types, patterns, false);
    target.addIllegalOp<math::SqrtOp, math::FloorOp, math::CeilOp, math::TruncOp, math::RoundOp, math::RoundEvenOp,
                        math::AbsFOp, math::AbsIOp, math::FmaOp, math::CopySignOp, math::CountLeadingZerosOp,
                        math::CountTrailingZerosOp, math::CtPopOp, math::IsNaNOp, math::IsInfOp>();
  };
  auto library = [](LLVMTypeConverter &types, RewritePatternSet &patterns, ConversionTarget &target) {
    populateLibDeviceConversionPatterns(types, patterns);
    target.addIllegalDialect<math::MathDialect>();
    target.addIllegalOp<arith::RemFOp>();
  };
  auto rest = [](LLVMTypeConverter &types, RewritePatternSet &patterns, ConversionTarget &target) {
    arith::populateArithToLLVMConversionPatterns(types, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
    target.addIllegalDialect<arith::ArithDialect, cf::ControlFlowDialect>();
  };
  for (Populate step : {Populate(controlFlow), Populate(instructions), Populate(library), Populate(rest)})
    if (failed(convert(module, step)))
      return failure();
  auto result = module->walk([&](Operation *op) {
    if (isa<ModuleOp>(op) || isa<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()))
      return WalkResult::advance();
    op->emitError() << "'" << op->getName() << "' has no form in PTX";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

} // namespace

OwningOpRef<ModuleOp> nvvmKernels(ModuleOp module) {
  OwningOpRef<ModuleOp> kernels = ModuleOp::create(module.getLoc());
  for (LLVM::LLVMFuncOp function : module.getOps<LLVM::LLVMFuncOp>())
    if (function->hasAttr(kKernel))
      kernels->push_back(function->clone());
  if (kernels->getBody()->empty())
    return kernels;
  declareSupport(*kernels);
  for (LLVM::LLVMFuncOp function : llvm::make_early_inc_range(kernels->getOps<LLVM::LLVMFuncOp>()))
    if (function->hasAttr(kKernel))
      Kernel(*kernels, function).write();
  if (failed(lower(*kernels)))
    return nullptr;
  return kernels;
}

} // namespace ferry::codegen::cuda
