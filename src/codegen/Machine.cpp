// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/Machine.h"

#include "runtime/processor.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/SystemLibraries.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

namespace ferry::codegen {

using llvm::orc::JITTargetMachineBuilder;

static void initialize() {
  static const bool initialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
    return true;
  }();
  static_cast<void>(initialized);
}

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>> made(JITTargetMachineBuilder machine) {
  machine.setRelocationModel(llvm::Reloc::PIC_);
  machine.setCodeModel(llvm::CodeModel::Small);
  machine.setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
  return machine.createTargetMachine();
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> hostMachine() {
  initialize();
  auto machine = JITTargetMachineBuilder::detectHost();
  return machine ? made(std::move(*machine)) : machine.takeError();
}

std::optional<Processor> processorNamed(const std::string &name) {
  if (name == "native")
    return Processor{llvm::sys::getHostCPUName().str(), runtime::processorFeatures()};
  initialize();
  llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string unknown;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, unknown);
  auto least = target ? std::unique_ptr<llvm::MCSubtargetInfo>(target->createMCSubtargetInfo(triple, "", "")) : nullptr;
  if (!least || !least->isCPUStringValid(name))
    return std::nullopt;
  std::unique_ptr<llvm::MCSubtargetInfo> processor(target->createMCSubtargetInfo(triple, name, ""));
  if (triple.isX86() && !processor->checkFeatures("+64bit"))
    return std::nullopt;
  Processor found{name, {}};
  for (std::string &feature : runtime::knownFeatures())
    if (processor->checkFeatures("+" + feature))
      found.features.push_back(std::move(feature));
  return found;
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machineWith(const Processor &processor) {
  initialize();
  JITTargetMachineBuilder machine{llvm::Triple(llvm::sys::getProcessTriple())};
  machine.setCPU(runtime::leastProcessor);
  machine.addFeatures(processor.features);
  return made(std::move(machine));
}

void optimize(llvm::Module &module, llvm::TargetMachine &machine, const llvm::PipelineTuningOptions &tuning,
              const llvm::TargetLibraryInfoImpl *library) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine, tuning);
  if (library)
    functions.registerPass([&] { return llvm::TargetLibraryAnalysis(*library); });
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

std::unique_ptr<llvm::Module> translate(mlir::ModuleOp module, llvm::LLVMContext &context,
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
  return translated;
}

std::unique_ptr<llvm::Module> translateAndOptimize(mlir::ModuleOp module, llvm::LLVMContext &context,
                                                   llvm::TargetMachine &machine, llvm::StringRef tuning) {
  std::unique_ptr<llvm::Module> translated = translate(module, context, machine);
  if (!translated)
    return nullptr;
  for (llvm::Function &function : *translated) {
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    if (!tuning.empty())
      function.addFnAttr("tune-cpu", tuning);
  }
  llvm::PipelineTuningOptions loops;
  loops.LoopVectorization = loops.SLPVectorization = loops.LoopInterleaving = loops.LoopUnrolling = true;
  // Debian 12's libmvec is for x86-64 alone.
  bool hasLibmvec = machine.getTargetTriple().isX86();
  llvm::TargetLibraryInfoImpl library(machine.getTargetTriple(),
                                      hasLibmvec ? llvm::VectorLibrary::LIBMVEC : llvm::VectorLibrary::NoLibrary);
  optimize(*translated, machine, loops, &library);
  llvm::for_each(*translated, keepCompilable);
  return translated;
}

std::optional<std::string> written(llvm::Module &module, llvm::TargetMachine &machine, llvm::CodeGenFileType type) {
  llvm::SmallVector<char, 0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type))
    return std::nullopt;
  passes.run(module);
  return std::string(text.begin(), text.end());
}

} // namespace ferry::codegen
