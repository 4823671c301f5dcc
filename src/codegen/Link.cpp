// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The linker is LLVM's, in this process. It reads and writes files by their names. The object file is one in memory,
// which has a name in /proc, as has a pipe; into that the linker writes as into any special file, without replacing it.

#include "codegen/Link.h"

#include "runtime/descriptor.h"
#include "runtime/shared_object.h"

#include "lld/Common/Driver.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

LLD_HAS_DRIVER(elf)

namespace ferry::codegen {

//===- Imports ----------------------------------------------------------------------------------------------------===//

void importRuntime(llvm::Module &module) {
  llvm::SmallVector<llvm::Function *> functions;
  for (llvm::Function &function : module)
    if (function.isDeclaration() && function.getName().starts_with(runtime::importPrefix))
      functions.push_back(&function);

  llvm::LLVMContext &context = module.getContext();
  auto *pointer = llvm::PointerType::get(context, 0);
  auto *none = llvm::ConstantPointerNull::get(pointer);
  auto *element = llvm::StructType::get(pointer, pointer);
  llvm::SmallVector<llvm::Constant *> elements;
  for (llvm::Function *function : functions) {
    auto *text = llvm::ConstantDataArray::getString(context, function->getName());
    auto *name = new llvm::GlobalVariable(module, text->getType(), true, llvm::GlobalValue::PrivateLinkage, text);
    elements.push_back(llvm::ConstantStruct::get(element, name, none));
  }
  elements.push_back(llvm::ConstantStruct::get(element, none, none));
  auto *type = llvm::ArrayType::get(element, elements.size());
  auto *table = new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::ExternalLinkage,
                                         llvm::ConstantArray::get(type, elements), runtime::importTable);
  llvm::IRBuilder<> builder(context);
  for (auto [index, function] : llvm::enumerate(functions)) {
    for (llvm::User *user : llvm::make_early_inc_range(function->users()))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(user)) {
        builder.SetInsertPoint(call);
        llvm::Value *slot = builder.CreateConstInBoundsGEP2_32(type, table, 0, index);
        call->setCalledOperand(builder.CreateLoad(pointer, builder.CreateConstInBoundsGEP2_32(element, slot, 0, 1)));
      }
    if (function->use_empty())
      function->eraseFromParent();
  }
}

//===- Linking ----------------------------------------------------------------------------------------------------===//

// The files of the libraries that code may use. All but libmvec are loaded with this process.
static std::vector<std::string> systemLibraries() {
  void *vectorMath = dlopen("libmvec.so.1", RTLD_LAZY | RTLD_LOCAL);
  std::vector<std::string> files;
  auto add = [](dl_phdr_info *library, size_t, void *files) {
    llvm::StringRef name = llvm::sys::path::filename(library->dlpi_name);
    for (llvm::StringRef wanted : {"libc.so.", "libm.so.", "libmvec.so.", "libgcc_s.so."})
      if (name.starts_with(wanted))
        static_cast<std::vector<std::string> *>(files)->push_back(library->dlpi_name);
    return 0;
  };
  dl_iterate_phdr(add, &files);
  if (vectorMath)
    dlclose(vectorMath);
  return files;
}

static bool runLinker(const std::vector<std::string> &arguments, std::string &said) {
  static bool canRun = true; // not after a crash
  if (!canRun) {
    said = "the linker has crashed before";
    return false;
  }
  std::vector<const char *> strings;
  for (const std::string &argument : arguments)
    strings.push_back(argument.c_str());
  llvm::raw_string_ostream messages(said);
  lld::Result result = lld::lldMain(strings, messages, messages, {{lld::Gnu, &lld::elf::link}});
  canRun = result.canRunAgain;
  return result.retCode == 0;
}

static std::string pathOf(int file) { return "/proc/self/fd/" + std::to_string(file); }

static std::string readToEnd(int file) {
  std::string content;
  char piece[1 << 16];
  for (ssize_t got; (got = ::read(file, piece, sizeof piece)) > 0;)
    content.append(piece, static_cast<size_t>(got));
  return content;
}

std::optional<std::string> linkShared(std::string_view object, std::string &error) {
  runtime::Descriptor input(memfd_create("ferry-object", MFD_CLOEXEC));
  int ends[2];
  if (input < 0 || !runtime::writeAll(input, object) || ::pipe2(ends, O_CLOEXEC) != 0) {
    error = std::string("compiled code cannot be linked: ") + std::strerror(errno);
    return std::nullopt;
  }
  runtime::Descriptor from(ends[0]);
  std::optional<runtime::Descriptor> to(ends[1]);
  std::vector<std::string> arguments{
      "ld.lld", "-shared",    "-o",          pathOf(*to),   pathOf(input),      "-z",         "defs", "-z",
      "now",    "-Bsymbolic", "--threads=1", "--strip-all", "--hash-style=gnu", "--as-needed"};
  for (std::string &library : systemLibraries())
    arguments.push_back(std::move(library));
  std::string linked, said;
  std::thread reader([&] { linked = readToEnd(from); });
  bool isDone = runLinker(arguments, said);
  to.reset();
  reader.join();
  if (isDone)
    return linked;
  error = "compiled code cannot be linked: " + llvm::StringRef(said).split('\n').first.str();
  return std::nullopt;
}

} // namespace ferry::codegen
