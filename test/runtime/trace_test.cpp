// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Real time, by operation and by copy: to whom it is counted.

#include "helpers.h"

#include <chrono>
#include <thread>

using namespace ferry::runtime;

namespace {

constexpr int64_t million = 1'000'000;

void wait() { std::this_thread::sleep_for(std::chrono::milliseconds(3)); }

Context traced() {
  ContextOptions options = onSim();
  options.trace = true;
  return make(options);
}

const Measured *find(const std::vector<Measured> &all, Measured::Kind kind, const std::string &name) {
  for (const Measured &each : all)
    if (each.kind == kind && each.name == name)
      return &each;
  return nullptr;
}

TEST(Trace, HostCodeBelongsToTheOperationThatBeganLast) {
  Context context = traced();
  runs(context, [](FerryContext *c) {
    wait(); // nobody's
    ferry_rt_tick(c, &loopOp, 7);
    ferry_rt_tick(c, &mapOp, 5);
    wait();
    ferry_rt_tick(c, &loopOp, 7);
  });
  std::vector<Measured> found = takeTrace(*context);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "loop") << "in the order in which they first ran";
  EXPECT_EQ(found[0].count, 2);
  EXPECT_LT(found[0].nanoseconds, 2 * million);
  EXPECT_EQ(found[1].location, "f.fut:3:5");
  EXPECT_EQ(found[1].count, 1);
  EXPECT_GE(found[1].nanoseconds, 3 * million);
  EXPECT_TRUE(takeTrace(*context).empty()) << "taken once";
}

TEST(Trace, KernelsAndCopiesHaveTimesOfTheirOwn) {
  Context context = traced();
  runs(context, [](FerryContext *c) {
    char bytes[100] = {};
    void *d = ferry_rt_alloc(c, FERRY_DEVICE, 100, "d");
    ferry_rt_tick(c, &loopOp, 7);
    ferry_rt_upload(c, d, bytes, 100, "xs");
    ferry_rt_pass(c, d, bytes, 8);
    wait(); // after a copy, whatever it is for: nobody's
    launch(c, mapLaunch, [] { wait(); });
    ferry_rt_download(c, bytes, d, 50, "xs");
    ferry_rt_download(c, bytes, d, 50, "xs");
    ferry_rt_release(c, d);
  });
  std::vector<Measured> found = takeTrace(*context);
  const Measured *kernel = find(found, Measured::launch, "map"), *loop = find(found, Measured::host, "loop"),
                 *down = find(found, Measured::download, "xs");
  ASSERT_TRUE(kernel && loop && down && find(found, Measured::upload, "xs") && find(found, Measured::argument, ""));
  EXPECT_EQ(found.size(), 5u);
  EXPECT_GE(kernel->nanoseconds, 3 * million);
  EXPECT_EQ(kernel->location, "f.fut:3:5");
  EXPECT_LT(loop->nanoseconds, 2 * million);
  EXPECT_EQ(down->count, 2);
  EXPECT_EQ(down->bytes, 100);
}

TEST(Trace, AnOperationGoesOnBehindAPeek) {
  Context context = traced();
  runs(context, [](FerryContext *c) {
    char bytes[8] = {};
    void *d = ferry_rt_alloc(c, FERRY_DEVICE, 8, "d");
    ferry_rt_poke(c, d, bytes, 8, "d"); // before any operation
    ferry_rt_tick(c, &loopOp, 7);
    ferry_rt_peek(c, bytes, d, 8, "d");
    wait();
    ferry_rt_release(c, d);
  });
  std::vector<Measured> found = takeTrace(*context);
  const Measured *loop = find(found, Measured::host, "loop"), *peek = find(found, Measured::peek, "loop");
  ASSERT_TRUE(loop && peek && find(found, Measured::poke, "d"));
  EXPECT_EQ(loop->count, 1);
  EXPECT_GE(loop->nanoseconds, 3 * million);
  EXPECT_EQ(peek->count, 1);
  EXPECT_EQ(peek->location, "f.fut:9:1");
}

TEST(Trace, NoneIsKeptUnlessItIsAskedFor) {
  Context context = make(onSim());
  runs(context, [](FerryContext *c) { ferry_rt_tick(c, &loopOp, 7); });
  EXPECT_TRUE(takeTrace(*context).empty());
}

} // namespace
