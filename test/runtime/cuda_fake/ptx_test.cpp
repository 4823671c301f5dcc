// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter of PTX, on kernels of work-groups: what it runs, and what it refuses.

#include "ptx.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <numeric>
#include <regex>
#include <set>

using namespace ptx;

namespace {

constexpr uint32_t threads = 64;

// A kernel k of p, device memory of 64-bit words: %rd1 is its address, %r1 the thread, %rd2 the address of its word of
// 64, %rd3 that of its word in the shared array `buf`, of 64 words too.
std::string kernel(const std::string &body, const std::string &more = "") {
  return ".version 7.0\n.target sm_80\n.address_size 64\n" + more + R"(
.visible .entry k(.param .u64 .ptr .global .align 1 p)
.maxntid 64, 1, 1
{
	.reg .pred 	%p<9>;
	.reg .b32 	%r<99>;
	.reg .b64 	%rd<99>;
	.shared .align 16 .b8 buf[512];
	ld.param.b64 	%rd1, [p];
	mov.u32 	%r1, %tid.x;
	mul.wide.u32 	%rd4, %r1, 8;
	add.s64 	%rd2, %rd1, %rd4;
	mov.b64 	%rd5, buf;
	add.s64 	%rd3, %rd5, %rd4;
)" + body +
         "\n\tret;\n}\n";
}

/// Runs k, from 0, 1, 2, ... in memory; what memory is then.
struct Launched {
  explicit Launched(const std::string &text, uint32_t groups = 1, Order order = Order::ascending, unsigned seed = 1,
                    size_t sharedBytes = 0) {
    std::iota(memory.begin(), memory.end(), 0);
    try {
      Module module(text);
      auto base = reinterpret_cast<uintptr_t>(memory.data());
      Launch launch{groups, threads, {base}, [&](uint64_t) { return Block{base, sizeof(memory)}; }};
      launch.order = order;
      launch.seed = seed;
      launch.sharedBytes = sharedBytes;
      module.run(*module.kernel("k"), launch);
    } catch (const Error &why) {
      error = why.what();
    }
  }

  alignas(16) std::array<uint64_t, 256> memory{};
  std::string error;
};

constexpr std::array orders = {Order::ascending, Order::descending, Order::random};

//===- Barriers and shared memory ---------------------------------------------------------------------------------===//

// The sum of 64 numbers, by a tree. `barrier` is what stands at the end of each of its levels.
std::string tree(const std::string &barrier) {
  return kernel(R"(
	ld.global.b64 	%rd6, [%rd2];
	st.shared.b64 	[%rd3], %rd6;
	bar.sync 	0;
	mov.b32 	%r2, 32;
$level:
	setp.ge.u32 	%p1, %r1, %r2;
	@%p1 bra 	$idle;
	mul.wide.u32 	%rd7, %r2, 8;
	add.s64 	%rd8, %rd3, %rd7;
	ld.shared.b64 	%rd9, [%rd8];
	ld.shared.b64 	%rd10, [%rd3];
	add.s64 	%rd11, %rd9, %rd10;
	st.shared.b64 	[%rd3], %rd11;
$idle:
	)" + barrier +
                R"(
	shr.u32 	%r2, %r2, 1;
	setp.ne.b32 	%p2, %r2, 0;
	@%p2 bra 	$level;
	ld.shared.b64 	%rd12, [buf];
	setp.eq.b32 	%p3, %r1, 63;
	@%p3 st.global.b64 	[%rd1+512], %rd12;
)");
}

TEST(Groups, AddUpByATreeInSharedMemory) {
  for (Order order : orders)
    for (const char *barrier : {"bar.sync \t0;", "barrier.sync \t0;", "barrier.sync.aligned \t0, 64;"}) {
      Launched one(tree(barrier), 1, order);
      EXPECT_EQ(one.error, "");
      EXPECT_EQ(one.memory[64], 2016U);
    }
}

