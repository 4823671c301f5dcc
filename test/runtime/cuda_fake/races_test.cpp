// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations, and what is an error without them.

#include "kernels.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace ptx;

namespace {

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
