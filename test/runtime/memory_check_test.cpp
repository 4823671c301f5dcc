// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checked memory: what is read or written outside of every block ends the process with a message, on every kind of
// memory.

#include "helpers.h"
#include "runtime/arena.h"
#include "runtime/block.h"

#include <cstdlib>
#include <cstring>
#include <sys/resource.h>
#include <vector>

using namespace ferry::runtime;

namespace {

ContextOptions checked(ContextOptions options, MemoryCheck check) {
  options.checkMemory = check;
  return options;
}

struct Where {
  const char *name;
  ContextOptions options;
  int32_t side;
  const char *spelled;
};
void PrintTo(const Where &where, std::ostream *out) { *out << where.name; }

class CheckedMemoryDeathTest : public testing::TestWithParam<Where> {
protected:
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }

  // Runs code(context, xs) where an array 'xs' of so many bytes lives: device arrays in a kernel.
  template <typename Code> static void runWith(MemoryCheck check, int64_t bytes, Code code) {
    const Where &where = GetParam();
    Context context = make(checked(where.options, check));
    runs(context, [&](FerryContext *c) {
      auto *xs = static_cast<volatile char *>(ferry_rt_alloc(c, where.side, bytes, "xs"));
      ferry_rt_tick(c, &mapOp, 0);
      if (where.side == FERRY_DEVICE)
        launch(c, mapLaunch, [&] { code(c, xs); });
      else
        code(c, xs);
      ferry_rt_release(c, const_cast<char *>(xs));
    });
    EXPECT_EQ(heldBlocks(*context), "");
    EXPECT_EQ(report(*context).blocks, 0);
  }

  template <typename Code> static void dies(MemoryCheck check, int64_t bytes, const std::string &message, Code code) {
    EXPECT_EXIT(
        {
          runWith(check, bytes, code);
          std::_Exit(0);
        },
        testing::ExitedWithCode(violationExitStatus), message);
  }

  static std::string array(const std::string &text) { return text + GetParam().spelled + " array 'xs'"; }
};

TEST_P(CheckedMemoryDeathTest, EveryByteOfAnArrayCanBeTouched) {
  for (MemoryCheck check : {MemoryCheck::after, MemoryCheck::before})
    for (int64_t bytes : {0, 1, 12, 4095, 4096, 4097, 100'000})
      runWith(check, bytes, [=](FerryContext *, volatile char *xs) {
        for (int64_t i = 0; i < bytes; ++i)
          xs[i] = static_cast<char>(xs[i] + 1);
      });
}

TEST_P(CheckedMemoryDeathTest, TheByteAfterAnArray) {
  for (int64_t bytes : {0, 1, 12, 4096, 5000})
    dies(MemoryCheck::after, bytes,
         "f.fut:3:5: error: .*touched " + array("byte " + std::to_string(bytes) + " of ") + " of " +
             std::to_string(bytes) + " bytes in operation 'map'\n$",
         [=](FerryContext *, volatile char *xs) { (void)xs[bytes]; });
}

TEST_P(CheckedMemoryDeathTest, TheByteBeforeAnArray) {
  for (int64_t bytes : {0, 1, 12, 4096, 5000})
    dies(MemoryCheck::before, bytes, array("byte -1 of "), [=](FerryContext *, volatile char *xs) { xs[-1] = 1; });
}

TEST_P(CheckedMemoryDeathTest, AWriteOnTheOtherSideIsFoundAtTheLastRelease) {
  dies(MemoryCheck::before, 12, array("something wrote right outside of "),
       [](FerryContext *, volatile char *xs) { xs[12] = 1; });
  dies(MemoryCheck::after, 12, array("something wrote right outside of "),
       [](FerryContext *, volatile char *xs) { xs[-1] = 1; });
}

TEST_P(CheckedMemoryDeathTest, NewArraysAreFullOfNaNs) {
  runWith(MemoryCheck::after, 8, [](FerryContext *, volatile char *xs) {
    for (int i = 0; i < 8; ++i)
      EXPECT_EQ(xs[i], static_cast<char>(0xff));
  });
}

INSTANTIATE_TEST_SUITE_P(EveryKind, CheckedMemoryDeathTest,
                         testing::Values(Where{"host", onHost(), FERRY_HOST, "host"},
                                         Where{"scratch", onHost(), FERRY_SCRATCH, "scratch"},
                                         Where{"simHost", onSim(), FERRY_HOST, "host"},
                                         Where{"simDevice", onSim(), FERRY_DEVICE, "device"},
                                         Where{"simScratch", onSim(), FERRY_SCRATCH, "scratch"},
                                         Where{"simOpenHost", onSim(false), FERRY_HOST, "host"},
                                         Where{"simOpenDevice", onSim(false), FERRY_DEVICE, "device"}),
                         [](const auto &info) { return info.param.name; });

class DroppedDeathTest : public testing::TestWithParam<int32_t> {};

TEST_P(DroppedDeathTest, IsOutOfReachAndCannotBeCounted) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  auto afterwards = [](auto use) {
    Context context = make(checked(onHost(), MemoryCheck::after));
    runs(context, [&](FerryContext *c) {
      void *xs = ferry_rt_alloc(c, GetParam(), 100, "xs");
      ferry_rt_release(c, xs);
      void *ys = ferry_rt_alloc(c, GetParam(), 100, "ys");
      EXPECT_NE(xs, ys);
      use(c, xs);
    });
    std::_Exit(0);
  };
  auto exits = testing::ExitedWithCode(violationExitStatus);
  EXPECT_EXIT(afterwards([](FerryContext *, void *xs) { (void)*static_cast<volatile char *>(xs); }), exits,
              "error: host code touched byte -?[0-9]+ of .* array 'ys' of 100 bytes before any operation");
  EXPECT_EXIT(afterwards([](FerryContext *c, void *xs) { ferry_rt_release(c, xs); }), exits,
              "error: a dropped array is used before any operation");
  EXPECT_EXIT(afterwards([](FerryContext *c, void *xs) { ferry_rt_retain(c, xs); }), exits, "a dropped array is used");
}

INSTANTIATE_TEST_SUITE_P(Sides, DroppedDeathTest, testing::Values(FERRY_HOST, FERRY_SCRATCH));

TEST(CheckedMemory, NamesWhatNobodyGaveBack) {
  Context context = make(checked(onSim(), MemoryCheck::after));
  runs(context, [](FerryContext *c) {
    ferry_rt_alloc(c, FERRY_HOST, 40, "xs");
    ferry_rt_alloc(c, FERRY_DEVICE, 80, "ys");
    ferry_rt_alloc(c, FERRY_SCRATCH, 8, nullptr);
  });
  EXPECT_EQ(heldBlocks(*context), "memory that nobody gave back: host 'xs' (40 bytes); device 'ys' (80 bytes); "
                                  "scratch an unnamed array (8 bytes)");
  EXPECT_EQ(report(*context).blocks, 3);
}

TEST(CheckedMemory, ManyArraysFromManyThreads) {
  for (const ContextOptions &options : {onHost(), onSim()}) {
    Context context = make(checked(options, MemoryCheck::after));
    runs(context, [](FerryContext *c) {
      parallelFor(c, 10'000, 64, [&](int64_t, int64_t lo, int64_t hi) {
        for (int64_t i = lo; i < hi; ++i) {
          auto *own = static_cast<char *>(ferry_rt_alloc(c, i % 2 ? FERRY_HOST : FERRY_SCRATCH, i % 9000, nullptr));
          std::memset(own, 1, static_cast<size_t>(i % 9000));
          ferry_rt_release(c, own);
        }
      });
    });
    EXPECT_EQ(report(*context).blocks, 0);
  }
}

