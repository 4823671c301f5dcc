// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An entry takes eight-byte slots: of each argument the scalar, or the address and the extents; then of each result the
// scalar, or the block, the address and the extents.

#include "codegen/Program.h"

#include "array/ArrayDialect.h"
#include "codegen/Machine.h"
#include "codegen/Passes.h"
#include "codegen/cuda/Libdevice.h"
#include "runtime/machine_memory.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

#include <chrono>
#include <cstring>

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
  Entry entry{function.getName().str(), {}, {}};
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

static std::optional<std::string> assemblyOf(llvm::Module &module, llvm::TargetMachine &machine) {
  SmallVector<char, 0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
    return std::nullopt;
  passes.run(module);
  return std::string(text.begin(), text.end());
}

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
  auto builder = hostMachine();
  auto machine = builder ? builder->createTargetMachine() : builder.takeError();
  if (!machine) {
    module.emitError(textOf(machine.takeError()));
    return std::nullopt;
  }
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated = translateAndOptimize(module, context, **machine);
  if (!translated)
    return std::nullopt;
  if (stage == Stage::assembly)
    return assemblyOf(*translated, **machine);
  translated->print(stream, nullptr);
  return text;
}

//===- Programs ---------------------------------------------------------------------------------------------------===//

struct Program::Code {
  struct Function {
    Entry entry;
    std::vector<bool> isConsumed; // of the parameters
    void (*address)(FerryContext *, void *) = nullptr;
  };
  std::vector<Function> functions;
  std::unique_ptr<llvm::orc::LLJIT> jit;

  const Function *find(std::string_view name) const {
    for (const Function &function : functions)
      if (function.entry.name == name)
        return &function;
    return nullptr;
  }
};

Program::Program(std::unique_ptr<Code> code) : code(std::move(code)) {}
Program::~Program() = default;

static llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> load(ModuleOp module) {
  auto builder = hostMachine();
  if (!builder)
    return builder.takeError();
  auto machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> translated = translateAndOptimize(module, *context, **machine);
  if (!translated)
    return llvm::createStringError("the module cannot be translated to LLVM");
  auto jit = makeJit(std::move(*builder));
  if (!jit)
    return jit;
  if (llvm::Error error = (*jit)->addIRModule(llvm::orc::ThreadSafeModule(std::move(translated), std::move(context))))
    return std::move(error);
  return jit;
}

std::unique_ptr<Program> Program::compile(ModuleOp module, const Options &options, std::string &error) {
  auto code = std::make_unique<Code>();
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic())
      continue;
    Code::Function made{entryOf(function), {}, nullptr};
    for (const Entry &entry : options.entries)
      if (entry.name == function.getName())
        made.entry = entry;
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      made.isConsumed.push_back(static_cast<bool>(function.getArgAttr(i, "array.unique")));
    code->functions.push_back(std::move(made));
  }
  if (failed(lower(module, false, options.grain, options.kernels))) {
    bool isMachines = options.kernels.language == KernelLanguage::ptx && cuda::libdeviceFile().empty();
    error = isMachines ? "" : "the program cannot be compiled to machine code";
    return nullptr;
  }
  auto jit = load(module);
  if (!jit) {
    error = textOf(jit.takeError());
    return nullptr;
  }
  code->jit = std::move(*jit);
  for (Code::Function &function : code->functions) {
    auto address = code->jit->lookup("ferry_entry_" + function.entry.name);
    if (!address) {
      error = textOf(address.takeError());
      return nullptr;
    }
    function.address = address->toPtr<void (*)(FerryContext *, void *)>();
  }
  return std::unique_ptr<Program>(new Program(std::move(code)));
}

const Entry *Program::entry(std::string_view name) const {
  const Code::Function *function = code->find(name);
  return function ? &function->entry : nullptr;
}

//===- Running ----------------------------------------------------------------------------------------------------===//

