// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The simulated device keeps the two sides apart: every kind of access to the wrong one ends the process with a
// message.

#include "helpers.h"

#include <cmath>
#include <cstdlib>
#include <cstring>

using namespace ferry::runtime;

namespace {

// A host array 'hs' and a device array 'ds', in reach of nothing but the code under test.
struct Arrays {
  Context context = make(onSim());
  volatile float *hs = nullptr, *ds = nullptr;

  template <typename Code> void run(Code code) {
    runs(context, [&](FerryContext *c) {
      hs = static_cast<float *>(ferry_rt_alloc(c, FERRY_HOST, 4000, "hs"));
      ds = static_cast<float *>(ferry_rt_alloc(c, FERRY_DEVICE, 4000, "ds"));
      ferry_rt_tick(c, &loopOp, 0);
      code(c);
    });
  }
};

class SimDeathTest : public testing::Test {
protected:
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }

  template <typename Code> static void violates(Code code, const char *message) {
    EXPECT_EXIT(
        {
          Arrays arrays;
          arrays.run([&](FerryContext *c) { code(c, arrays); });
          std::_Exit(0);
        },
        testing::ExitedWithCode(violationExitStatus), message);
  }
};

TEST_F(SimDeathTest, HostCodeReadsADeviceArray) {
  violates([](FerryContext *, Arrays &a) { (void)a.ds[999]; },
           "^f.fut:9:1: error: sim: host code touched device array 'ds' in operation 'loop'\n$");
}

TEST_F(SimDeathTest, TheOperationInsideAKernelIsNamed) {
  violates(
      [](FerryContext *c, Arrays &a) {
        FerryLaunch region = {&loopOp, 1, 1, 0, 0, {}};
        launch(c, region, [&] {
          ferry_rt_tick(c, &mapOp, 1);
          (void)a.hs[0];
        });
      },
      "^f.fut:3:5: error: sim: .* touched host array 'hs' in operation 'map'\n$");
}

TEST_F(SimDeathTest, HostCodeWritesADeviceArray) {
  violates([](FerryContext *, Arrays &a) { a.ds[0] = 1; }, "host code touched device array 'ds' in operation 'loop'");
}

TEST_F(SimDeathTest, HostCodeTouchesADeviceArrayAfterAKernelDid) {
  violates(
      [](FerryContext *c, Arrays &a) {
        launch(c, mapLaunch, [&] { a.ds[0] = 1; });
        a.hs[0] = 1;
        a.ds[0] = 2;
      },
      "host code touched device array 'ds' in operation 'loop'");
}

TEST_F(SimDeathTest, KernelReadsAHostArray) {
  violates([](FerryContext *c, Arrays &a) { launch(c, mapLaunch, [&] { (void)a.hs[0]; }); },
           "^f.fut:3:5: error: sim: a kernel touched host array 'hs' in operation 'map'\n$");
}

TEST_F(SimDeathTest, KernelWritesAHostArray) {
  violates([](FerryContext *c, Arrays &a) { launch(c, mapLaunch, [&] { a.hs[999] = 1; }); },
           "a kernel touched host array 'hs' in operation 'map'");
}

TEST_F(SimDeathTest, SecondKernelInARowTouchesAHostArray) {
  violates(
      [](FerryContext *c, Arrays &a) {
        launch(c, mapLaunch, [&] { a.ds[0] = 1; });
        launch(c, mapLaunch, [&] { a.hs[0] = 1; });
      },
      "a kernel touched host array 'hs'");
}

TEST_F(SimDeathTest, WorkersOfAHostLoopTouchADeviceArray) {
  violates(
      [](FerryContext *c, Arrays &a) { parallelFor(c, 1000, 8, [&](int64_t, int64_t lo, int64_t) { a.ds[lo] = 1; }); },
      "host code touched device array 'ds' in operation 'loop'");
}

