// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices of OpenCL, with kernels written here; PoCL is one that every machine can have.

#include "helpers.h"

#include "runtime/handle_memory.h"
#include "runtime/opencl/driver.h"

#include <array>
#include <numeric>
#include <vector>

using namespace ferry::runtime;

namespace {

ContextOptions onOpenCl() {
  ContextOptions options = onHost();
  options.device = DeviceKind::opencl;
  return options;
}

const char *const source = R"(
__kernel void scale(__global uchar *b0, long o0, __global uchar *b1, long o1, long by, __global long *status,
                    long launch, long items) {
  if (status[1] != 0 && status[1] != launch)
    return;
  long i = get_global_id(0);
  if (i < items)
    ((__global long *)(b1 + o1))[i] = by * ((__global long *)(b0 + o0))[i];
}
__kernel void refuse(long from, __global long *status, long launch, long items) {
  long i = get_global_id(0);
  if (i >= items || i < from || (status[1] != 0 && status[1] != launch))
    return;
  bool done = false;
  while (!done) {
    if (atomic_cmpxchg((volatile __global int *)status, 0, 1) == 0) {
      if (status[1] == 0 || i < status[2]) {
        status[1] = launch;
        status[2] = i;
        status[3] = 1;
        status[4] = i;
        status[5] = items;
      }
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      atomic_xchg((volatile __global int *)status, 0);
      done = true;
    }
  }
}
)";

const FerryFailure division = {FERRY_FAIL_DIVISION, 1, 1, 0, "f.fut", nullptr};
const FerryFailure index = {FERRY_FAIL_INDEX, 7, 3, 0, "f.fut", nullptr};
const FerryFailure *const failures[] = {&division, &index};
const FerryKernel scale = {source, "scale", "pps", failures};
const FerryKernel refuse = {source, "refuse", "s", failures};

/// What is enqueued in a launch.
template <typename Code> void inLaunch(FerryContext *c, Code code) { launch(c, mapLaunch, code); }

void multiply(FerryContext *c, void *to, void *from, int64_t by, int64_t items) {
  inLaunch(c, [&] {
    int64_t arguments[] = {reinterpret_cast<int64_t>(from), reinterpret_cast<int64_t>(to), by};
    ferry_rt_enqueue(c, &scale, arguments, items, 0);
  });
}

TEST(OpenCl, IsThere) {
  std::string error;
  EXPECT_FALSE(opencl::choices(error).empty()) << error;
}

TEST(OpenCl, ByNumberAndByName) {
  std::string error;
  std::vector<opencl::Choice> all = opencl::choices(error);
  for (const std::string &which : {std::string("0"), all.at(0).deviceName, all.at(0).platformName.substr(2)}) {
    ContextOptions options = onOpenCl();
    options.whichDevice = which;
    EXPECT_TRUE(make(options));
  }
  for (auto [which, says] :
       {std::pair("9999", "numbered from 0"), {"no such thing", "has 'no such thing' in its name"}}) {
    ContextOptions options = onOpenCl();
    options.whichDevice = which;
    EXPECT_FALSE(makeContext(options, error));
    EXPECT_NE(error.find(says), std::string::npos) << error;
  }
}