namespace {

std::string mismatch(const Entry &entry, std::span<const runtime::Value> arguments) {
  if (arguments.size() != entry.parameters.size())
    return "entry '" + entry.name + "' takes " + std::to_string(entry.parameters.size()) + " arguments, not " +
           std::to_string(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    const runtime::ExpectedValue &wanted = entry.parameters[i];
    if (arguments[i].type == wanted.type && arguments[i].rank() == wanted.rank)
      continue;
    std::string type;
    for (int64_t d = 0; d < wanted.rank; ++d)
      type += "[]";
    return "argument " + std::to_string(i + 1) + " of entry '" + entry.name + "' is a " + type +
           std::string(spelling(wanted.type)) + ", not a " + typeSpelling(arguments[i].type, arguments[i].shape);
  }
  return "";
}

using Slots = std::vector<uint64_t>;

// Blocks that hold copies of arguments that are consumed, or out of whose reach some code is to be kept; for as long as
// it lives.
class ArgumentCopies {
public:
  explicit ArgumentCopies(FerryContext &context) : context(context) {}
  ~ArgumentCopies() {
    for (void *block : blocks)
      runtime::releaseBlock(context, block);
  }
  const void *copy(const runtime::Value &value) {
    void *block = runtime::hostBlock(context, static_cast<int64_t>(value.data.size()), nullptr);
    if (!block)
      return nullptr;
    blocks.push_back(block);
    if (!value.data.empty())
      std::memcpy(block, value.data.data(), value.data.size());
    return block;
  }

private:
  FerryContext &context;
  std::vector<void *> blocks;
};

void addScalar(Slots &slots, const runtime::Value &value) {
  uint64_t slot = 0;
  std::memcpy(&slot, value.data.data(), value.data.size());
  slots.push_back(slot);
}

// Reads a result from its slots, gives its block back, and moves on. Nothing if there is no memory for it: it takes
// `bytes`.
std::optional<runtime::Value> takeResult(const runtime::ExpectedValue &type, const uint64_t *&slot,
                                         FerryContext &context, int64_t &bytes) {
  runtime::Value value;
  if (type.rank == 0) {
    value = runtime::Value::withShape(type.type, {});
    std::memcpy(value.data.data(), slot++, value.data.size());
    return value;
  }
  void *block = reinterpret_cast<void *>(*slot++);
  const void *data = reinterpret_cast<const void *>(*slot++);
  std::vector<int64_t> shape(slot, slot + type.rank);
  slot += type.rank;
  constexpr int64_t worthAsking = int64_t(1) << 26;
  bytes = runtime::checkedElements(type.type, shape).value_or(0) * runtime::byteSize(type.type);
  if (bytes > worthAsking && bytes > runtime::availableMemory())
    return std::nullopt;
  value = runtime::Value::withShape(type.type, std::move(shape));
  if (!value.data.empty())
    std::memcpy(value.data.data(), data, value.data.size());
  if (block)
    runtime::releaseBlock(context, block);
  return value;
}

} // namespace

std::optional<Run> Program::run(std::string_view name, std::span<const runtime::Value> arguments, FerryContext &context,
                                runtime::ProgramError &error) const {
  const Code::Function *function = code->find(name);
  error = {};
  error.message = function ? mismatch(function->entry, arguments) : "there is no entry '" + std::string(name) + "'";
  if (!error.message.empty())
    return std::nullopt;
  Slots slots;
  ArgumentCopies copies(context);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const runtime::Value &value = arguments[i];
    if (value.rank() == 0) {
      addScalar(slots, value);
      continue;
    }
    bool isCopied = function->isConsumed[i] || runtime::hasHostArena(context);
    const void *data = isCopied ? copies.copy(value) : value.data.data();
    if (isCopied && !data) {
      error.message = "not enough host memory for argument " + std::to_string(i + 1) + ": " +
                      std::to_string(value.data.size()) + " bytes are asked for";
      return std::nullopt;
    }
    slots.push_back(reinterpret_cast<uint64_t>(data));
    slots.insert(slots.end(), value.shape.begin(), value.shape.end());
  }
  size_t first = slots.size();
  for (const runtime::ExpectedValue &type : function->entry.results)
    slots.resize(slots.size() + (type.rank == 0 ? 1 : 2 + type.rank));
  Run done;
  auto begin = std::chrono::steady_clock::now();
  if (!runtime::run(context, function->address, slots.data(), error))
    return std::nullopt;
  done.microseconds = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
  const uint64_t *slot = slots.data() + first;
  for (const runtime::ExpectedValue &type : function->entry.results) {
    int64_t bytes = 0;
    auto result = takeResult(type, slot, context, bytes);
    if (!result) {
      error.message = "not enough host memory for result " + std::to_string(done.results.size() + 1) + ": " +
                      std::to_string(bytes) + " bytes are asked for";
      return std::nullopt;
    }
    done.results.push_back(std::move(*result));
  }
  return done;
}

} // namespace ferry::codegen