TEST_F(SimDeathTest, WorkersOfAKernelTouchAHostArray) {
  violates(
      [](FerryContext *c, Arrays &a) {
        launch(c, mapLaunch, [&] { parallelFor(c, 1000, 8, [&](int64_t, int64_t lo, int64_t) { a.hs[lo] = 1; }); });
      },
      "a kernel touched host array 'hs' in operation 'map'");
}

TEST_F(SimDeathTest, ArraysMadeWhileTheirSideIsClosedAreProtectedToo) {
  violates(
      [](FerryContext *c, Arrays &) {
        auto *late = static_cast<volatile char *>(ferry_rt_alloc(c, FERRY_DEVICE, 100'000, "late"));
        late[99'999] = 1;
      },
      "host code touched device array 'late'");
  violates(
      [](FerryContext *c, Arrays &) {
        launch(c, mapLaunch, [] {});
        auto *late = static_cast<volatile char *>(ferry_rt_alloc(c, FERRY_HOST, 100'000, nullptr));
        launch(c, mapLaunch, [=] { late[99'999] = 1; });
      },
      R"(a kernel touched host array '\(unnamed\)')");
}

TEST_F(SimDeathTest, DroppedDeviceArraysHaveNoNameAnyMore) {
  violates(
      [](FerryContext *c, Arrays &a) {
        ferry_rt_release(c, const_cast<float *>(a.ds));
        a.ds[0] = 1;
      },
      "host code touched device memory outside of any live array in operation 'loop'");
}

TEST_F(SimDeathTest, AddressesWhereNoArrayEverWas) {
  violates([](FerryContext *c, Arrays &a) { launch(c, mapLaunch, [&] { a.ds[100'000] = 1; }); },
           "a kernel touched device memory outside of any live array");
  violates([](FerryContext *, Arrays &a) { a.hs[100'000] = 1; },
           "host code touched host memory outside of any live array");
}

TEST_F(SimDeathTest, InAnOperationWithoutAPlace) {
  static constexpr FerryOperation placeless = {"copy", "", 0, 0};
  violates(
      [](FerryContext *c, Arrays &a) {
        ferry_rt_tick(c, &placeless, 0);
        a.ds[0] = 1;
      },
      "^error: sim: host code touched device array 'ds' in operation 'copy'\n$");
}

TEST_F(SimDeathTest, BeforeAnyOperation) {
  EXPECT_EXIT(
      {
        Context context = make(onSim());
        runs(context,
             [](FerryContext *c) { *static_cast<volatile int *>(ferry_rt_alloc(c, FERRY_DEVICE, 4, "ds")) = 1; });
      },
      testing::ExitedWithCode(violationExitStatus),
      "^error: sim: host code touched device array 'ds' before any operation\n$");
}

// Recursion that no optimizer turns into a loop.
[[gnu::noinline]] int64_t deep(volatile int64_t *p) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(*p);
  return *p ? deep(p) + frame[0] : frame[0];
}

TEST_F(SimDeathTest, StackOverflow) {
  volatile int64_t forever = 1;
  violates([&](FerryContext *, Arrays &) { deep(&forever); },
           "^f.fut:9:1: error: stack overflow in operation 'loop'\n$");
}

TEST_F(SimDeathTest, StackOverflowOfAWorker) {
  volatile int64_t forever = 1;
  violates([&](FerryContext *c,
               Arrays &) { parallelFor(c, 1000, 1000, [&](int64_t, int64_t, int64_t) { deep(&forever); }); },
           "error: stack overflow in operation 'loop'");
}

TEST_F(SimDeathTest, OtherFaultsStayWhatTheyAre) {
  EXPECT_DEATH(
      {
        Arrays a;
        static volatile std::uintptr_t nowhere = 16;
        a.run([](FerryContext *) { *reinterpret_cast<volatile int *>(nowhere) = 1; });
      },
      "");
}

TEST_F(SimDeathTest, FailuresOutsideOfARunEndTheProcess) {
  EXPECT_EXIT(
      {
        Context context = make(onHost());
        ferry_rt_alloc(context.get(), FERRY_HOST, -1, "xs");
      },
      testing::ExitedWithCode(violationExitStatus), "^error: 'xs' would have a negative length\n$");
}

TEST(Sim, EachSideReachesItsOwn) {
  Arrays a;
  a.run([&](FerryContext *c) {
    for (int i = 0; i < 1000; ++i)
      a.hs[i] = static_cast<float>(i);
    ferry_rt_upload(c, const_cast<float *>(a.ds), const_cast<float *>(a.hs), 4000, "ds");
    for (int round = 0; round < 3; ++round)
      launch(c, mapLaunch, [&] {
        parallelFor(c, 1000, 8, [&](int64_t, int64_t lo, int64_t hi) {
          for (int64_t i = lo; i < hi; ++i)
            a.ds[i] = a.ds[i] + 1;
        });
      });
    ferry_rt_download(c, const_cast<float *>(a.hs), const_cast<float *>(a.ds), 4000, "hs");
    parallelFor(c, 1000, 8, [&](int64_t, int64_t lo, int64_t hi) { // the first touch after the kernels, by all threads
      for (int64_t i = lo; i < hi; ++i)
        EXPECT_EQ(a.hs[i], static_cast<float>(i + 3));
    });
    float seen = 0;
    ferry_rt_peek(c, &seen, const_cast<float *>(a.ds) + 7, 4, "ds");
    EXPECT_EQ(seen, 10);
    seen = 5;
    ferry_rt_poke(c, const_cast<float *>(a.ds) + 7, &seen, 4, "ds");
    launch(c, mapLaunch, [&] { EXPECT_EQ(a.ds[7], 5); });
  });
}

TEST(Sim, ADownloadForLaterArrivesWhenItIsAwaited) {
  Arrays a;
  a.run([&](FerryContext *c) {
    launch(c, mapLaunch, [&] { a.ds[0] = 1; });
    ferry_rt_download_later(c, const_cast<float *>(a.hs), const_cast<float *>(a.ds), 4000, "hs");
    EXPECT_TRUE(std::isnan(a.hs[0]));
    launch(c, mapLaunch, [&] { a.ds[0] = 2; });
    ferry_rt_await(c, const_cast<float *>(a.hs));
    EXPECT_EQ(a.hs[0], 1) << "what was there when it began";
    a.hs[0] = 3;
    ferry_rt_await(c, const_cast<float *>(a.hs));
    EXPECT_EQ(a.hs[0], 3) << "there is nothing more to await";
  });
}

TEST(Sim, ScratchIsWithinReachOfKernels) {
  Arrays a;
  a.run([&](FerryContext *c) {
    auto *mine = static_cast<int *>(ferry_rt_alloc(c, FERRY_SCRATCH, 400, nullptr));
    launch(c, mapLaunch, [&] {
      mine[0] = 1;
      auto *own = static_cast<int *>(ferry_rt_alloc(c, FERRY_SCRATCH, 400'000, nullptr));
      own[99'999] = 2;
      ferry_rt_release(c, own);
    });
    EXPECT_EQ(mine[0], 1);
    ferry_rt_release(c, mine);
  });
}

TEST(Sim, DroppedAndNewBlocksArePoisoned) {
  for (int32_t side : {FERRY_HOST, FERRY_DEVICE}) {
    Context context = make(onSim());
    runs(context, [side](FerryContext *c) {
      auto read = [&](volatile double *p) {
        double x = 0;
        if (side == FERRY_DEVICE)
          launch(c, mapLaunch, [&] { x = *p; });
        else
          x = *p;
        return x;
      };
      auto write = [&](volatile double *p) {
        if (side == FERRY_DEVICE)
          launch(c, mapLaunch, [&] { *p = 1.5; });
        else
          *p = 1.5;
      };
      auto *p = static_cast<double *>(ferry_rt_alloc(c, side, 8, "xs"));
      EXPECT_TRUE(std::isnan(read(p))) << "a new block";
      write(p);
      EXPECT_EQ(read(p), 1.5);
      ferry_rt_release(c, p);
      EXPECT_TRUE(std::isnan(read(p))) << "a dropped block";
      auto *q = static_cast<double *>(ferry_rt_alloc(c, side, 8, "ys"));
      EXPECT_EQ(q, p);
      EXPECT_TRUE(std::isnan(read(q))) << "a block used again";
    });
  }
}

TEST(Sim, WithoutProtectionNothingIsOutOfReach) {
  Context context = make(onSim(false));
  runs(context, [](FerryContext *c) {
    auto *h = static_cast<int *>(ferry_rt_alloc(c, FERRY_HOST, 4, "h"));
    auto *d = static_cast<int *>(ferry_rt_alloc(c, FERRY_DEVICE, 4, "d"));
    *d = 1;
    launch(c, mapLaunch, [&] { *h = 2; });
    ferry_rt_download(c, h, d, 4, "h");
    EXPECT_EQ(*h, 1);
  });
}

TEST(Sim, OneThreadForManyElementsNeedsLeave) {
  Context context = make(onSim());
  FerryLaunch lone = mapLaunch;
  lone.threads = 1;
  EXPECT_EQ(messageOf(context, [&](FerryContext *c) { launch(c, lone, [] { FAIL() << "it ran"; }); }),
            "f.fut:3:5: error: 100 elements of the device's map at f.fut:3:5 would be run by one thread");
  EXPECT_EQ(report(*context).launches, 0);
  runs(context, [&](FerryContext *c) {
    lone.flags = FERRY_ONE_THREAD_ALLOWED;
    launch(c, lone, [] {});
    lone = {&mapOp, 1, 1, 0, 0, {}};
    launch(c, lone, [] {});
  });
}

TEST(Sim, AFailureInAKernelComesBackToTheHost) {
  Arrays a;
  a.run([](FerryContext *) {});
  std::string text = messageOf(a.context, [&](FerryContext *c) {
    launch(c, mapLaunch, [&] {
      a.ds[0] = 1;
      FerryFailure what = {FERRY_FAIL_INDEX, 4, 7, 0, "f.fut", nullptr};
      ferry_rt_fail(c, &what, 100, 100, 0, 0);
    });
  });
  EXPECT_EQ(text, "f.fut:4:7: error: Index [100] out of bounds for array of shape [100].");
  a.hs[0] = 1; // within the host's reach again
}

TEST(Sim, OnlyHostCodeAsksSomethingOfADevice) {
  Context context = make(onSim());
  EXPECT_EQ(messageOf(context, [](FerryContext *c) { launch(c, mapLaunch, [c] { launch(c, mapLaunch, [] {}); }); }),
            "f.fut:3:5: error: a kernel is asked for by a kernel");
  EXPECT_EQ(messageOf(context, [](FerryContext *c) { launch(c, mapLaunch, [c] { ferry_rt_synchronize(c); }); }),
            "f.fut:3:5: error: a synchronization is asked for by a kernel");
  EXPECT_EQ(messageOf(context,
                      [](FerryContext *c) {
                        void *d = ferry_rt_alloc(c, FERRY_DEVICE, 4, "d");
                        parallelFor(c, 4, 4, [=](int64_t, int64_t, int64_t) {
                          int x = 0;
                          ferry_rt_peek(c, &x, d, 4, "d");
                        });
                      }),
            "error: a peek is asked for by a parallel loop");
  runs(context, [](FerryContext *c) { launch(c, mapLaunch, [] {}); });
}

TEST(Sim, ContextsStandSideBySide) {
  Arrays a, b;
  a.run([&](FerryContext *c) {
    a.hs[0] = 1;
    b.run([&](FerryContext *) { b.hs[0] = 2; });
    launch(c, mapLaunch, [&] { a.ds[0] = 3; });
    EXPECT_EQ(a.hs[0], 1);
  });
}

TEST(Sim, MayBeLargerThanTheMachine) {
  std::string error;
  ContextOptions options = onSim();
  options.deviceMemory = int64_t(1) << 62;
  EXPECT_TRUE(makeContext(options, error)) << error;
}

} // namespace
