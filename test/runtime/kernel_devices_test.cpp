// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices with kernels of their own, which are written here: of OpenCL, where PoCL is one that every machine can have,
// and of CUDA, where cuda_fake/ has one, if LD_LIBRARY_PATH names it as ctest does.

#include "helpers.h"

#include "runtime/cuda/driver.h"
#include "runtime/handle_memory.h"
#include "runtime/opencl/driver.h"

#include <array>
#include <numeric>
#include <vector>

using namespace ferry::runtime;

namespace {

const char *const openClSource = R"(
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

// Of a program with one failure, the status is written by whoever comes first: here one thread at a time runs.
const char *const ptxSource = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry scale(.param .u64 from, .param .u64 to, .param .u64 by, .param .u64 status, .param .u64 launch, .param .u64 items)
.maxntid 256
{
  .reg .pred %p<5>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<16>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mul.wide.u32 %rd1, %r1, %r2;
  cvt.u64.u32 %rd2, %r3;
  add.s64 %rd1, %rd1, %rd2;
  ld.param.u64 %rd3, [items];
  setp.ge.s64 %p1, %rd1, %rd3;
  @%p1 ret;
  ld.param.u64 %rd4, [status];
  ld.param.u64 %rd5, [launch];
  ld.global.u64 %rd6, [%rd4+8];
  setp.ne.s64 %p2, %rd6, 0;
  setp.ne.s64 %p3, %rd6, %rd5;
  and.pred %p4, %p2, %p3;
  @%p4 ret;
  shl.b64 %rd7, %rd1, 3;
  ld.param.u64 %rd8, [from];
  add.s64 %rd8, %rd8, %rd7;
  ld.global.u64 %rd9, [%rd8];
  ld.param.u64 %rd10, [by];
  mul.lo.s64 %rd9, %rd9, %rd10;
  ld.param.u64 %rd11, [to];
  add.s64 %rd11, %rd11, %rd7;
  st.global.u64 [%rd11], %rd9;
  ret;
}
.visible .entry refuse(.param .u64 first, .param .u64 status, .param .u64 launch, .param .u64 items)
.maxntid 256
{
  .reg .pred %p<5>;
  .reg .b32 %r<5>;
  .reg .b64 %rd<16>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mul.wide.u32 %rd1, %r1, %r2;
  cvt.u64.u32 %rd2, %r3;
  add.s64 %rd1, %rd1, %rd2;
  ld.param.u64 %rd3, [items];
  setp.ge.s64 %p1, %rd1, %rd3;
  @%p1 ret;
  ld.param.u64 %rd4, [first];
  setp.ne.s64 %p2, %rd1, %rd4;
  @%p2 ret;
  ld.param.u64 %rd5, [status];
  ld.param.u64 %rd6, [launch];
  st.global.u64 [%rd5+8], %rd6;
  st.global.u64 [%rd5+16], %rd1;
  st.global.u64 [%rd5+24], 1;
  st.global.u64 [%rd5+32], %rd1;
  st.global.u64 [%rd5+40], %rd3;
  ret;
}
)";

const FerryFailure division = {FERRY_FAIL_DIVISION, 1, 1, 0, "f.fut", nullptr};
const FerryFailure index = {FERRY_FAIL_INDEX, 7, 3, 0, "f.fut", nullptr};
const FerryFailure *const failures[] = {&division, &index};

/// A kind of device, kernels for it, and one that is wrong.
struct Kind {
  const char *name;
  DeviceKind device;
  FerryKernel scale, refuse, broken;
  const char *refused; ///< what is said of the latter

  ContextOptions options() const {
    ContextOptions options = onHost();
    options.device = device;
    return options;
  }
};

const Kind kinds[] = {
    {"OpenCl",
     DeviceKind::opencl,
     {openClSource, "scale", "pps", failures},
     {openClSource, "refuse", "s", failures},
     {"__kernel void broken(long x { }", "broken", "s", failures},
     "the kernels do not compile"},
    {"Cuda",
     DeviceKind::cuda,
     {ptxSource, "scale", "pps", failures},
     {ptxSource, "refuse", "s", failures},
     {".version 7.0\n.target sm_70\n.visible .entry broken(.param .u64 x) { walk %r1; }", "broken", "s", failures},
     "its kernels cannot be loaded ("},
};

class KernelDevice : public testing::TestWithParam<Kind> {
protected:
  void SetUp() override {
    std::string reason;
    if (GetParam().device == DeviceKind::cuda && cuda::choices(reason).empty())
      GTEST_SKIP() << reason;
  }
  Context open() const { return make(GetParam().options()); }
};

/// What is enqueued in a launch.
template <typename Code> void inLaunch(FerryContext *c, Code code) { launch(c, mapLaunch, code); }

void multiply(FerryContext *c, const Kind &kind, void *to, void *from, int64_t by, int64_t items) {
  inLaunch(c, [&] {
    int64_t arguments[] = {reinterpret_cast<int64_t>(from), reinterpret_cast<int64_t>(to), by};
    ferry_rt_enqueue(c, &kind.scale, arguments, items, 0);
  });
}