TEST(OpenCl, KernelsReadAndWriteInsideOfBlocks) {
  runs(make(onOpenCl()), [](FerryContext *c) {
    for (int64_t n : {0, 1, 255, 256, 257, 10'000}) {
      std::vector<int64_t> in(static_cast<size_t>(n) + 8), out(in.size());
      std::iota(in.begin(), in.end(), 1);
      int64_t bytes = static_cast<int64_t>(in.size() * sizeof(int64_t));
      auto *from = static_cast<int64_t *>(ferry_rt_alloc(c, FERRY_DEVICE, bytes, "from"));
      auto *to = static_cast<int64_t *>(ferry_rt_alloc(c, FERRY_DEVICE, bytes, "to"));
      ferry_rt_upload(c, from, in.data(), bytes, "from");
      ferry_rt_upload(c, to, out.data(), bytes, "to");
      multiply(c, to + 3, from + 1, 7, n);
      ferry_rt_download(c, out.data(), to, bytes, "to");
      for (int64_t i = 0; i < n + 8; ++i)
        EXPECT_EQ(out[static_cast<size_t>(i)], i >= 3 && i < n + 3 ? 7 * (i - 1) : 0) << i;
      ferry_rt_release(c, from);
      ferry_rt_release(c, to);
    }
  });
}

TEST(OpenCl, CopiesOnTheDevice) {
  runs(make(onOpenCl()), [](FerryContext *c) {
    std::vector<int32_t> in{1, 2, 3, 4}, out(4);
    auto *a = static_cast<char *>(ferry_rt_alloc(c, FERRY_DEVICE, 16, "a"));
    auto *b = static_cast<char *>(ferry_rt_alloc(c, FERRY_DEVICE, 16, "b"));
    ferry_rt_upload(c, a, in.data(), 16, "a");
    ferry_rt_upload(c, b, in.data(), 16, "b");
    ferry_rt_device_copy(c, b + 4, a, 8, &mapOp);
    ferry_rt_download(c, out.data(), b, 16, "b");
    EXPECT_EQ(out, (std::vector<int32_t>{1, 1, 2, 4}));
  });
}

TEST(OpenCl, TheLowestItemsFailureIsTheRuns) {
  Context context = make(onOpenCl());
  auto fails = [](FerryContext *c) {
    auto *block = static_cast<int64_t *>(ferry_rt_alloc(c, FERRY_DEVICE, 800, "block"));
    std::array<int64_t, 100> ones{}, out{}; // a failure leaves without giving memory back
    ones.fill(1);
    ferry_rt_upload(c, block, ones.data(), 800, "block");
    inLaunch(c, [&] {
      int64_t from = 1234;
      ferry_rt_enqueue(c, &refuse, &from, 5000, 0);
    });
    multiply(c, block, block, 2, 100); // must not run: it would use what was not computed
    ferry_rt_download(c, out.data(), block, 800, "block");
  };
  EXPECT_EQ(messageOf(context, fails), "f.fut:7:3: error: Index [1234] out of bounds for array of shape [5000].");
  // The device is as usable as before.
  runs(context, [](FerryContext *c) {
    int64_t value = 21;
    void *block = ferry_rt_alloc(c, FERRY_DEVICE, 8, "block");
    ferry_rt_upload(c, block, &value, 8, "block");
    multiply(c, block, block, 2, 1);
    ferry_rt_peek(c, &value, block, 8, "block");
    EXPECT_EQ(value, 42);
  });
}

TEST(OpenCl, AFailureIsTheRunsAlsoIfNothingIsReadBack) {
  auto fails = [](FerryContext *c) {
    inLaunch(c, [&] {
      int64_t from = 2;
      ferry_rt_enqueue(c, &refuse, &from, 3, 0);
    });
  };
  EXPECT_EQ(messageOf(make(onOpenCl()), fails), "f.fut:7:3: error: Index [2] out of bounds for array of shape [3].");
}

TEST(OpenCl, MemoryIsLimited) {
  ContextOptions options = onOpenCl();
  options.deviceMemory = 1 << 20;
  auto fails = [](FerryContext *c) {
    for (int i = 0; i < 100; ++i) // what is given back counts no more
      ferry_rt_release(c, ferry_rt_alloc(c, FERRY_DEVICE, 1 << 19, "xs"));
    ferry_rt_alloc(c, FERRY_DEVICE, 1 << 19, "xs");
    ferry_rt_alloc(c, FERRY_DEVICE, (1 << 19) + 1, "ys");
  };
  std::string message = messageOf(make(options), fails);
  EXPECT_NE(message.find("'ys'"), std::string::npos) << message;
  EXPECT_NE(message.find("'xs' (524288 bytes)"), std::string::npos) << message;
}

TEST(OpenCl, AKernelThatDoesNotCompileIsNamed) {
  static const FerryKernel broken = {"__kernel void broken(long x { }", "broken", "s", failures};
  std::string message = messageOf(make(onOpenCl()), [](FerryContext *c) {
    inLaunch(c, [&] {
      int64_t x = 0;
      ferry_rt_enqueue(c, &broken, &x, 1, 0);
    });
  });
  EXPECT_NE(message.find("the kernels do not compile"), std::string::npos) << message;
}

//===- Handles, with a driver that counts -------------------------------------------------------------------------===//

class Counting final : public HandleMemory::Driver {
public:
  DeviceResult make(int64_t bytes, HandleMemory::Handle &made) override {
    if (room < bytes)
      return DeviceError{"full"};
    room -= bytes;
    sizes.push_back(bytes);
    made = reinterpret_cast<void *>(sizes.size());
    return std::nullopt;
  }
  void destroy(HandleMemory::Handle handle) override {
    int64_t &size = sizes.at(reinterpret_cast<size_t>(handle) - 1);
    room += size;
    size = 0;
  }
  int64_t live() const { return std::accumulate(sizes.begin(), sizes.end(), int64_t(0)); }

  int64_t room = 1 << 20;
  std::vector<int64_t> sizes;
};

void *taken(HandleMemory &memory, int64_t bytes) {
  void *block = nullptr;
  DeviceResult result = memory.allocate(bytes, block);
  EXPECT_FALSE(result) << result->message;
  return block;
}

TEST(HandleMemory, WhatIsGivenBackIsUsedAgain) {
  Counting driver;
  std::string error;
  {
    auto memory = HandleMemory::make(driver, "test", 1 << 30, error);
    for (int i = 0; i < 10; ++i) {
      void *a = taken(*memory, 1000), *b = taken(*memory, 990);
      EXPECT_NE(a, b);
      memory->free(a);
      memory->free(b);
    }
    EXPECT_EQ(driver.sizes.size(), 2U);
    EXPECT_EQ(memory->cachedBytes(), driver.live());
  }
  EXPECT_EQ(driver.live(), 0);
}

TEST(HandleMemory, WhatIsKeptGoesWhenTheDriverHasNoMore) {
  Counting driver;
  std::string error;
  auto memory = HandleMemory::make(driver, "test", 1 << 30, error);
  memory->free(taken(*memory, 700'000));
  void *block = taken(*memory, 900'000);
  EXPECT_EQ(memory->cachedBytes(), 0);
  EXPECT_TRUE(memory->allocate(900'000, block));
  EXPECT_EQ(block, nullptr);
}

TEST(HandleMemory, PlacesAreInsideOfLiveBlocks) {
  Counting driver;
  std::string error;
  auto memory = HandleMemory::make(driver, "test", 1 << 30, error);
  auto *a = static_cast<char *>(taken(*memory, 100)), *empty = static_cast<char *>(taken(*memory, 0));
  EXPECT_EQ(memory->find(a + 99)->offset, 99U);
  EXPECT_NE(memory->find(a)->handle, memory->find(empty)->handle);
  EXPECT_EQ(memory->find(empty)->offset, 0U);
  memory->free(a);
  EXPECT_FALSE(memory->find(a));
  EXPECT_FALSE(memory->find(a + 99));
  EXPECT_FALSE(memory->find(&driver));
}

} // namespace