TEST(Groups, AMissingBarrierIsARace) {
  for (Order order : orders) {
    Launched one(tree(""), 1, order);
    EXPECT_TRUE(
        std::regex_match(one.error, std::regex(R"(k: a race: thread \d+ of group 0 (reads|writes) what thread \d+ of )"
                                               R"(group 0 (read|wrote), and nothing orders them: (ld|st)\.shared.*)")))
        << one.error;
  }
}

TEST(Groups, HaveSharedMemoryOfTheirOwn) {
  // Each thread of a group leaves its group's number, and reads what another left.
  std::string text = kernel(R"(
	mov.u32 	%r3, %ctaid.x;
	cvt.u64.u32 	%rd6, %r3;
	st.shared.b64 	[%rd3], %rd6;
	bar.sync 	0;
	ld.shared.b64 	%rd7, [buf+8];
	mul.wide.u32 	%rd8, %r3, 8;
	add.s64 	%rd9, %rd1, %rd8;
	setp.eq.b32 	%p1, %r1, 0;
	@%p1 st.global.b64 	[%rd9], %rd7;
)");
  for (Order order : orders) {
    Launched one(text, 8, order);
    EXPECT_EQ(one.error, "");
    for (uint64_t i = 0; i < 8; ++i)
      EXPECT_EQ(one.memory[i], i);
  }
}

TEST(Groups, SharedMemoryBeginsPoisoned) {
  Launched one(kernel("\tld.shared.b64 \t%rd6, [%rd3];\n\tst.global.b64 \t[%rd2], %rd6;"));
  EXPECT_EQ(one.error, "");
  EXPECT_EQ(one.memory[5], ~uint64_t(0));
}

