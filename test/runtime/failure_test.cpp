// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program can do wrong: each message, and how it gets out of where it happens.

#include "helpers.h"

#include <bit>

using namespace ferry::runtime;

namespace {

std::string failing(FerryFailure what, int64_t a = 0, int64_t b = 0, int64_t c = 0, int64_t d = 0) {
  Context context = make(onHost());
  return messageOf(context, [&](FerryContext *ctx) { ferry_rt_fail(ctx, &what, a, b, c, d); });
}

std::string failing(int32_t kind, const char *text, int64_t a = 0, int64_t b = 0, int64_t c = 0, int64_t d = 0) {
  std::string message = failing({kind, 2, 3, 0, "f.fut", text}, a, b, c, d);
  std::string_view start = "f.fut:2:3: error: ";
  EXPECT_TRUE(message.starts_with(start)) << message;
  return message.substr(start.size());
}

TEST(Failure, Messages) {
  EXPECT_EQ(failing(FERRY_FAIL_INDEX, nullptr, -1, 10), "Index [-1] out of bounds for array of shape [10].");
  EXPECT_EQ(failing(FERRY_FAIL_INDEX_2D, nullptr, 1, 2, 3, 4), "Index [1, 2] out of bounds for array of shape [3][4].");
  EXPECT_EQ(failing(FERRY_FAIL_SLICE, nullptr, 1, 20, 3), "Index [1:20] out of bounds for array of shape [3].");
  EXPECT_EQ(failing(FERRY_FAIL_SLICE_BY, nullptr, 1, 20, 2, 3), "Index [1:20:2] out of bounds for array of shape [3].");
  EXPECT_EQ(failing(FERRY_FAIL_DIVISION, nullptr), "division by zero");
  EXPECT_EQ(failing(FERRY_FAIL_ASSERTION, "n > 0"), "Assertion is false: n > 0");
  EXPECT_EQ(failing(FERRY_FAIL_RANGE, "..<", 1, 1, 5), "Range 1..1..<5 is invalid.");
  EXPECT_EQ(failing(FERRY_FAIL_SHAPE, nullptr, 3, 4), "value of length 3 cannot match shape of type with length 4.");
  EXPECT_EQ(failing(FERRY_FAIL_SHAPE, "second argument of map2", 3, 4),
            "second argument of map2 of length 3 cannot match shape of type with length 4.");
  EXPECT_EQ(failing(FERRY_FAIL_UNFLATTEN, nullptr, 7, 2, 3),
            "Cannot unflatten array of shape [7] to array of shape [2][3].");
  EXPECT_EQ(failing(FERRY_FAIL_EXPONENT, nullptr, -2), "negative exponent: -2");
  EXPECT_EQ(failing(FERRY_FAIL_NEGATIVE, nullptr, -2), "negative length: -2");
}

TEST(Failure, TextsWithValues) {
  EXPECT_EQ(failing(FERRY_FAIL_TEXT, "{0} {1:u} {2:f} {3}", -1, -1, std::bit_cast<int64_t>(1.5), 4),
            "-1 18446744073709551615 1.5 4");
  EXPECT_EQ(failing(FERRY_FAIL_TEXT, "{x} {9} {} {0", 5), "{x} {9} {} {0");
  EXPECT_EQ(failing(FERRY_FAIL_TEXT, nullptr), "");
}

TEST(Failure, WithoutAPlace) {
  EXPECT_EQ(failing({FERRY_FAIL_DIVISION, 0, 0, 0, nullptr, nullptr}), "error: division by zero");
}

TEST(Failure, OfTheLowestChunkIsRaised) {
  Context context = make(onHost());
  for (int round = 0; round < 50; ++round) {
    std::string text = messageOf(context, [](FerryContext *c) {
      parallelFor(c, 10'000, 100, [c](int64_t chunk, int64_t, int64_t) {
        FerryFailure what = {FERRY_FAIL_TEXT, 1, 1, 0, "f.fut", "chunk {0}"};
        if (chunk % 7 == 3)
          ferry_rt_fail(c, &what, chunk, 0, 0, 0);
      });
    });
    EXPECT_EQ(text, "f.fut:1:1: error: chunk 3");
  }
}

TEST(Failure, CancelsLaterChunks) {
  Context context = make(onHost());
  std::atomic<int64_t> ran = 0;
  messageOf(context, [&](FerryContext *c) {
    parallelFor(c, 100'000, 100'000, [&](int64_t, int64_t, int64_t) {
      ++ran;
      FerryFailure what = {FERRY_FAIL_DIVISION, 1, 1, 0, "f.fut", nullptr};
      ferry_rt_fail(c, &what, 0, 0, 0, 0);
    });
  });
  EXPECT_LT(ran, 10'000);
}

TEST(Failure, InANestedLoopReachesTheOuter) {
  Context context = make(onHost());
  for (int64_t inner : {1, 8}) {
    std::string text = messageOf(context, [inner](FerryContext *c) {
      parallelFor(c, 100, 4, [=](int64_t chunk, int64_t, int64_t) {
        parallelFor(c, 100, inner, [=](int64_t piece, int64_t, int64_t) {
          FerryFailure what = {FERRY_FAIL_TEXT, 1, 1, 0, "f.fut", "chunk {0} piece {1}"};
          if (chunk == 2 && piece == inner - 1)
            ferry_rt_fail(c, &what, chunk, piece, 0, 0);
        });
      });
    });
    EXPECT_EQ(text, "f.fut:1:1: error: chunk 2 piece " + std::to_string(inner - 1));
  }
}

TEST(Failure, LeavesTheContextFitForAnotherRun) {
  Context context = make(onSim());
  for (int round = 0; round < 3; ++round) {
    messageOf(context, [](FerryContext *c) {
      parallelFor(c, 100, 8, [c](int64_t, int64_t, int64_t) {
        FerryFailure what = {FERRY_FAIL_DIVISION, 1, 1, 0, "f.fut", nullptr};
        ferry_rt_fail(c, &what, 0, 0, 0, 0);
      });
    });
    int64_t before = report(*context).clock;
    runs(context, [](FerryContext *c) {
      ferry_rt_tick(c, &loopOp, 1);
      EXPECT_GT(ferry_rt_chunks(c, 1'000'000, 1), 0);
    });
    EXPECT_EQ(report(*context).clock, before + 1) << "the thread is no longer in a chunk";
  }
}

TEST(Failure, RunsNest) {
  Context outer = make(onHost()), inner = make(onHost());
  EXPECT_EQ(messageOf(outer,
                      [&](FerryContext *c) {
                        FerryFailure what = {FERRY_FAIL_TEXT, 1, 1, 0, "f.fut", "{0}"};
                        EXPECT_EQ(messageOf(inner, [&](FerryContext *d) { ferry_rt_fail(d, &what, 1, 0, 0, 0); }),
                                  "f.fut:1:1: error: 1");
                        ferry_rt_fail(c, &what, 2, 0, 0, 0);
                      }),
            "f.fut:1:1: error: 2");
}

} // namespace
