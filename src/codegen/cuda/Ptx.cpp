// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floats are rounded after each operation, as on the host: a product and a sum are fused only where the program says
// so, division and square roots are IEEE's, denormals are kept.

#include "codegen/cuda/Ptx.h"
#include "codegen/cuda/Libdevice.h"
#include "codegen/cuda/Nvvm.h"
#include "codegen/cuda/Support.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace mlir;

namespace ferry::codegen::cuda {

static std::unique_ptr<llvm::TargetMachine> machineFor(int capability) {
  static const bool initialized = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  static_cast<void>(initialized);
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  std::unique_ptr<llvm::MCSubtargetInfo> known(target->createMCSubtargetInfo(triple, "", ""));
  constexpr int least = 70; // threads of a warp make progress on their own, which the lock of failures needs
  auto name = [](int number) { return "sm_" + std::to_string(number); };
  while (capability > least && !known->isCPUStringValid(name(capability)))
    --capability;
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, name(capability), "", options, std::nullopt, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

//===- Linking ----------------------------------------------------------------------------------------------------===//

// The first kernel's operation that calls libdevice.
static Operation *firstCallOfLibdevice(ModuleOp kernels) {
  Operation *found = nullptr;
  kernels.walk([&](LLVM::CallOp call) {
    if (!call.getCallee().value_or("").starts_with(kLibdevicePrefix))
      return WalkResult::advance();
    found = call;
    return WalkResult::interrupt();
  });
  return found;
}

static bool link(llvm::Module &kernels, std::unique_ptr<llvm::Module> other) {
  if (!other)
    return false;
  other->setTargetTriple(kernels.getTargetTriple());
  other->setDataLayout(kernels.getDataLayout());
  auto internalize = [](llvm::Module &whole, const llvm::StringSet<> &linked) {
    llvm::internalizeModule(whole, [&](const llvm::GlobalValue &value) { return !linked.contains(value.getName()); });
  };
  return !llvm::Linker::linkModules(kernels, std::move(other), llvm::Linker::LinkOnlyNeeded, internalize);
}

static bool linkSupport(llvm::Module &kernels) {
  llvm::SMDiagnostic diagnostic;
  return link(kernels, llvm::parseAssemblyString(supportText, diagnostic, kernels.getContext()));
}

// True if nothing is needed of it.
static bool linkLibdevice(llvm::Module &kernels, Operation *user) {
  if (!user)
    return true;
  std::string file = libdeviceFile();
  if (file.empty()) {
    user->emitError("this function on a CUDA device needs NVIDIA's libdevice, which is not here: ")
        << howToGetLibdevice;
    return false;
  }
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer) {
    user->emitError("NVIDIA's libdevice cannot be read: ") << file << ": " << buffer.getError().message();
    return false;
  }
  auto library = llvm::parseBitcodeFile(**buffer, kernels.getContext());
  if (library && link(kernels, std::move(*library)))
    return true;
  user->emitError("this is no libdevice that LLVM can read: ") << file;
  if (!library)
    llvm::consumeError(library.takeError());
  return false;
}

//===- Text -------------------------------------------------------------------------------------------------------===//

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
}

static std::optional<std::string> textOf(llvm::Module &module, llvm::TargetMachine &machine) {
  SmallVector<char, 0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
    return std::nullopt;
  passes.run(module);
  return std::string(text.begin(), text.end());
}

std::optional<std::string> ptxOfKernels(ModuleOp module, int capability) {
  OwningOpRef<ModuleOp> kernels = nvvmKernels(module);
  if (!kernels)
    return std::nullopt;
  if (kernels->getBody()->empty())
    return "";
  std::unique_ptr<llvm::TargetMachine> machine = machineFor(capability);
  if (!machine) {
    module.emitError("this LLVM has no NVPTX back end");
    return std::nullopt;
  }
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  registerNVVMDialectTranslation(*module.getContext());
  kernels.get()->setAttr(LLVM::LLVMDialect::getDataLayoutAttrName(),
                         StringAttr::get(module.getContext(), machine->createDataLayout().getStringRepresentation()));
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated = translateModuleToLLVMIR(*kernels, context, "ferry");
  if (!translated)
    return std::nullopt;
  translated->setTargetTriple(machine->getTargetTriple());
  translated->setDataLayout(machine->createDataLayout());
  if (!linkLibdevice(*translated, firstCallOfLibdevice(*kernels)))
    return std::nullopt;
  bool isWhole = linkSupport(*translated);
  if (isWhole) {
    for (llvm::Function &function : *translated)
      function.addFnAttr("target-cpu", machine->getTargetCPU());
    optimize(*translated, *machine);
  }
  std::optional<std::string> text = isWhole ? textOf(*translated, *machine) : std::nullopt;
  if (!text)
    module.emitError("LLVM makes no PTX of the kernels");
  return text;
}

} // namespace ferry::codegen::cuda
