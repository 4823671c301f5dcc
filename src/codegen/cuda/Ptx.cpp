// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floats are rounded after each operation, as on the host: a product and a sum are fused only where the program says
// so, division and square roots are IEEE's, denormals are kept.

#include "codegen/cuda/Ptx.h"
#include "codegen/Machine.h"
#include "codegen/cuda/Libdevice.h"
#include "codegen/cuda/Nvvm.h"
#include "codegen/cuda/Support.h"
#include "runtime/cuda/driver.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
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
  auto name = [](int number) { return "sm_" + std::to_string(number); };
  while (capability > runtime::cuda::leastCapability && !known->isCPUStringValid(name(capability)))
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
  registerNVVMDialectTranslation(*module.getContext());
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated = translate(*kernels, context, *machine);
  if (!translated || !linkLibdevice(*translated, firstCallOfLibdevice(*kernels)))
    return std::nullopt;
  bool isWhole = linkSupport(*translated);
  if (isWhole) {
    for (llvm::Function &function : *translated)
      function.addFnAttr("target-cpu", machine->getTargetCPU());
    optimize(*translated, *machine, {}, nullptr);
  }
  auto text = isWhole ? written(*translated, *machine, llvm::CodeGenFileType::AssemblyFile) : std::nullopt;
  if (!text)
    module.emitError("LLVM makes no PTX of the kernels");
  return text;
}

} // namespace ferry::codegen::cuda