TEST(CheckedMemory, TransfersReachBlocksBesideGuards) {
  for (MemoryCheck check : {MemoryCheck::after, MemoryCheck::before}) {
    Context context = make(checked(onSim(), check));
    runs(context, [](FerryContext *c) {
      auto *host = static_cast<char *>(ferry_rt_alloc(c, FERRY_HOST, 5000, "xs"));
      void *device = ferry_rt_alloc(c, FERRY_DEVICE, 5000, "ys");
      std::memset(host, 7, 5000);
      ferry_rt_upload(c, device, host, 5000, "xs");
      launch(c, mapLaunch, [=] { static_cast<char *>(device)[4999] = 9; });
      ferry_rt_download(c, host, device, 5000, "ys");
      EXPECT_EQ(host[0], 7);
      EXPECT_EQ(host[4999], 9) << "which brings host arrays within reach again";
      ferry_rt_release(c, host);
      ferry_rt_release(c, device);
    });
  }
}

// Page faults of this process so far.
int64_t pageFaults() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt + usage.ru_majflt;
}

TEST(BlockTables, FarFromAnyBlockLittleIsRead) {
  std::string error;
  AddressRange range{size_t(1) << 40, size_t(1) << 36};
  auto table = BlockTable::make(range, error);
  ASSERT_TRUE(table) << error;
  auto at = [&](size_t offset) { return reinterpret_cast<void *>(range.base + offset); };
  Block small, large;
  small.bytes = 1000;
  small.data = at(0);
  large.bytes = 1 << 20;
  large.data = at(4096);
  for (Block *block : {&small, &large})
    table->set(block->data, block);
  int64_t before = pageFaults();
  EXPECT_EQ(table->near(at(size_t(1) << 35), 1 << 16), nullptr);
  EXPECT_EQ(table->holding(at(size_t(1) << 35)), nullptr);
  EXPECT_LT(pageFaults() - before, 1000);
  EXPECT_EQ(table->holding(at(4096 + (1 << 20) - 1)), &large);
  EXPECT_EQ(table->near(at(4096 + (1 << 20) + (1 << 16)), 1 << 16), &large);
  EXPECT_EQ(table->near(at(1010), 1 << 16), &small);
}

TEST(ArenaDeathTest, EndsWhereTheSystemRefusesProtection) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  auto open = [] {
    std::string error;
    auto budget = std::make_shared<std::atomic<int64_t>>(int64_t(1) << 40);
    auto arena = Arena::make("a test", 1 << 20, true, Guard::after, budget, error);
    arena->close();
    std::vector<void *> blocks; // until there can be no more mappings
    while (void *block = arena->allocate(1))
      blocks.push_back(block);
    for (int i = 0; i < 10; ++i) {
      arena->free(blocks.back());
      blocks.pop_back();
    }
    arena->open();
    std::_Exit(0);
  };
  EXPECT_EXIT(open(), testing::ExitedWithCode(1), "^error: the protection of memory cannot be changed: .*; vm.max_map");
}

} // namespace
