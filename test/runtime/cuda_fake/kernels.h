// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of work-groups for the tests of the interpreter.

#pragma once

#include "ptx.h"

#include <array>
#include <numeric>

namespace ptx {

inline constexpr uint32_t threads = 64;

/// A kernel k of p, device memory of 64-bit words: %rd1 is its address, %r1 the thread, %rd2 the address of its word of
/// 64, %rd3 that of its word in the shared array `buf`, of 64 words too.
inline std::string kernel(const std::string &body, const std::string &more = "") {
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

inline constexpr std::array orders = {Order::ascending, Order::descending, Order::random};

} // namespace ptx
