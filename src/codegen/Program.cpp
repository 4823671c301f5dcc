// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/Program.h"

#include "array/ArrayDialect.h"
#include "codegen/Link.h"
#include "codegen/Passes.h"
#include "codegen/cuda/Libdevice.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/IR/Constants.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

using namespace mlir;

namespace ferry::codegen {

namespace {

// The source language's name for an MLIR type.
runtime::ExpectedValue typeOf(Type type) {
  int64_t rank = 0;
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    rank = tensor.getRank();
    type = tensor.getElementType();
  }
  using runtime::ElementType;
  unsigned width = type.getIntOrFloatBitWidth();
  ElementType element = ElementType::boolean;
  if (isa<FloatType>(type))
    element = width == 16 ? ElementType::f16 : width == 32 ? ElementType::f32 : ElementType::f64;
  else if (width > 1)
    element = width == 8    ? ElementType::i8
              : width == 16 ? ElementType::i16
              : width == 32 ? ElementType::i32
                            : ElementType::i64;
  return {element, rank};
}

Entry entryOf(func::FuncOp function) {
  Entry entry{function.getName().str(), {}, {}, {}};
  for (Type type : function.getArgumentTypes())
    entry.parameters.push_back(typeOf(type));
  for (Type type : function.getResultTypes())
    entry.results.push_back(typeOf(type));
  return entry;
}

LogicalResult lower(ModuleOp module, bool onlyToBuffers, int64_t grain = 0, KernelTarget kernels = {}) {
  PassManager passes(module.getContext());
  passes.addPass(createBufferizePass(grain, kernels));
  if (!onlyToBuffers) {
    passes.addPass(createVectorizeOuterPass());
    passes.addPass(createLowerToLLVMPass());
  }
  return passes.run(module);
}

std::string textOf(llvm::Error error) { return llvm::toString(std::move(error)); }

} // namespace

//===- Stages -----------------------------------------------------------------------------------------------------===//

std::optional<std::string> emitStage(ModuleOp module, Stage stage, KernelTarget kernels) {
  bool isOfKernels = stage == Stage::opencl || stage == Stage::ptx;
  if (failed(lower(module, isOfKernels || stage == Stage::buffers, 0, kernels)))
    return std::nullopt;
  if (isOfKernels)
    return cast<StringAttr>(module.lookupSymbol<LLVM::GlobalOp>(kProgram).getValueAttr()).getValue().drop_back().str();
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (stage == Stage::buffers || stage == Stage::llvm) {
    module.print(stream);
    return text;
  }
  auto machine = hostMachine();
  if (!machine) {
    module.emitError(textOf(machine.takeError()));
    return std::nullopt;
  }
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated = translateAndOptimize(module, context, **machine);
  if (!translated)
    return std::nullopt;
  if (stage == Stage::assembly)
    return written(*translated, **machine, llvm::CodeGenFileType::AssemblyFile);
  translated->print(stream, nullptr);
  return text;
}

//===- Programs ---------------------------------------------------------------------------------------------------===//

static std::optional<std::string> machineCode(ModuleOp module, const Options &options, std::string &error) {
  auto machine = options.processor ? machineWith(*options.processor) : hostMachine();
  if (!machine) {
    error = textOf(machine.takeError());
    return std::nullopt;
  }
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated =
      translateAndOptimize(module, context, **machine, options.processor ? options.processor->name : "");
  if (translated && options.form == CodeForm::sharedObject)
    importRuntime(*translated);
  if (translated)
    for (llvm::Function &function : *translated)
      if (llvm::StringRef name = function.getName(); name.consume_front(runtime::entryPrefix))
        function.setName(options.prefix + name);
  auto object = translated ? written(*translated, **machine, llvm::CodeGenFileType::ObjectFile) : std::nullopt;
  if (!object)
    error = "the module cannot be translated to LLVM";
  return object && options.form == CodeForm::sharedObject ? linkShared(*object, error) : object;
}

std::optional<std::string> programObject(std::string_view description, std::span<const std::string> functions,
                                         std::string &error) {
  auto machine = hostMachine();
  if (!machine) {
    error = textOf(machine.takeError());
    return std::nullopt;
  }
  llvm::LLVMContext context;
  llvm::Module module("ferry_program", context);
  module.setTargetTriple((*machine)->getTargetTriple());
  module.setDataLayout((*machine)->createDataLayout());
  auto constant = [&](llvm::Constant *value, llvm::GlobalValue::LinkageTypes linkage, const char *name) {
    return new llvm::GlobalVariable(module, value->getType(), true, linkage, value, name);
  };
  auto *pointer = llvm::PointerType::get(context, 0);
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, pointer}, false);
  llvm::SmallVector<llvm::Constant *> addresses;
  for (const std::string &name : functions)
    addresses.push_back(llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, module));
  auto *bytes = llvm::ConstantDataArray::getString(context, llvm::StringRef(description), false);
  auto *table = llvm::ConstantArray::get(llvm::ArrayType::get(pointer, addresses.size()), addresses);
  llvm::Constant *members[] = {constant(bytes, llvm::GlobalValue::PrivateLinkage, "description"),
                               llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), description.size()),
                               constant(table, llvm::GlobalValue::PrivateLinkage, "functions")};
  constant(llvm::ConstantStruct::getAnon(members), llvm::GlobalValue::ExternalLinkage, "ferry_program");
  auto object = written(module, **machine, llvm::CodeGenFileType::ObjectFile);
  if (!object)
    error = "the program's description cannot be translated to machine code";
  return object;
}

std::optional<Code> compileCode(ModuleOp module, const Options &options, std::string &error) {
  Code code;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic())
      continue;
    Entry made = entryOf(function);
    for (const Entry &entry : options.entries)
      if (entry.name == function.getName())
        made = entry;
    made.isConsumed.clear();
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      made.isConsumed.push_back(static_cast<bool>(function.getArgAttr(i, "array.unique")));
    code.entries.push_back(std::move(made));
  }
  if (failed(lower(module, false, options.grain, options.kernels))) {
    bool isMachines = options.kernels.language == KernelLanguage::ptx && cuda::libdeviceFile().empty();
    error = isMachines ? "" : "the program cannot be compiled to machine code";
    return std::nullopt;
  }
  auto file = machineCode(module, options, error);
  if (!file)
    return std::nullopt;
  code.file = std::move(*file);
  return code;
}

std::unique_ptr<Program> Program::compile(ModuleOp module, const Options &options, std::string &error) {
  auto compiled = compileCode(module, options, error);
  if (!compiled)
    return nullptr;
  auto program = std::make_unique<Program>();
  program->code = runtime::SharedObject::load(compiled->file, error);
  if (!program->code)
    return nullptr;
  program->entries = std::move(compiled->entries);
  return program;
}

const Entry *Program::entry(std::string_view name) const {
  auto found = llvm::find_if(entries, [&](const Entry &entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

std::optional<Run> Program::run(std::string_view name, std::span<const runtime::Value> arguments, FerryContext &context,
                                runtime::ProgramError &error) const {
  const Entry *called = entry(name);
  void *address = called ? code->find(runtime::entryPrefix + called->name) : nullptr;
  if (!address) {
    error = {};
    error.message = "there is no entry '" + std::string(name) + "'";
    return std::nullopt;
  }
  return runtime::call(*called, reinterpret_cast<runtime::EntryFunction>(address), arguments, context, error);
}

} // namespace ferry::codegen