TEST(Groups, GenericAddressesReachSharedMemory) {
  Launched one(kernel(R"(
	cvta.shared.u64 	%rd6, %rd3;
	st.b64 	[%rd6], 7;
	ld.shared.b64 	%rd7, [%rd3];
	cvta.to.shared.u64 	%rd8, %rd6;
	ld.shared.b32 	%r2, [%rd8];
	cvt.u64.u32 	%rd9, %r2;
	add.s64 	%rd10, %rd7, %rd9;
	st.b64 	[%rd2], %rd10;
)"));
  EXPECT_EQ(one.error, "");
  EXPECT_EQ(one.memory[3], 14U);
}

TEST(Groups, VectorsOfSharedMemory) {
  Launched one(kernel(R"(
	cvt.u64.u32 	%rd6, %r1;
	st.shared.b64 	[%rd3], %rd6;
	bar.sync 	0;
	ld.shared.v2.b64 	{%rd7, %rd8}, [buf+16];
	ld.shared.v4.b32 	{%r2, %r3, %r4, %r5}, [buf+32];
	add.s64 	%rd9, %rd7, %rd8;
	mul.wide.u32 	%rd10, %r4, 100;
	add.s64 	%rd11, %rd9, %rd10;
	st.global.b64 	[%rd2], %rd11;
)"));
  EXPECT_EQ(one.error, "");
  EXPECT_EQ(one.memory[9], 2U + 3 + 500);
  EXPECT_EQ(Launched(kernel("\tld.shared.v2.b64 \t{%rd7, %rd8}, [buf+8];")).error,
            "k: a misaligned access: ld.shared.v2.b64 \t{%rd7, %rd8}, [buf+8]");
}

TEST(Groups, SharedMemoryOfModulesAndLaunches) {
  std::string text = kernel(R"(
	cvt.u64.u32 	%rd6, %r1;
	mov.b64 	%rd7, more;
	add.s64 	%rd8, %rd7, %rd4;
	st.shared.b64 	[%rd8], %rd6;
	st.shared.b64 	[%rd3], 0;
	setp.eq.b32 	%p1, %r1, 0;
	@%p1 st.shared.b32 	[one], 9;
	bar.sync 	0;
	ld.shared.b64 	%rd9, [more+40];
	ld.shared.b32 	%r2, [one];
	cvt.u64.u32 	%rd10, %r2;
	add.s64 	%rd11, %rd9, %rd10;
	st.global.b64 	[%rd2], %rd11;
)",
                            ".shared .align 4 .u32 one;\n.extern .shared .align 16 .b8 more[];\n");
  Launched one(text, 2, Order::ascending, 1, 512);
  EXPECT_NE(one.error.find("a race: thread 0 of group 1 writes what thread 0 of group 0 wrote"), std::string::npos);
  Launched alone(text, 1, Order::ascending, 1, 512);
  EXPECT_EQ(alone.error, "");
  EXPECT_EQ(alone.memory[60], 14U);
  EXPECT_EQ(Launched(text, 1, Order::ascending, 1, 504).error,
            "k: an access outside of shared memory: st.shared.b64 \t[%rd8], %rd6");
  EXPECT_EQ(Launched(text, 1, Order::ascending, 1, 49152).error, "k: more shared memory than there is");
}

TEST(Groups, AccessesOutsideOfSharedMemory) {
  const char *const outside = "k: an access outside of shared memory: ", *const nowhere =
                                                                             "k: an access outside of all memory: ";
  EXPECT_EQ(Launched(kernel("\tld.shared.b32 \t%r2, [buf+512];")).error,
            outside + std::string("ld.shared.b32 \t%r2, [buf+512]"));
  EXPECT_EQ(Launched(kernel("\tst.shared.b64 \t[%rd3+8], 1;")).error,
            outside + std::string("st.shared.b64 \t[%rd3+8], 1"));
  EXPECT_EQ(Launched(kernel("\tld.shared.b32 \t%r2, [buf+-4];")).error,
            outside + std::string("ld.shared.b32 \t%r2, [buf+-4]"));
  EXPECT_EQ(Launched(kernel("\tcvta.shared.u64 \t%rd6, %rd5;\n\tld.b64 \t%rd7, [%rd6+512];")).error,
            nowhere + std::string("ld.b64 \t%rd7, [%rd6+512]"));
  EXPECT_EQ(Launched(kernel("\tld.shared.b64 \t%rd7, [small];", ".shared .align 8 .b8 small[4];\n")).error,
            outside + std::string("ld.shared.b64 \t%rd7, [small]"));
  // The wrong kind of address.
  EXPECT_EQ(Launched(kernel("\tld.b64 \t%rd7, [%rd5];")).error, nowhere + std::string("ld.b64 \t%rd7, [%rd5]"));
  EXPECT_EQ(Launched(kernel("\tld.shared.b64 \t%rd7, [%rd1];")).error,
            outside + std::string("ld.shared.b64 \t%rd7, [%rd1]"));
  EXPECT_EQ(Launched(kernel("\tld.global.b64 \t%rd7, [%rd1+2048];")).error,
            nowhere + std::string("ld.global.b64 \t%rd7, [%rd1+2048]"));
}

TEST(Groups, AThreadThatEndedIsNotWaitedFor) {
  for (Order order : orders) {
    Launched one(kernel(R"(
	setp.ge.u32 	%p1, %r1, 40;
	@%p1 bra 	$end;
	st.shared.b64 	[%rd3], 5;
	bar.sync 	0;
	ld.shared.b64 	%rd6, [buf+312];
	st.global.b64 	[%rd2], %rd6;
$end:
)"),
                 1, order);
    EXPECT_EQ(one.error, "");
    EXPECT_EQ(one.memory[0], 5U);
    EXPECT_EQ(one.memory[40], 40U);
  }
}

TEST(Groups, BarriersInDifferentPlaces) {
  std::string places = kernel(R"(
	setp.lt.u32 	%p1, %r1, 3;
	@%p1 bra 	$few;
	bar.sync 	0;
	bra 	$end;
$few:
	bar.sync 	0;
$end:
)");
  EXPECT_EQ(Launched(places).error,
            "k: in group 0 thread 0 and thread 3 wait at barriers in different places: bar.sync \t0");
  std::string numbers = kernel("\tsetp.eq.b32 \t%p1, %r1, 9;\n\tselp.b32 \t%r2, 1, 0, %p1;\n\tbarrier.sync \t%r2;");
  EXPECT_EQ(Launched(numbers).error,
            "k: in group 0 thread 0 waits at barrier 0, thread 9 at barrier 1: barrier.sync \t%r2");
  EXPECT_EQ(Launched(kernel("\tbar.sync \t0, 32;")).error,
            "k: a barrier for some of a group's threads: bar.sync \t0, 32");
}

TEST(Groups, BarriersThatReduce) {
  Launched one(kernel(R"(
	setp.lt.u32 	%p1, %r1, 10;
	bar.red.popc.u32 	%r2, 0, %p1;
	bar.red.and.pred 	%p2, 0, %p1;
	bar.red.or.pred 	%p3, 0, %p1;
	selp.b32 	%r3, 1000, 0, %p2;
	selp.b32 	%r4, 100, 0, %p3;
	add.s32 	%r5, %r2, %r3;
	add.s32 	%r6, %r5, %r4;
	cvt.u64.u32 	%rd6, %r6;
	st.global.b64 	[%rd2], %rd6;
)"));
  EXPECT_EQ(one.error, "");
  EXPECT_EQ(one.memory[33], 110U);
}

TEST(Groups, CallsGoOnBehindABarrier) {
  std::string callee = R"(
.func (.param .b64 back) twice(.param .b64 x)
{
	.reg .b64 	%rd<9>;
	ld.param.b64 	%rd1, [x];
	bar.sync 	0;
	add.s64 	%rd2, %rd1, %rd1;
	st.param.b64 	[back], %rd2;
	ret;
}
)";
  Launched one(kernel(R"(
	cvt.u64.u32 	%rd6, %r1;
	{
	.param .b64 param0;
	.param .b64 back0;
	st.param.b64 	[param0], %rd6;
	call.uni (back0), twice, (param0);
	ld.param.b64 	%rd7, [back0];
	}
	st.global.b64 	[%rd2], %rd7;
)",
                      callee),
               1, Order::random);
  EXPECT_EQ(one.error, "");
  EXPECT_EQ(one.memory[21], 42U);
}

