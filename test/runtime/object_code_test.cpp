// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/device.h"
#include "runtime/object_code.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>

using namespace ferry::runtime;

namespace {

std::string contentOf(const char *path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

template <typename Result, typename... Arguments>
FERRY_CALLS_COMPILED_CODE Result call(const ObjectCode &code, const char *name, Arguments... arguments) {
  void *address = code.find(name);
  EXPECT_NE(address, nullptr) << name;
  return reinterpret_cast<Result (*)(Arguments...)>(address)(arguments...);
}

TEST(ObjectCode, RunsWhatItLoads) {
  std::string error;
  auto code = ObjectCode::load(contentOf(LOADED_CODE), error);
  ASSERT_TRUE(code) << error;
  EXPECT_EQ(call<int64_t>(*code, "countCalls"), 1);
  EXPECT_EQ(call<int64_t>(*code, "countCalls"), 2);
  EXPECT_EQ(call<int64_t>(*code, "applied", int64_t{14}), 42);
  EXPECT_STREQ(call<const char *>(*code, "word", int64_t{2}), "three");
  EXPECT_EQ(call<double>(*code, "scaledPower", 2.0, 10.0), 2560);
  char text[4] = "";
  call<void>(*code, "copied", static_cast<char *>(text), static_cast<const char *>("xyz"), int64_t{4});
  EXPECT_STREQ(text, "xyz");
  EXPECT_EQ(call<double (*)(double)>(*code, "addressOf")(2.5), 2);
  *static_cast<double *>(code->find("factor")) = 1;
  EXPECT_EQ(call<double>(*code, "scaledPower", 2.0, 10.0), 1024);
  EXPECT_EQ(code->find("triple"), nullptr) << "it is the file's own";
  EXPECT_EQ(code->find("pow"), nullptr);
}

TEST(ObjectCode, HasDataOfItsOwn) {
  std::string error, content = contentOf(LOADED_CODE);
  auto one = ObjectCode::load(content, error), other = ObjectCode::load(content, error);
  ASSERT_TRUE(one && other) << error;
  EXPECT_EQ(call<int64_t>(*one, "countCalls"), 1);
  EXPECT_EQ(call<int64_t>(*other, "countCalls"), 1);
}

TEST(ObjectCode, NamesWhatIsNowhere) {
  std::string error;
  EXPECT_FALSE(ObjectCode::load(contentOf(UNLINKABLE_CODE), error));
  EXPECT_EQ(error, "object file: there is no 'nowhereToBeFound'");
}

TEST(ObjectCode, RefusesWhatIsNoObjectFile) {
  std::string error;
  EXPECT_FALSE(ObjectCode::load("", error));
  EXPECT_FALSE(ObjectCode::load(contentOf("/proc/self/exe"), error));
  EXPECT_EQ(error, "object file: no relocatable ELF file for x86-64");
  std::string content = contentOf(LOADED_CODE);
  ASSERT_FALSE(content.empty());
  // The table of sections is at the end, so none of these is whole.
  for (size_t size = 0; size < content.size(); size += 7) {
    error.clear();
    EXPECT_FALSE(ObjectCode::load(std::string_view(content).substr(0, size), error)) << size;
    EXPECT_TRUE(error.starts_with("object file: ")) << error;
  }
}

// Whatever a byte is changed to, loading ends, and reads nothing outside of the file.
TEST(ObjectCode, SurvivesDamage) {
  const std::string content = contentOf(LOADED_CODE);
  for (size_t place = 0; place < content.size(); ++place)
    for (int value : {0, 0x7f, 0xff}) {
      std::string damaged = content, error;
      damaged[place] = static_cast<char>(value);
      auto code = ObjectCode::load(damaged, error);
      EXPECT_TRUE(code || !error.empty());
    }
}

} // namespace
