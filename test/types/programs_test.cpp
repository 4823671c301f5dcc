// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that the checker accepts, and programs that it refuses with one message each.
#include "futhark/types/check.h"
#include "programs.h"

#include <gtest/gtest.h>

namespace ferry::futhark {
namespace {

class Accept : public testing::TestWithParam<test::Program> {};
class Reject : public testing::TestWithParam<test::Program> {};

TEST_P(Accept, WithoutAMessage) {
  Sources sources;
  Diagnostics diagnostics;
  const SourceFile *file = sources.add("test/types/accept/program.fut", GetParam().text);
  auto program = check(*file, sources, diagnostics);
  EXPECT_EQ(diagnostics.render(), "");
  ASSERT_NE(program, nullptr);
}

TEST_P(Reject, WithTheMessage) {
  Sources sources;
  Diagnostics diagnostics;
  const SourceFile *file = sources.add("test/types/reject/program.fut", GetParam().text);
  auto program = check(*file, sources, diagnostics);
  EXPECT_EQ(program, nullptr);
  ASSERT_EQ(diagnostics.all().size(), 1U) << diagnostics.render();
  EXPECT_NE(diagnostics.all().front().message.find(GetParam().error), std::string::npos) << diagnostics.render();
  EXPECT_EQ(diagnostics.all().front().range.file, file);
  EXPECT_EQ(diagnostics.exitStatus(), 1);
}

auto name = [](const testing::TestParamInfo<test::Program> &info) { return test::identifier(info.param); };
INSTANTIATE_TEST_SUITE_P(Programs, Accept, testing::ValuesIn(test::programsIn("test/types/Inputs/accept")), name);
INSTANTIATE_TEST_SUITE_P(Programs, Reject, testing::ValuesIn(test::programsIn("test/types/Inputs/reject")), name);

// Every program to be refused says why.
TEST(Programs, RefusedOnesNameTheirMessage) {
  for (const test::Program &program : test::programsIn("test/types/Inputs/reject"))
    EXPECT_FALSE(program.error.empty()) << program;
  for (const test::Program &program : test::programsIn("test/types/Inputs/accept"))
    EXPECT_TRUE(program.error.empty()) << program;
}

} // namespace
} // namespace ferry::futhark