TEST(Groups, SizesThatAKernelIsMadeFor) {
  std::string exact = kernel("");
  exact.replace(exact.find(".maxntid 64, 1, 1"), std::strlen(".maxntid 64, 1, 1"), ".reqntid 65\n.maxntid 65, 1, 1");
  EXPECT_EQ(Launched(exact).error, "k: fewer threads in a group than it is made for");
}

//===- Orders -----------------------------------------------------------------------------------------------------===//

TEST(Order, OfThreadsIsAsAsked) {
  // Each thread takes a number.
  std::string text = kernel("\tatom.global.add.u64 \t%rd6, [%rd1+512], 1;\n\tst.global.b64 \t[%rd2], %rd6;");
  Launched up(text), down(text, 1, Order::descending);
  EXPECT_EQ(up.memory[0], 64U);
  EXPECT_EQ(up.memory[63], 127U);
  EXPECT_EQ(down.memory[0], 127U);
  std::set<std::vector<uint64_t>> seen;
  for (unsigned seed : {1, 2, 3, 3}) {
    Launched one(text, 1, Order::random, seed);
    EXPECT_EQ(one.error, "");
    seen.insert({one.memory.begin(), one.memory.begin() + threads});
  }
  EXPECT_EQ(seen.size(), 3U);
}

//===- Atomic operations and races --------------------------------------------------------------------------------===//

