// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter of PTX, on kernels of work-groups: barriers, shared memory, the order of threads.

#include "kernels.h"

#include <gtest/gtest.h>

#include <cstring>
#include <regex>
#include <set>

using namespace ptx;

namespace {

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

} // namespace
