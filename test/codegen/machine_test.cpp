// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/Machine.h"

#include "runtime/processor.h"

#include "llvm/TargetParser/Host.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace ferry;
using namespace ferry::codegen;

namespace {

bool has(const std::vector<std::string> &features, const std::string &feature) {
  return std::ranges::find(features, feature) != features.end();
}

// A program and LLVM ask the processor each in their own way.
TEST(Processors, ThisOneIsAsLlvmSeesIt) {
  auto here = llvm::sys::getHostCPUFeatures();
  auto found = runtime::processorFeatures();
  for (const std::string &feature : runtime::knownFeatures()) {
    ASSERT_TRUE(here.contains(feature)) << feature;
    EXPECT_EQ(has(found, feature), here.lookup(feature)) << feature;
  }
}

TEST(Processors, HaveNames) {
  EXPECT_EQ(processorNamed("native")->features, runtime::processorFeatures());
  EXPECT_FALSE(processorNamed("nothing"));
  EXPECT_FALSE(processorNamed(""));
  auto least = processorNamed(runtime::leastProcessor);
  ASSERT_TRUE(least);
  EXPECT_TRUE(least->features.empty());
#if defined(__x86_64__)
  EXPECT_FALSE(processorNamed("i686"));
  auto named = processorNamed("x86-64-v3");
  ASSERT_TRUE(named);
  EXPECT_TRUE(has(named->features, "avx2") && has(named->features, "fma"));
  EXPECT_FALSE(has(named->features, "avx512f"));
  EXPECT_TRUE(has(processorNamed("znver4")->features, "avx512bf16"));
#endif
}

} // namespace