TEST(Atomics, OfEveryKind) {
  struct Case {
    const char *text;
    uint64_t from, to; // done by each of the threads 0 to 63 with its number in %rd6, %r1
  };
  const std::vector<Case> cases = {
      {"add.u64 \t%rd7, [X], %rd6", 1, 2017},
      {"add.u32 \t%r9, [X], %r1", 0xffffffff, 2015},
      {"min.s64 \t%rd7, [X], %rd6", 7, 0},
      {"max.u64 \t%rd7, [X], %rd6", 7, 63},
      {"min.s32 \t%r9, [X], %r1", 0xfffffffe, 0xfffffffe},
      {"max.s32 \t%r9, [X], %r1", 0xfffffffe, 63},
      {"min.u32 \t%r9, [X], %r1", 0xfffffffe, 0},
      {"max.u32 \t%r9, [X], %r1", 0xfffffffe, 0xfffffffe},
      {"or.b64 \t%rd7, [X], %rd6", 0, 63},
      {"and.b32 \t%r9, [X], %r1", 127, 0},
      {"xor.b32 \t%r9, [X], %r1", 5, 5},
      {"inc.u32 \t%r9, [X], 9", 0, 4},
      {"dec.u32 \t%r9, [X], 9", 0, 6},
      {"exch.b64 \t%rd7, [X], 77", 0, 77},
      {"cas.b64 \t%rd7, [X], 12, 13", 12, 13},
      {"cas.b64 \t%rd7, [X], 12, 13", 11, 11},
      {"add.f32 \t%r9, [X], 0f3F000000", 0x3f800000, 0x42040000}, // 1 + 64 / 2
      {"add.f64 \t%rd7, [X], 0d3FE0000000000000", 0x3ff0000000000000, 0x4040800000000000},
  };
  for (const Case &one : cases)
    for (const std::string space : {".shared.", ".global.", ".", ".relaxed.gpu.global."}) {
      bool isShared = space == ".shared.";
      std::string operation = one.text;
      operation.replace(operation.find("[X]"), 3, isShared ? "[buf]" : "[%rd1+512]");
      std::string at = isShared ? ".shared.b64 \t[buf]" : ".global.b64 \t[%rd1+512]";
      Launched run(kernel("\tcvt.u64.u32 \t%rd6, %r1;\n\tsetp.eq.b32 \t%p1, %r1, 9;\n\t@%p1 st" + at + ", " +
                          std::to_string(static_cast<int64_t>(one.from)) + ";\n\tbar.sync \t0;\n\tatom" + space +
                          operation + ";\n\tbar.sync \t0;\n\tld" + at.substr(0, 12) + "%rd8, " + at.substr(13) +
                          ";\n\t@%p1 st.global.b64 \t[%rd1+520], %rd8;"),
                   1, Order::random);
      EXPECT_EQ(run.error, "");
      EXPECT_EQ(run.memory[65], one.to) << space << operation;
    }
  Launched one(kernel("\tred.global.add.u64 \t[%rd1+512], 2;\n\tred.relaxed.gpu.global.or.b64 \t[%rd1+520], 256;"));
  EXPECT_EQ(one.error, "");
  EXPECT_EQ(one.memory[64], 64U + 128);
  EXPECT_EQ(one.memory[65], 65U + 256);
}

const char *const byThread0 = "\tsetp.ne.b32 \t%p1, %r1, 0;\n\t@%p1 bra \t$end;\n";

// A loop of compare-and-swap as LLVM writes it, which adds 1 to a byte: its first load is a plain one.
TEST(Atomics, LoopsOfCompareAndSwap) {
  std::string text = kernel(R"(
	ld.global.b32 	%r35, [%rd1];
$again:
	add.s32 	%r36, %r35, 256;
	atom.relaxed.gpu.global.cas.b32 	%r5, [%rd1], %r35, %r36;
	setp.ne.b32 	%p1, %r5, %r35;
	mov.b32 	%r35, %r5;
	@%p1 bra 	$again;
)");
  for (Order order : orders) {
    Launched one(text, 3, order);
    EXPECT_EQ(one.error, "");
    EXPECT_EQ(one.memory[0], 192U * 256);
  }
}

// A lock around a plain counter, with what is said to take and to give it.
std::string locked(const std::string &behindLock, const std::string &beforeUnlock) {
  return kernel(R"(
$lock:
	atom.relaxed.gpu.global.cas.b32 	%r2, [%rd1], 0, 1;
	setp.ne.b32 	%p1, %r2, 0;
	@%p1 bra 	$lock;
	)" + behindLock +
                R"(
	ld.global.b64 	%rd6, [%rd1+8];
	add.s64 	%rd7, %rd6, 1;
	st.global.b64 	[%rd1+8], %rd7;
	)" + beforeUnlock +
                R"(
	atom.global.exch.b32 	%r3, [%rd1], 0;
)");
}

