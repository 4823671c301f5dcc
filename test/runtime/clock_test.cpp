// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The virtual clock and the counters, to the unit.

#include "helpers.h"

#include <cstdint>
#include <cstring>

using namespace ferry::runtime;

namespace {

TEST(Clock, HostWorkTicks) {
  Context context = make(onHost());
  runs(context, [](FerryContext *c) {
    ferry_rt_tick(c, &loopOp, 7);
    ferry_rt_tick(c, &mapOp, 5);
  });
  EXPECT_EQ(report(*context).clock, 12);
  EXPECT_EQ(report(*context).hostTime, 12);
}

TEST(Clock, ALaunchCostsItsPriceAndItsWorkRoundedUpOnce) {
  Context context = make(onSim());
  runs(context, [](FerryContext *c) {
    FerryLaunch desc = mapLaunch;
    desc.work = {10, 1, 2, 0}; // 10/3 + 2000 = 2003.33
    launch(c, desc, [] {});
  });
  Report r = report(*context);
  EXPECT_EQ(r.clock, 500'000 + 2'004);
  EXPECT_EQ(r.deviceTime, r.clock);
  EXPECT_EQ(r.launches, 1);
}

TEST(Clock, ARegionKernelPricesItsOperationsItself) {
  Context context = make(onSim());
  runs(context, [](FerryContext *c) {
    FerryLaunch desc = {&loopOp, 1, 1, 0, 0, {0, 0, 0, 0}};
    launch(c, desc, [c] {
      ferry_rt_tick(c, &mapOp, 3'000);
      ferry_rt_tick(c, &loopOp, 11);
    });
    ferry_rt_tick(c, &loopOp, 13);
  });
  Report r = report(*context);
  EXPECT_EQ(r.deviceTime, 500'000 + 3'000 + 11);
  EXPECT_EQ(r.hostTime, 13);
  EXPECT_EQ(r.clock, r.hostTime + r.deviceTime);
}

TEST(Clock, TransfersAreLatencyAndBytes) {
  Context context = make(onSim());
  runs(context, [](FerryContext *c) {
    char bytes[100] = {};
    void *d = ferry_rt_alloc(c, FERRY_DEVICE, 100, "d");
    ferry_rt_upload(c, d, bytes, 100, "d");
    ferry_rt_download(c, bytes, d, 50, "d");
    ferry_rt_peek(c, bytes, d, 4, "d");
    ferry_rt_poke(c, d, bytes, 8, "d");
    ferry_rt_release(c, d);
  });
  Report r = report(*context);
  EXPECT_EQ(r.clock, (1'000 + 100) + (2'000 + 2 * 50) + (30'000 + 2 * 4) + (40'000 + 8));
  EXPECT_EQ(r.busTime, r.clock);
  EXPECT_EQ(r.uploads, 1);
  EXPECT_EQ(r.uploadBytes, 100);
  EXPECT_EQ(r.downloads, 1);
  EXPECT_EQ(r.downloadBytes, 50);
  EXPECT_EQ(r.peeks, 1);
  EXPECT_EQ(r.peekBytes, 4);
  EXPECT_EQ(r.pokes, 1);
  EXPECT_EQ(r.pokeBytes, 8);
}

TEST(Clock, ADownloadForLaterIsPricedWhereItBegins) {
  Context context = make(onSim());
  runs(context, [](FerryContext *c) {
    char bytes[50] = {};
    void *d = ferry_rt_alloc(c, FERRY_DEVICE, 50, "d");
    ferry_rt_download_later(c, bytes, d, 50, "d");
    EXPECT_EQ(report(*c).clock, 2'000 + 2 * 50);
    ferry_rt_await(c, bytes);
    ferry_rt_download_later(c, nullptr, d, 0, "empty");
    ferry_rt_await(c, nullptr);
    ferry_rt_release(c, d);
  });
  Report r = report(*context);
  EXPECT_EQ(r.clock, 2'000 + 2 * 50);
  EXPECT_EQ(r.busTime, r.clock);
  EXPECT_EQ(r.downloads, 1);
  EXPECT_EQ(r.downloadBytes, 50);
}

TEST(Clock, WaitingAndArgumentsHaveTheirPrices) {
  Context context = make(onSim());
  runs(context, [](FerryContext *c) {
    ferry_rt_synchronize(c);
    double x = 1;
    ferry_rt_pass(c, ferry_rt_alloc(c, FERRY_DEVICE, 8, "x"), &x, 8);
  });
  Report r = report(*context);
  EXPECT_EQ(r.clock, 70'000'000 + 800'000'000);
  EXPECT_EQ(r.synchronizations, 1);
  EXPECT_EQ(r.uploads, 0);
  EXPECT_EQ(r.busTime, r.clock);
}

TEST(Clock, NothingIsFreeOfCharge) {
  Context context = make(onSim());
  runs(context, [](FerryContext *c) {
    void *d = ferry_rt_alloc(c, FERRY_DEVICE, 0, "empty");
    ferry_rt_upload(c, d, nullptr, 0, "empty");
    ferry_rt_download(c, nullptr, d, 0, "empty");
    FerryLaunch desc = mapLaunch;
    desc.elements = 0;
    static int kernels;
    kernels = 0;
    launch(c, desc, [] { ++kernels; });
    desc.elements = -3;
    launch(c, desc, [] { ++kernels; });
    EXPECT_EQ(kernels, 2);
    ferry_rt_device_copy(c, d, d, 0, &mapOp);
    ferry_rt_release(c, d);
  });
  Report r = report(*context);
  EXPECT_EQ(r.clock, 0);
  EXPECT_EQ(r.uploads + r.downloads + r.launches, 0);
}

TEST(Report, HasWhatWasObserved) {
  Context context = make(onSim());
  runs(context, [](FerryContext *c) {
    ferry_rt_observe(c, 2, 5);
    ferry_rt_observe(c, 2, -3);
    ferry_rt_observe(c, 0, 1);
  });
  Report r = report(*context);
  ASSERT_EQ(r.observations.size(), 3u);
  EXPECT_EQ(r.observations[0].count, 1);
  EXPECT_EQ(r.observations[1].count, 0);
  EXPECT_EQ(r.observations[2].count, 2);
  EXPECT_EQ(r.observations[2].sum, 2);
  EXPECT_EQ(r.observations[2].least, -3);
  EXPECT_EQ(r.observations[2].most, 5);
}

TEST(Report, SaysWhereResidencyDiffers) {
  Context context = make(onSim());
  runs(context, [](FerryContext *c) {
    void *xs = ferry_rt_alloc(c, FERRY_DEVICE, 40, "xs");
    ferry_rt_resident(c, &mapOp, 40, 40);
    ferry_rt_resident(c, &mapOp, 0, 80);
    ferry_rt_resident(c, &mapOp, 41, 80);
    ferry_rt_resident(c, &mapOp, 0, 39);
    ferry_rt_release(c, xs);
  });
  Report r = report(*context);
  EXPECT_EQ(r.residencies, 4);
  EXPECT_EQ(r.residenciesOff, 2);
  EXPECT_NE(r.firstResidencyOff.find("40 bytes on the device, planned 41 to 80; resident: 'xs' (40 bytes)"),
            std::string::npos)
      << r.firstResidencyOff;
}

TEST(Clock, ADeviceCopyIsAKernel) {
  Context context = make(onSim());
  runs(context, [](FerryContext *c) {
    char *a = static_cast<char *>(ferry_rt_alloc(c, FERRY_DEVICE, 128, "a"));
    char *b = static_cast<char *>(ferry_rt_alloc(c, FERRY_DEVICE, 128, "b"));
    char bytes[128];
    std::memset(bytes, 3, sizeof bytes);
    ferry_rt_upload(c, a, bytes, 128, "a");
    ferry_rt_device_copy(c, b, a, 128, &mapOp);
    std::memset(bytes, 0, sizeof bytes);
    ferry_rt_download(c, bytes, b, 128, "b");
    EXPECT_EQ(bytes[0], 3);
    EXPECT_EQ(bytes[127], 3);
  });
  EXPECT_EQ(report(*context).deviceTime, 500'000 + 86); // 256 bytes at a third of a picosecond
  EXPECT_EQ(report(*context).launches, 1);
}

TEST(Clock, DoesNotWrap) {
  Context context = make(onHost());
  EXPECT_EQ(messageOf(context,
                      [](FerryContext *c) {
                        ferry_rt_tick(c, &mapOp, INT64_MAX - 1);
                        ferry_rt_tick(c, &mapOp, 2);
                      }),
            "f.fut:3:5: error: the virtual clock cannot count so many picoseconds");
}

TEST(Clock, ALaunchThatItCannotCountIsNamed) {
  Context context = make(onSim());
  EXPECT_EQ(messageOf(context,
                      [](FerryContext *c) {
                        FerryLaunch endless = mapLaunch;
                        endless.work = {INT64_MAX, 0, INT64_MAX, 0};
                        launch(c, endless, [] {});
                      }),
            "f.fut:3:5: error: the virtual clock cannot count so many picoseconds");
}

TEST(Clock, ChunkBodiesDoNotTick) {
  Context context = make(onHost());
  runs(context, [](FerryContext *c) {
    parallelFor(c, 100, 10, [c](int64_t, int64_t, int64_t) { ferry_rt_tick(c, &mapOp, 1); });
  });
  EXPECT_EQ(report(*context).clock, 0);
}

TEST(Clock, TheLogEndsSomewhere) {
  Context context = make(onSim());
  constexpr int64_t asked = 1'000'100;
  runs(context, [](FerryContext *c) {
    void *d = ferry_rt_alloc(c, FERRY_DEVICE, 4, "d");
    int x = 0;
    for (int64_t i = 0; i < asked; ++i)
      ferry_rt_peek(c, &x, d, 4, "d");
    ferry_rt_alloc(c, FERRY_DEVICE, 4, "last");
  });
  Report r = report(*context);
  EXPECT_EQ(r.peeks, asked);
  EXPECT_EQ(static_cast<int64_t>(r.events.size()) + r.eventsLeftOut, asked + 2);
  EXPECT_EQ(r.events.size(), 1'000'001u);
  EXPECT_EQ(r.events.back().name, "last");
}

TEST(Clock, EventsTellWhenAndWhere) {
  Context context = make(onSim());
  runs(context, [](FerryContext *c) {
    void *d = ferry_rt_alloc(c, FERRY_DEVICE, 100, "xs");
    ferry_rt_tick(c, &loopOp, 10);
    char bytes[100] = {};
    ferry_rt_upload(c, d, bytes, 100, "xs");
    launch(c, mapLaunch, [] {});
    ferry_rt_release(c, d);
    ferry_rt_alloc(c, FERRY_HOST, 1, nullptr);
    ferry_rt_tick(c, &loopOp, 3);
  });
  using Event = Report::Event;
  auto events = report(*context).events;
  ASSERT_EQ(events.size(), 6u);
  EXPECT_EQ(events[0].kind, Event::residency);
  EXPECT_EQ(events[0].name, "xs");
  EXPECT_EQ(events[0].side, FERRY_DEVICE);
  EXPECT_EQ(events[0].from, 0);
  EXPECT_EQ(events[0].to, 10 + 1'100 + 500'000);
  EXPECT_EQ(events[1].kind, Event::host);
  EXPECT_EQ(events[1].name, "loop");
  EXPECT_EQ(events[1].location, "f.fut:9:1");
  EXPECT_EQ(events[2].kind, Event::upload);
  EXPECT_EQ(events[2].bytes, 100);
  EXPECT_EQ(events[2].from, 10);
  EXPECT_EQ(events[2].to, 1'110);
  EXPECT_EQ(events[2].location, "f.fut:9:1");
  EXPECT_EQ(events[3].kind, Event::launch);
  EXPECT_EQ(events[3].location, "f.fut:3:5");
  EXPECT_EQ(events[4].kind, Event::residency);
  EXPECT_EQ(events[4].side, FERRY_HOST);
  EXPECT_EQ(events[4].to, report(*context).clock); // still there
}

} // namespace
