// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks: alignment, reference counts, peaks, limits, on every kind of memory.

#include "helpers.h"

#include <cstdint>
#include <cstring>
#include <set>

using namespace ferry::runtime;

namespace {

struct Where {
  const char *name;
  ContextOptions options;
  int32_t side;
};
void PrintTo(const Where &where, std::ostream *out) { *out << where.name; }

class Blocks : public testing::TestWithParam<Where> {
protected:
  Context context = make(GetParam().options);
  int32_t side = GetParam().side;
};

TEST_P(Blocks, AreAlignedAndDistinctAlsoWhenEmpty) {
  runs(context, [this](FerryContext *c) {
    std::set<void *> seen;
    for (int64_t bytes : {0, 0, 1, 63, 64, 65, 1000, 65'472, 65'473, 100'000}) {
      void *p = ferry_rt_alloc(c, side, bytes, "xs");
      EXPECT_EQ(reinterpret_cast<uintptr_t>(p) % 64, 0u) << bytes;
      EXPECT_TRUE(seen.insert(p).second) << bytes;
    }
    for (void *p : seen)
      ferry_rt_release(c, p);
  });
  EXPECT_EQ(report(*context).hostBytes + report(*context).deviceBytes, 0);
}

TEST_P(Blocks, LiveUntilTheLastRelease) {
  runs(context, [this](FerryContext *c) {
    void *p = ferry_rt_alloc(c, side, 1000, "xs");
    ferry_rt_retain(c, p);
    ferry_rt_release(c, p);
    EXPECT_EQ(report(*c).blocks, 1);
    void *q = ferry_rt_alloc(c, side, 1000, "ys");
    EXPECT_NE(p, q);
    ferry_rt_release(c, p);
    EXPECT_EQ(ferry_rt_alloc(c, side, 1000, "zs"), p) << "a dropped block of the same size is used again";
  });
}

TEST_P(Blocks, CountWhatWasAskedFor) {
  runs(context, [this](FerryContext *c) {
    void *a = ferry_rt_alloc(c, side, 100, "a");
    void *b = ferry_rt_alloc(c, side, 7, "b");
    ferry_rt_release(c, a);
    ferry_rt_alloc(c, side, 50, "c");
    ferry_rt_release(c, b);
  });
  Report r = report(*context);
  bool counted = side != FERRY_SCRATCH;
  EXPECT_EQ(side == FERRY_DEVICE ? r.deviceBytes : r.hostBytes, counted ? 50 : 0);
  EXPECT_EQ(side == FERRY_DEVICE ? r.devicePeak : r.hostPeak, counted ? 107 : 0);
  EXPECT_EQ(side == FERRY_DEVICE ? r.hostPeak : r.devicePeak, 0);
}

TEST_P(Blocks, OfNegativeOrHugeSizeAreFailures) {
  std::string negative = messageOf(context, [this](FerryContext *c) { ferry_rt_alloc(c, side, -1, "xs"); });
  EXPECT_EQ(negative, "error: 'xs' would have a negative length");
  std::string huge = messageOf(context, [this](FerryContext *c) { ferry_rt_alloc(c, side, INT64_MAX, "xs"); });
  EXPECT_NE(huge.find("memory for 'xs': "), std::string::npos) << huge;
  EXPECT_NE(huge.find(" are asked for"), std::string::npos) << huge;
}

TEST_P(Blocks, LeftByAFailureAreGivenBackWithTheContext) {
  // What a leak would be, the sanitizers say.
  messageOf(context, [this](FerryContext *c) {
    for (int64_t bytes : {0, 10, 1000, 100'000})
      ferry_rt_alloc(c, side, bytes, "xs");
    ferry_rt_alloc(c, side, -1, nullptr);
  });
}

INSTANTIATE_TEST_SUITE_P(EveryKind, Blocks,
                         testing::Values(Where{"host", onHost(), FERRY_HOST}, Where{"scratch", onHost(), FERRY_SCRATCH},
                                         Where{"simHost", onSim(), FERRY_HOST},
                                         Where{"simDevice", onSim(), FERRY_DEVICE},
                                         Where{"simOpenHost", onSim(false), FERRY_HOST},
                                         Where{"simOpenDevice", onSim(false), FERRY_DEVICE}),
                         [](const auto &info) { return info.param.name; });

TEST(Memory, NullIsNoBlock) {
  Context context = make(onHost());
  ferry_rt_retain(context.get(), nullptr);
  ferry_rt_release(context.get(), nullptr);
}

TEST(Memory, TheDeviceLimitNamesWhatIsResident) {
  ContextOptions options = onSim();
  options.deviceMemory = 1000;
  Context context = make(options);
  EXPECT_EQ(
      messageOf(context,
                [](FerryContext *c) {
                  ferry_rt_tick(c, &loopOp, 0);
                  ferry_rt_alloc(c, FERRY_DEVICE, 300, "small");
                  ferry_rt_alloc(c, FERRY_DEVICE, 600, "big");
                  ferry_rt_alloc(c, FERRY_DEVICE, 100, "fits");
                  ferry_rt_alloc(c, FERRY_DEVICE, 1, "more");
                }),
      "f.fut:9:1: error: not enough device memory for 'more': 1 bytes are asked for, 0 of 1000 are free; resident: "
      "'big' (600 bytes), 'small' (300 bytes), 'fits' (100 bytes)");
}

TEST(Memory, TheDeviceLimitListsTheLargestOnly) {
  ContextOptions options = onSim();
  options.deviceMemory = 100;
  Context context = make(options);
  std::string text = messageOf(context, [](FerryContext *c) {
    for (int i = 0; i < 10; ++i)
      ferry_rt_alloc(c, FERRY_DEVICE, 10, nullptr);
    ferry_rt_alloc(c, FERRY_DEVICE, 10, nullptr);
  });
  EXPECT_NE(text.find("an unnamed array (10 bytes) and 2 more"), std::string::npos) << text;
}

TEST(Memory, TheMachinesMemoryIsTheDefaultLimit) {
  ContextOptions options = onSim();
  options.deviceMemory = 0;
  options.machine.deviceMemory = 10;
  Context context = make(options);
  EXPECT_NE(
      messageOf(context, [](FerryContext *c) { ferry_rt_alloc(c, FERRY_DEVICE, 11, "xs"); }).find("10 of 10 are free"),
      std::string::npos);
}

TEST(Memory, SimCannotHaveMoreThanTheMachine) {
  ContextOptions options = onSim();
  options.deviceMemory = int64_t(1) << 60;
  Context context = make(options);
  std::string text =
      messageOf(context, [](FerryContext *c) { ferry_rt_alloc(c, FERRY_DEVICE, int64_t(1) << 50, "xs"); });
  EXPECT_NE(text.find("not enough device memory for 'xs': "), std::string::npos) << text;
  text = messageOf(context, [](FerryContext *c) { ferry_rt_alloc(c, FERRY_DEVICE, int64_t(1) << 37, "xs"); });
  EXPECT_EQ(
      text,
      "error: not enough device memory for 'xs': this machine cannot provide the 137438953472 bytes to simulate it");
}

TEST(Memory, ThereIsNoDeviceOnTheHost) {
  Context context = make(onHost());
  char byte = 0;
  EXPECT_EQ(messageOf(context, [](FerryContext *c) { ferry_rt_alloc(c, FERRY_DEVICE, 1, "xs"); }),
            "error: there is no device to hold 'xs'");
  EXPECT_EQ(messageOf(context, [&](FerryContext *c) { ferry_rt_upload(c, &byte, &byte, 1, "xs"); }),
            "error: there is no device for an upload");
  EXPECT_EQ(messageOf(context, [&](FerryContext *c) { launch(c, mapLaunch, [] {}); }),
            "error: there is no device for a kernel");
  EXPECT_EQ(messageOf(context, [&](FerryContext *c) { ferry_rt_synchronize(c); }),
            "error: there is no device for a synchronization");
  EXPECT_EQ(messageOf(context, [&](FerryContext *c) { ferry_rt_pass(c, &byte, &byte, 1); }),
            "error: there is no device for a scalar");
  EXPECT_EQ(messageOf(context, [&](FerryContext *c) { ferry_rt_device_copy(c, &byte, &byte, 1, &mapOp); }),
            "error: there is no device for a copy");
}

TEST(Memory, CountsAreExactUnderThreads) {
  for (const ContextOptions &options : {onHost(), onSim()}) {
    Context context = make(options);
    runs(context, [](FerryContext *c) {
      void *shared = ferry_rt_alloc(c, FERRY_HOST, 100, "shared");
      parallelFor(c, 100'000, 64, [&](int64_t, int64_t lo, int64_t hi) {
        for (int64_t i = lo; i < hi; ++i) {
          ferry_rt_retain(c, shared);
          auto *own = static_cast<int64_t *>(ferry_rt_alloc(c, FERRY_SCRATCH, 8 + i % 300, nullptr));
          *own = i;
          ferry_rt_release(c, shared);
          EXPECT_EQ(*own, i);
          ferry_rt_release(c, own);
        }
      });
      EXPECT_EQ(report(*c).blocks, 1);
      ferry_rt_release(c, shared);
    });
    EXPECT_EQ(report(*context).hostBytes, 0);
  }
}

TEST(Memory, BlocksAllocatedByOneThreadMayBeDroppedByAnother) {
  Context context = make(onHost());
  runs(context, [](FerryContext *c) {
    constexpr int64_t n = 10'000;
    std::vector<void *> blocks(n);
    for (int round = 0; round < 3; ++round) {
      parallelFor(c, n, 16, [&](int64_t, int64_t lo, int64_t hi) {
        for (int64_t i = lo; i < hi; ++i)
          blocks[i] = ferry_rt_alloc(c, i % 2 ? FERRY_HOST : FERRY_SCRATCH, i % 200 * 700, nullptr);
      });
      parallelFor(c, n, 16, [&](int64_t, int64_t lo, int64_t hi) {
        for (int64_t i = lo; i < hi; ++i)
          ferry_rt_release(c, blocks[n - 1 - i]);
      });
    }
  });
  EXPECT_EQ(report(*context).hostBytes, 0);
}

TEST(Memory, BlocksForArgumentsOutliveRuns) {
  Context context = make(onSim());
  auto *xs = static_cast<int *>(hostBlock(*context, 40, "xs"));
  ASSERT_TRUE(xs);
  std::memset(xs, 1, 40);
  runs(context, [&](FerryContext *c) {
    launch(c, mapLaunch, [] {});
    ferry_rt_retain(c, xs);
  });
  EXPECT_EQ(xs[9], 0x01010101) << "the caller reads results after a kernel was last to run";
  releaseBlock(*context, xs);
  releaseBlock(*context, xs);
  EXPECT_EQ(hostBlock(*context, INT64_MAX, "ys"), nullptr);
}

} // namespace