TEST(Races, NotUnderALock) {
  for (Order order : orders) {
    Launched one(locked("fence.acq_rel.gpu;", "fence.acq_rel.gpu;"), 4, order);
    EXPECT_EQ(one.error, "");
    EXPECT_EQ(one.memory[1], 1U + 4 * threads);
    for (const auto &[behind, before] : {std::pair("", "membar.gl;"), std::pair("membar.gl;", "")})
      EXPECT_NE(Launched(locked(behind, before), 4, order).error.find("k: a race: "), std::string::npos);
    // A fence for a group says nothing to other groups.
    EXPECT_NE(Launched(locked("fence.acq_rel.cta;", "fence.acq_rel.cta;"), 4, order).error.find("k: a race: "),
              std::string::npos);
    EXPECT_EQ(Launched(locked("fence.acq_rel.cta;", "fence.acq_rel.cta;"), 1, order).error, "");
  }
}

// Groups take a number, and each waits for the one before it, as a scan in one pass does: thread 63 leaves data, thread
// 0 says that they are there, waits, and its group reads.
std::string chain(const std::string &store, const std::string &load) {
  return kernel(R"(
	setp.ne.b32 	%p1, %r1, 0;
	@!%p1 atom.global.add.u32 	%r2, [%rd1], 1;
	@!%p1 st.shared.b32 	[buf], %r2;
	bar.sync 	0;
	ld.shared.b32 	%r2, [buf];
	mul.wide.u32 	%rd6, %r2, 16;
	add.s64 	%rd7, %rd1, %rd6;
	setp.eq.b32 	%p2, %r1, 63;
	cvt.u64.u32 	%rd8, %r2;
	add.s64 	%rd9, %rd8, 1000;
	@%p2 st.global.b64 	[%rd7+512], %rd9;
	bar.sync 	0;
	@%p1 bra 	$wait;
	)" + store +
                R"( 	[%rd7+520], 7;
	setp.eq.b32 	%p3, %r2, 0;
	@%p3 bra 	$wait;
$again:
	)" + load +
                R"( 	%r3, [%rd7+504];
	setp.ne.b32 	%p4, %r3, 7;
	@%p4 bra 	$again;
$wait:
	bar.sync 	0;
	setp.ne.b32 	%p5, %r1, 5;
	@%p5 bra 	$end;
	setp.eq.b32 	%p3, %r2, 0;
	@%p3 bra 	$end;
	ld.global.b64 	%rd10, [%rd7+496];
	mul.wide.u32 	%rd11, %r2, 8;
	add.s64 	%rd12, %rd1, %rd11;
	st.global.b64 	[%rd12+8], %rd10;
$end:
)");
}

TEST(Races, NotBetweenAReleaseAndAnAcquire) {
  const std::string release = "st.release.gpu.global.b32", acquire = "ld.acquire.gpu.global.b32";
  for (Order order : orders)
    for (unsigned seed = 1; seed < 6; ++seed) {
      Launched one(chain(release, acquire), 8, order, seed);
      EXPECT_EQ(one.error, "");
      for (uint64_t i = 1; i < 8; ++i)
        EXPECT_EQ(one.memory[i + 1], 999 + i);
      EXPECT_EQ(Launched(chain("fence.acq_rel.gpu;\n\tst.relaxed.gpu.global.b32", acquire), 8, order, seed).error, "");
      const std::string wrong = "k: a race: thread 5 of group ";
      EXPECT_EQ(Launched(chain("st.relaxed.gpu.global.b32", acquire), 8, order, seed).error.find(wrong), 0U);
      EXPECT_EQ(Launched(chain("st.volatile.global.b32", acquire), 8, order, seed).error.find(wrong), 0U);
      EXPECT_EQ(Launched(chain(release, "ld.relaxed.gpu.global.b32"), 8, order, seed).error.find(wrong), 0U);
      EXPECT_EQ(Launched(chain(release, "ld.volatile.global.b32"), 8, order, seed).error.find(wrong), 0U);
    }
}