void refuse(FerryContext *c, const Kind &kind, int64_t from, int64_t items) {
  inLaunch(c, [&] { ferry_rt_enqueue(c, &kind.refuse, &from, items, 0); });
}

TEST(OpenCl, IsThere) {
  std::string error;
  EXPECT_FALSE(opencl::choices(error).empty()) << error;
}

TEST(OpenCl, ByNumberAndByName) {
  std::string error;
  std::vector<opencl::Choice> all = opencl::choices(error);
  for (const std::string &which : {std::string("0"), all.at(0).deviceName, all.at(0).platformName.substr(2)}) {
    ContextOptions options = kinds[0].options();
    options.whichDevice = which;
    EXPECT_TRUE(make(options));
  }
  for (auto [which, says] :
       {std::pair("9999", "numbered from 0"), {"no such thing", "has 'no such thing' in its name"}}) {
    ContextOptions options = kinds[0].options();
    options.whichDevice = which;
    EXPECT_FALSE(makeContext(options, error));
    EXPECT_NE(error.find(says), std::string::npos) << error;
  }
}

TEST_P(KernelDevice, KernelsReadAndWriteInsideOfBlocks) {
  runs(open(), [](FerryContext *c) {
    for (int64_t n : {0, 1, 255, 256, 257, 10'000}) {
      std::vector<int64_t> in(static_cast<size_t>(n) + 8), out(in.size());
      std::iota(in.begin(), in.end(), 1);
      int64_t bytes = static_cast<int64_t>(in.size() * sizeof(int64_t));
      auto *from = static_cast<int64_t *>(ferry_rt_alloc(c, FERRY_DEVICE, bytes, "from"));
      auto *to = static_cast<int64_t *>(ferry_rt_alloc(c, FERRY_DEVICE, bytes, "to"));
      ferry_rt_upload(c, from, in.data(), bytes, "from");
      ferry_rt_upload(c, to, out.data(), bytes, "to");
      multiply(c, GetParam(), to + 3, from + 1, 7, n);
      ferry_rt_download(c, out.data(), to, bytes, "to");
      for (int64_t i = 0; i < n + 8; ++i)
        EXPECT_EQ(out[static_cast<size_t>(i)], i >= 3 && i < n + 3 ? 7 * (i - 1) : 0) << i;
      ferry_rt_release(c, from);
      ferry_rt_release(c, to);
    }
  });
}

TEST_P(KernelDevice, CopiesOnTheDevice) {
  runs(open(), [](FerryContext *c) {
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

TEST_P(KernelDevice, DownloadsForLaterReadWhatIsThereWhenTheyBegin) {
  constexpr int64_t n = 1000, bytes = n * 8;
  std::array<std::vector<int64_t>, 4> out; // outlives the run
  runs(open(), [&](FerryContext *c) {
    std::vector<int64_t> in(n);
    std::iota(in.begin(), in.end(), 1);
    for (size_t k = 0; k < out.size(); ++k) {
      out[k].resize(n);
      auto *from = static_cast<int64_t *>(ferry_rt_alloc(c, FERRY_DEVICE, bytes, "from"));
      auto *to = static_cast<int64_t *>(ferry_rt_alloc(c, FERRY_DEVICE, bytes, "to"));
      ferry_rt_upload(c, from, in.data(), bytes, "from");
      multiply(c, GetParam(), to, from, static_cast<int64_t>(k) + 2, n);
      ferry_rt_download_later(c, out[k].data(), to, bytes, "to");
      multiply(c, GetParam(), to, to, 100, n);
      if (k == 2)
        ferry_rt_device_copy(c, to, from, bytes, &mapOp);
      ferry_rt_release(c, to); // the next one is in its place
      ferry_rt_release(c, from);
    }
    for (size_t k : {3, 1, 0, 2})
      ferry_rt_await(c, out[k].data());
  });
  for (size_t k = 0; k < out.size(); ++k)
    for (int64_t i = 0; i < n; ++i)
      ASSERT_EQ(out[k][static_cast<size_t>(i)], (i + 1) * (static_cast<int64_t>(k) + 2)) << k;
}

TEST_P(KernelDevice, AFailureBeforeADownloadForLaterIsMetWhenItIsAwaited) {
  Context context = open();
  std::array<int64_t, 4> out{};
  bool wasBegun = false;
  auto fails = [&](FerryContext *c) {
    auto *block = static_cast<int64_t *>(ferry_rt_alloc(c, FERRY_DEVICE, 32, "block"));
    refuse(c, GetParam(), 2, 3);
    ferry_rt_download_later(c, out.data(), block, 32, "block");
    wasBegun = true;
    ferry_rt_await(c, out.data());
    ADD_FAILURE() << "a kernel had failed";
  };
  EXPECT_EQ(messageOf(context, fails), "f.fut:7:3: error: Index [2] out of bounds for array of shape [3].");
  EXPECT_TRUE(wasBegun);
  runs(context, [](FerryContext *) {});
}

TEST_P(KernelDevice, ARunThatFailsAwaitsItsDownloads) {
  Context context = open();
  std::array<int64_t, 4> out{};
  auto fails = [&](FerryContext *c) {
    auto *block = static_cast<int64_t *>(ferry_rt_alloc(c, FERRY_DEVICE, 32, "block"));
    std::array<int64_t, 4> in{1, 2, 3, 4};
    ferry_rt_upload(c, block, in.data(), 32, "block");
    ferry_rt_download_later(c, out.data(), block, 32, "block");
    ferry_rt_fail(c, &division, 0, 0, 0, 0);
  };
  EXPECT_EQ(messageOf(context, fails), "f.fut:1:1: error: division by zero");
  EXPECT_EQ(out, (std::array<int64_t, 4>{1, 2, 3, 4}));
}

TEST_P(KernelDevice, TheLowestItemsFailureIsTheRuns) {
  Context context = open();
  auto fails = [](FerryContext *c) {
    auto *block = static_cast<int64_t *>(ferry_rt_alloc(c, FERRY_DEVICE, 800, "block"));
    std::array<int64_t, 100> ones{}, out{}; // a failure leaves without giving memory back
    ones.fill(1);
    ferry_rt_upload(c, block, ones.data(), 800, "block");
    refuse(c, GetParam(), 1234, 5000);
    multiply(c, GetParam(), block, block, 2, 100); // must not run: it would use what was not computed
    ferry_rt_download(c, out.data(), block, 800, "block");
  };
  EXPECT_EQ(messageOf(context, fails), "f.fut:7:3: error: Index [1234] out of bounds for array of shape [5000].");
  // The device is as usable as before.
  runs(context, [](FerryContext *c) {
    int64_t value = 21;
    void *block = ferry_rt_alloc(c, FERRY_DEVICE, 8, "block");
    ferry_rt_upload(c, block, &value, 8, "block");
    multiply(c, GetParam(), block, block, 2, 1);
    ferry_rt_peek(c, &value, block, 8, "block");
    EXPECT_EQ(value, 42);
  });
}

TEST_P(KernelDevice, AFailureIsTheRunsAlsoIfNothingIsReadBack) {
  auto fails = [](FerryContext *c) { refuse(c, GetParam(), 2, 3); };
  EXPECT_EQ(messageOf(open(), fails), "f.fut:7:3: error: Index [2] out of bounds for array of shape [3].");
}

TEST_P(KernelDevice, MemoryIsLimited) {
  ContextOptions options = GetParam().options();
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

TEST_P(KernelDevice, AKernelThatDoesNotCompileIsNamed) {
  std::string message = messageOf(open(), [](FerryContext *c) {
    inLaunch(c, [&] {
      int64_t x = 0;
      ferry_rt_enqueue(c, &GetParam().broken, &x, 1, 0);
    });
  });
  EXPECT_NE(message.find(GetParam().refused), std::string::npos) << message;
}

TEST_P(KernelDevice, AFailureIsOfOneRun) {
  Context context = open();
  for (int64_t run = 0; run < 3; ++run) {
    EXPECT_EQ(messageOf(context, [](FerryContext *c) { refuse(c, GetParam(), 2, 3); }),
              "f.fut:7:3: error: Index [2] out of bounds for array of shape [3].");
    runs(context, [](FerryContext *c) { // no kernel between the failure and what is read back
      int64_t value = 21, back = 0;
      void *block = ferry_rt_alloc(c, FERRY_DEVICE, 8, "block");
      ferry_rt_upload(c, block, &value, 8, "block");
      ferry_rt_download(c, &back, block, 8, "block");
      EXPECT_EQ(back, 21);
      ferry_rt_release(c, block);
    });
  }
}

INSTANTIATE_TEST_SUITE_P(EveryKind, KernelDevice, testing::ValuesIn(kinds),
                         [](const auto &info) { return info.param.name; });

TEST(FakeCuda, SeesAccessesOutsideOfBlocks) {
  const Kind &kind = kinds[1];
  std::string reason;
  std::vector<cuda::Choice> all = cuda::choices(reason);
  if (all.empty() || all.front().name != "Fake GPU")
    GTEST_SKIP() << "LD_LIBRARY_PATH does not name cuda_fake";
  std::string message = messageOf(make(kind.options()), [&](FerryContext *c) {
    void *block = ferry_rt_alloc(c, FERRY_DEVICE, 8, "block");
    int64_t value = 1;
    ferry_rt_upload(c, block, &value, 8, "block");
    multiply(c, kind, block, block, 2, 1000);
    ferry_rt_peek(c, &value, block, 8, "block");
  });
  EXPECT_NE(message.find("an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)"), std::string::npos)
      << message;
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
