// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/Machine.h"

#include "runtime/abi.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/SystemLibraries.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"

namespace ferry::codegen {

llvm::Expected<llvm::orc::JITTargetMachineBuilder> hostMachine() {
  static const bool initialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
    return true;
  }();
  static_cast<void>(initialized);
  auto machine = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (machine) {
    machine->setRelocationModel(llvm::Reloc::PIC_);
    machine->setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
  }
  return machine;
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = tuning.LoopInterleaving = tuning.LoopUnrolling = true;
  llvm::PassBuilder builder(&machine, tuning);
  llvm::TargetLibraryInfoImpl library(machine.getTargetTriple(), llvm::VectorLibrary::LIBMVEC);
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(library); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
}

// LLVM takes time by the square of a block's length to schedule its instructions, and to select them.
static void keepCompilable(llvm::Function &function) {
  constexpr size_t kLongestBlock = 5'000;
  if (llvm::all_of(function, [](const llvm::BasicBlock &block) { return block.size() <= kLongestBlock; }))
    return;
  function.addFnAttr(llvm::Attribute::NoInline);
  function.addFnAttr(llvm::Attribute::OptimizeNone);
}

std::unique_ptr<llvm::Module> translateAndOptimize(mlir::ModuleOp module, llvm::LLVMContext &context,
                                                   llvm::TargetMachine &machine) {
  mlir::registerBuiltinDialectTranslation(*module.getContext());
  mlir::registerLLVMDialectTranslation(*module.getContext());
  // The alignments of loads and stores are chosen on the way.
  module->setAttr(mlir::LLVM::LLVMDialect::getDataLayoutAttrName(),
                  mlir::StringAttr::get(module.getContext(), machine.createDataLayout().getStringRepresentation()));
  std::unique_ptr<llvm::Module> translated = mlir::translateModuleToLLVMIR(module, context, "ferry");
  if (!translated)
    return nullptr;
  translated->setTargetTriple(machine.getTargetTriple());
  translated->setDataLayout(machine.createDataLayout());
  for (llvm::Function &function : *translated) {
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
  }
  optimize(*translated, machine);
  llvm::for_each(*translated, keepCompilable);
  return translated;
}

// The run-time is linked into this program, which exports no names, so its functions are told one by one.
static void addRuntime(llvm::orc::SymbolMap &symbols, llvm::orc::LLJIT &jit) {
  auto add = [&](const char *name, auto *function) {
    symbols[jit.mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(function), llvm::JITSymbolFlags::Exported};
  };
#define FERRY_ADD(name) add(#name, &(name))
  FERRY_ADD(ferry_rt_alloc_array);
  FERRY_ADD(ferry_rt_retain);
  FERRY_ADD(ferry_rt_release);
  FERRY_ADD(ferry_rt_upload);
  FERRY_ADD(ferry_rt_download);
  FERRY_ADD(ferry_rt_pass);
  FERRY_ADD(ferry_rt_peek);
  FERRY_ADD(ferry_rt_poke);
  FERRY_ADD(ferry_rt_launch);
  FERRY_ADD(ferry_rt_enqueue);
  FERRY_ADD(ferry_rt_heap);
  FERRY_ADD(ferry_rt_read);
  FERRY_ADD(ferry_rt_tick);
  FERRY_ADD(ferry_rt_observe);
  FERRY_ADD(ferry_rt_observed);
  FERRY_ADD(ferry_rt_resident);
  FERRY_ADD(ferry_rt_chunks);
  FERRY_ADD(ferry_rt_parallel_for);
  FERRY_ADD(ferry_rt_fail);
#undef FERRY_ADD
}

llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> makeJit(llvm::orc::JITTargetMachineBuilder machine) {
  auto jit = llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(machine)).create();
  if (!jit)
    return jit;
  llvm::orc::SymbolMap symbols;
  addRuntime(symbols, **jit);
  llvm::orc::JITDylib &library = (*jit)->getMainJITDylib();
  if (llvm::Error error = library.define(llvm::orc::absoluteSymbols(std::move(symbols))))
    return std::move(error);
  char prefix = (*jit)->getDataLayout().getGlobalPrefix();
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(prefix);
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  // Vector forms of libm's functions; on a machine without the library, code that calls them does not link.
  if (auto vectorMath = llvm::orc::DynamicLibrarySearchGenerator::Load("libmvec.so.1", prefix))
    library.addGenerator(std::move(*vectorMath));
  else
    llvm::consumeError(vectorMath.takeError());
  return jit;
}

} // namespace ferry::codegen
