// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From LLVM's text form to a shared object that is loaded.

#include "codegen/Link.h"

#include "codegen/Machine.h"
#include "runtime/context.h"
#include "runtime/device.h"
#include "runtime/shared_object.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <elf.h>

using namespace ferry;
using namespace ferry::codegen;

namespace {

const char *const program = R"(
@calls = internal global i64 0
@failure = internal constant { i32, i32, i32, i32, ptr, ptr } { i32 11, i32 3, i32 5, i32 0, ptr @file, ptr @text }
@file = internal constant [9 x i8] c"line.fut\00"
@text = internal constant [15 x i8] c"call {0} fails\00"
declare void @ferry_rt_fail(ptr, ptr, i64, i64, i64, i64)
declare void @ferry_rt_retain(ptr, ptr)
declare double @pow(double, double)
declare double @cbrt(double)
define void @ferry_entry_failing(ptr %context, ptr %slots) {
  %before = load i64, ptr @calls
  %calls = add i64 %before, 1
  store i64 %calls, ptr @calls
  call void @ferry_rt_retain(ptr %context, ptr null)
  call void @ferry_rt_fail(ptr %context, ptr @failure, i64 %calls, i64 0, i64 0, i64 0)
  unreachable
}
define double @power(double %x) {
  %r = call double @pow(double %x, double 0.3)
  %s = call double @cbrt(double %r)
  ret double %s
}
)";

std::optional<std::string> linked(const char *text, std::string &error) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic wrong;
  auto module = llvm::parseAssemblyString(text, wrong, context);
  auto machine = hostMachine();
  if (!module || !machine) {
    ADD_FAILURE() << wrong.getMessage().str();
    return std::nullopt;
  }
  module->setTargetTriple((*machine)->getTargetTriple());
  module->setDataLayout((*machine)->createDataLayout());
  importRuntime(*module);
  auto object = written(*module, **machine, llvm::CodeGenFileType::ObjectFile);
  return object ? linkShared(*object, error) : std::nullopt;
}

FERRY_CALLS_COMPILED_CODE double called(double (*function)(double), double x) { return function(x); }

TEST(Link, IsLoaded) {
  std::string error;
  auto file = linked(program, error);
  ASSERT_TRUE(file) << error;
  auto code = runtime::SharedObject::load(*file, error);
  ASSERT_TRUE(code) << error;
  auto *power = reinterpret_cast<double (*)(double)>(code->find("power"));
  ASSERT_NE(power, nullptr);
  EXPECT_EQ(called(power, 2.5), std::cbrt(std::pow(2.5, 0.3)));
  runtime::Context context = runtime::makeContext({}, error);
  auto *entry = reinterpret_cast<void (*)(FerryContext *, void *)>(code->find("ferry_entry_failing"));
  for (const char *message : {"line.fut:3:5: error: call 1 fails", "line.fut:3:5: error: call 2 fails"}) {
    runtime::ProgramError failed;
    EXPECT_FALSE(runtime::run(*context, entry, nullptr, failed));
    EXPECT_EQ(failed.text(), message);
  }
}

template <typename T> T at(const std::string &file, uint64_t offset) {
  T value;
  EXPECT_LE(offset + sizeof value, file.size());
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

TEST(Link, NothingIsWrittenAndExecuted) {
  std::string error;
  auto file = linked(program, error);
  ASSERT_TRUE(file) << error;
  auto header = at<Elf64_Ehdr>(*file, 0);
  bool bindsNow = false, hasStack = false;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    auto segment = at<Elf64_Phdr>(*file, header.e_phoff + i * sizeof(Elf64_Phdr));
    EXPECT_FALSE((segment.p_flags & PF_W) && (segment.p_flags & PF_X)) << segment.p_type;
    hasStack |= segment.p_type == PT_GNU_STACK && !(segment.p_flags & PF_X);
    for (uint64_t at = 0; segment.p_type == PT_DYNAMIC && at < segment.p_filesz; at += sizeof(Elf64_Dyn)) {
      auto entry = ::at<Elf64_Dyn>(*file, segment.p_offset + at);
      bindsNow |= entry.d_tag == DT_FLAGS && (entry.d_un.d_val & DF_BIND_NOW);
      EXPECT_NE(entry.d_tag, DT_TEXTREL);
    }
  }
  EXPECT_TRUE(bindsNow);
  EXPECT_TRUE(hasStack);
}

TEST(Link, NamesTheLibrariesThatItNeeds) {
  std::string error;
  auto needs = [&](const std::optional<std::string> &file, const char *library) {
    return file && file->find(library) != std::string::npos;
  };
  auto file = linked(program, error);
  EXPECT_TRUE(needs(file, "libm.so.6"));
  EXPECT_FALSE(needs(file, "libgcc_s.so"));
  EXPECT_FALSE(needs(linked("define void @nothing() {\n  ret void\n}\n", error), "libm.so.6"));
#if defined(__x86_64__)
  auto vector = linked("declare <4 x double> @_ZGVdN4v_exp(<4 x double>)\n"
                       "define <4 x double> @e(<4 x double> %x) {\n"
                       "  %r = call <4 x double> @_ZGVdN4v_exp(<4 x double> %x)\n  ret <4 x double> %r\n}\n",
                       error);
  EXPECT_TRUE(needs(vector, "libmvec.so.1")) << error;
  EXPECT_TRUE(vector && runtime::SharedObject::load(*vector, error)) << error;
#endif
}

// A failed link is not the last one.
TEST(Link, NamesWhatIsNowhere) {
  for (int i = 0; i < 2; ++i) {
    std::string error;
    EXPECT_FALSE(linked("declare void @nowhere()\ndefine void @f() {\n  call void @nowhere()\n  ret void\n}\n", error));
    EXPECT_EQ(error, "compiled code cannot be linked: ld.lld: error: undefined symbol: nowhere");
    EXPECT_TRUE(linked(program, error)) << error;
  }
  std::string error;
  EXPECT_FALSE(linkShared("no object file", error));
  EXPECT_NE(error, "");
}

} // namespace