TEST(Races, BetweenGroups) {
  std::string writes = kernel(byThread0 + std::string("\tst.global.b64 \t[%rd1+8], 5;\n$end:"));
  EXPECT_EQ(Launched(writes, 2).error,
            "k: a race: thread 0 of group 1 writes what thread 0 of group 0 wrote, and nothing "
            "orders them: st.global.b64 \t[%rd1+8], 5");
  EXPECT_EQ(Launched(kernel("\tld.global.b64 \t%rd6, [%rd1+8];"), 2).error, "");
  std::string reads = kernel(R"(
	mov.u32 	%r2, %ctaid.x;
	setp.eq.b32 	%p1, %r2, 0;
	@%p1 ld.global.b64 	%rd6, [%rd2];
	@!%p1 st.global.b64 	[%rd2], 5;
)");
  EXPECT_EQ(Launched(reads, 2).error,
            "k: a race: thread 0 of group 1 writes what thread 0 of group 0 read, and nothing "
            "orders them: @!%p1 st.global.b64 \t[%rd2], 5");
}

TEST(Races, OfAtomicAndPlainAccesses) {
  auto both = [&](const std::string &first, const std::string &other) {
    return Launched(kernel("\tsetp.eq.b32 \t%p1, %r1, 7;\n\t@!%p1 " + first + ";\n\t@%p1 " + other + ";")).error;
  };
  const std::string atomic = "atom.global.add.u64 \t%rd6, [%rd1], 1", store = "st.global.b64 \t[%rd1], 1",
                    load = "ld.global.b64 \t%rd7, [%rd1]", quiet = "st.volatile.global.b64 \t[%rd1], 1";
  for (const auto &[first, other] :
       {std::pair(atomic, store), {store, atomic}, {atomic, load}, {load, atomic}, {quiet, store}})
    EXPECT_EQ(both(first, other).find("k: a race: "), 0U) << first << other;
  EXPECT_EQ(both(quiet, load), "");
  EXPECT_EQ(both(load, quiet), "");
  EXPECT_EQ(both(quiet, atomic), "");
}

TEST(Races, AreOfBytes) {
  std::string bytes = kernel(R"(
	st.global.b64 	[%rd2], 0;
	bar.sync 	1;
	cvt.u64.u32 	%rd6, %r1;
	add.s64 	%rd7, %rd1, %rd6;
	add.s64 	%rd8, %rd5, %rd6;
	st.global.b8 	[%rd7], %r1;
	st.shared.b8 	[%rd8], %r1;
	bar.sync 	0;
	setp.eq.b32 	%p1, %r1, 3;
	@%p1 ld.global.v2.b64 	{%rd9, %rd10}, [%rd1+16];
	@%p1 st.global.b64 	[%rd1+512], %rd10;
)");
  for (Order order : orders) {
    Launched one(bytes, 1, order);
    EXPECT_EQ(one.error, "");
    EXPECT_EQ(one.memory[64], 0x1f1e1d1c1b1a1918U);
  }
  bytes.replace(bytes.find("\tbar.sync \t0;"), std::strlen("\tbar.sync \t0;"), "");
  for (Order order : orders)
    EXPECT_NE(Launched(bytes, 1, order).error.find("k: a race: "), std::string::npos);
}

TEST(Races, NotOfLaunchesBehindEachOther) {
  std::array<uint64_t, 64> memory{};
  auto base = reinterpret_cast<uintptr_t>(memory.data());
  Module module(kernel(byThread0 + std::string("\tst.global.b64 \t[%rd1+8], 5;\n$end:")));
  for (int i = 0; i < 3; ++i)
    module.run(*module.kernel("k"), {1, threads, {base}, [&](uint64_t) { return Block{base, sizeof(memory)}; }});
  EXPECT_EQ(memory[1], 5U);
}

TEST(Races, WaitingForEverIsAnError) {
  std::string spins = kernel("$again:\n\tld.volatile.global.b64 \t%rd6, [%rd1+8];\n\tsetp.ne.b64 \t%p1, %rd6, 99;\n"
                             "\t@%p1 bra \t$again;\n\tbar.sync \t0;");
  EXPECT_EQ(Launched(spins, 3).error,
            "k: threads wait for ever for what none of them writes: ld.volatile.global.b64 \t%rd6, [%rd1+8]");
}

} // namespace
