// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/device.h"
#include "runtime/shared_object.h"

#include "helpers.h"

#include <cstddef>
#include <cstdint>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace ferry::runtime;

namespace {

std::string contentOf(const char *path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

template <typename Result, typename... Arguments>
FERRY_CALLS_COMPILED_CODE Result call(const SharedObject &code, const char *name, Arguments... arguments) {
  void *address = code.find(name);
  EXPECT_NE(address, nullptr) << name;
  return reinterpret_cast<Result (*)(Arguments...)>(address)(arguments...);
}

TEST(SharedObject, RunsWhatItLoads) {
  std::string error;
  auto code = SharedObject::load(contentOf(LOADED_CODE), error);
  ASSERT_TRUE(code) << error;
  EXPECT_EQ(call<int64_t>(*code, "countCalls"), 1);
  EXPECT_EQ(call<int64_t>(*code, "countCalls"), 2);
  EXPECT_EQ(call<int64_t>(*code, "applied", int64_t{14}), 42);
  EXPECT_STREQ(call<const char *>(*code, "word", int64_t{2}), "three");
  EXPECT_EQ(call<double>(*code, "scaledPower", 2.0, 10.0), 2560);
  *static_cast<double *>(code->find("factor")) = 1;
  EXPECT_EQ(call<double>(*code, "scaledPower", 2.0, 10.0), 1024);
  EXPECT_EQ(code->find("triple"), nullptr) << "it is the file's own";
}

TEST(SharedObject, CallsTheRunTime) {
  std::string error;
  auto code = SharedObject::load(contentOf(LOADED_CODE), error);
  ASSERT_TRUE(code) << error;
  ProgramError failed;
  auto *entry = reinterpret_cast<void (*)(FerryContext *, void *)>(code->find("ferry_entry_failing"));
  ASSERT_NE(entry, nullptr);
  EXPECT_FALSE(run(*make(onHost()), entry, nullptr, failed));
  EXPECT_EQ(failed.text(), "loaded.fut:3:5: error: seven is 7");
}

TEST(SharedObject, HasDataOfItsOwn) {
  std::string error, content = contentOf(LOADED_CODE);
  auto one = SharedObject::load(content, error), other = SharedObject::load(content, error);
  ASSERT_TRUE(one && other) << error;
  EXPECT_EQ(call<int64_t>(*one, "countCalls"), 1);
  EXPECT_EQ(call<int64_t>(*other, "countCalls"), 1);
  other.reset();
  EXPECT_EQ(call<int64_t>(*one, "countCalls"), 2);
  other = SharedObject::load(content, error);
  ASSERT_TRUE(other) << error;
  EXPECT_EQ(call<int64_t>(*other, "countCalls"), 1);
}

size_t openFiles() {
  auto files = std::filesystem::directory_iterator("/proc/self/fd");
  return static_cast<size_t>(std::distance(begin(files), end(files)));
}

TEST(SharedObject, LeavesNothingOpen) {
  std::string error, content = contentOf(LOADED_CODE);
  size_t before = openFiles();
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(SharedObject::load(content, error)) << error;
    EXPECT_FALSE(SharedObject::load("no shared object", error));
  }
  EXPECT_EQ(openFiles(), before);
}

TEST(SharedObject, NamesWhatIsNowhere) {
  std::string error;
  EXPECT_FALSE(SharedObject::load(contentOf(UNLINKABLE_CODE), error));
  EXPECT_EQ(error, "compiled code cannot be loaded: undefined symbol: nowhereToBeFound");
  EXPECT_FALSE(SharedObject::load(contentOf(UNKNOWN_IMPORT), error));
  EXPECT_EQ(error, "compiled code cannot be loaded: there is no 'ferry_rt_nothing'");
}

TEST(SharedObject, RefusesWhatIsNone) {
  std::string content = contentOf(LOADED_CODE);
  ASSERT_GT(content.size(), sizeof(Elf64_Ehdr));
  std::string foreign = content;
  foreign[offsetof(Elf64_Ehdr, e_machine)] = EM_S390;
  for (const std::string &wrong :
       {std::string(), std::string("text"), contentOf("/proc/self/exe"), content.substr(0, 20), foreign}) {
    std::string error;
    EXPECT_FALSE(SharedObject::load(wrong, error));
    EXPECT_TRUE(error.starts_with("compiled code cannot be loaded: ")) << error;
    EXPECT_EQ(error.find("/proc"), std::string::npos) << error;
  }
}

} // namespace
