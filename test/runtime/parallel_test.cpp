// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helpers.h"

#include <algorithm>
#include <thread>
#include <vector>

using namespace ferry::runtime;

namespace {

TEST(Parallel, ChunksCoverTheRangeOnceInOrder) {
  Context context = make(onHost());
  for (int64_t n : {1, 2, 7, 64, 1000})
    for (int64_t chunks : {1, 2, 3, 7, 64, 5000}) {
      std::vector<std::pair<int64_t, int64_t>> pieces(std::min(n, chunks), {-1, -1});
      runs(context, [&](FerryContext *c) {
        parallelFor(c, n, chunks, [&](int64_t chunk, int64_t lo, int64_t hi) { pieces.at(chunk) = {lo, hi}; });
      });
      int64_t at = 0;
      for (auto [lo, hi] : pieces) {
        EXPECT_EQ(lo, at);
        EXPECT_GE(hi - lo, n / static_cast<int64_t>(pieces.size()));
        EXPECT_LE(hi - lo, n / static_cast<int64_t>(pieces.size()) + 1);
        at = hi;
      }
      EXPECT_EQ(at, n);
    }
}

TEST(Parallel, NothingToDo) {
  Context context = make(onHost());
  runs(context, [](FerryContext *c) {
    for (int64_t n : {0, -1})
      parallelFor(c, n, 4, [](int64_t, int64_t, int64_t) { FAIL(); });
    parallelFor(c, 4, 0, [](int64_t, int64_t, int64_t) { FAIL(); });
    EXPECT_EQ(ferry_rt_chunks(c, 0, 10), 0);
    EXPECT_EQ(ferry_rt_chunks(c, -5, 10), 0);
  });
}

ContextOptions onThreads(int threads) {
  ContextOptions options = onHost();
  options.threads = threads;
  return options;
}

TEST(Parallel, ChunksRespectTheGrain) {
  Context context = make(onThreads(4));
  FerryContext *c = context.get();
  EXPECT_EQ(ferry_rt_chunks(c, 1, 1000), 1);
  EXPECT_EQ(ferry_rt_chunks(c, 1999, 1000), 1);
  EXPECT_EQ(ferry_rt_chunks(c, 2000, 1000), 2);
  EXPECT_EQ(ferry_rt_chunks(c, 4000, 1000), 4);
  EXPECT_EQ(ferry_rt_chunks(c, 7000, 1000), 4) << "a multiple of the threads";
  EXPECT_EQ(ferry_rt_chunks(c, 1'000'000'000, 1), 16);
  EXPECT_EQ(ferry_rt_chunks(c, 100, 0), 16);
  Context alone = make(onThreads(1));
  EXPECT_EQ(ferry_rt_chunks(alone.get(), 1'000'000'000, 1), 4);
}

TEST(Parallel, InnerLoopsRunWhereTheyAre) {
  Context context = make(onHost());
  runs(context, [](FerryContext *c) {
    std::atomic<int64_t> sum = 0;
    parallelFor(c, 8, 8, [&](int64_t, int64_t, int64_t) {
      EXPECT_EQ(ferry_rt_chunks(c, 1'000'000, 1), 1);
      std::thread::id thread = std::this_thread::get_id();
      int64_t last = -1;
      parallelFor(c, 100, 10, [&](int64_t chunk, int64_t lo, int64_t hi) {
        EXPECT_EQ(std::this_thread::get_id(), thread);
        EXPECT_EQ(chunk, last + 1);
        last = chunk;
        sum += hi - lo;
      });
    });
    EXPECT_EQ(sum, 800);
    EXPECT_GE(ferry_rt_chunks(c, 1'000'000, 1), 1);
  });
}

TEST(Parallel, UsesTheThreadsThereAre) {
  Context context = make(onThreads(3));
  runs(context, [](FerryContext *c) {
    std::atomic<int> arrived = 0;
    parallelFor(c, 3, 3, [&](int64_t, int64_t, int64_t) {
      ++arrived;
      while (arrived < 3) // only three threads at once get past here
        std::this_thread::yield();
    });
    EXPECT_EQ(arrived, 3);
  });
}

} // namespace
