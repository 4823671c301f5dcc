// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For whom kernels are written, and the form in which Emitter writes them: functions with scf, arith and math for
// scalars and the llvm dialect for memory, which opencl/ and cuda/ put into the language of a device.

#pragma once

#include "llvm/ADT/StringRef.h"

namespace ferry::codegen {

/// What a device with kernels of its own takes.
enum class KernelLanguage { none, openCl, ptx };

struct KernelTarget {
  KernelLanguage language = KernelLanguage::none; ///< none: the device runs host code
  int capability = 80;                            ///< ptx: ten times the compute capability of the GPU

  explicit operator bool() const { return language != KernelLanguage::none; }
};

/// Marks the functions of a module that are kernels, and says with a letter for each argument what it is: 'p' an
/// address in device memory, 's' a number. The item's number comes before them.
inline constexpr llvm::StringLiteral kKernel = "ferry.kernel";

/// What the names of the functions below begin with; only kernels call them.
inline constexpr llvm::StringLiteral kOfKernels = "ferry_kernel_";

/// The constant that holds the text of all kernels, ended by a zero, and the one with the failures that they leave.
inline constexpr llvm::StringLiteral kProgram = "ferry_kernels", kFailures = "ferry_kernel_failures";

/// In kernels, what makes memory for an array in the item's heap (heap, its bytes, bytes; null if it is full) and
/// counts references to it; a block that is not in the heap is left alone.
inline constexpr llvm::StringLiteral kAllocate = "ferry_kernel_alloc", kRetain = "ferry_kernel_retain",
                                     kRelease = "ferry_kernel_release";

/// In kernels, how far behind the start of the first heap a block is.
inline constexpr llvm::StringLiteral kOffset = "ferry_kernel_offset";

/// Of a kernel whose items have heaps: the numbers of its arguments that are the first heap, the bytes of each, and how
/// many items there are, which fewer run in turn.
inline constexpr llvm::StringLiteral kHeap = "ferry.heap";

/// In kernels, the function that leaves a failure and ends the item: which of several stays (the one whose number here
/// is the lowest), the failure's number among the program's, four values. In what the items of a group do apart (an
/// scf.execute_region) it ends the region, and the group at the next kBarrierOrEnd.
inline constexpr llvm::StringLiteral kFail = "ferry_kernel_fail";

/// Of a loop: how many rounds to write at once.
inline constexpr llvm::StringLiteral kUnroll = "ferry.unroll";

//===- Groups -----------------------------------------------------------------------------------------------------===//
//
// A kernel with the attribute kGroup runs in groups whose items work together: the number before its arguments is the
// group's, and all items of a group do the same, but for what is in an scf.execute_region.

/// How many bytes of memory the items of a group share, as an integer attribute.
inline constexpr llvm::StringLiteral kGroup = "ferry.group";

/// In such kernels: the item's number in its group, how many items a group has, the address of the shared memory.
inline constexpr llvm::StringLiteral kLocalId = "ferry_kernel_local_id", kGroupSize = "ferry_kernel_group_size",
                                     kLocalMemory = "ferry_kernel_local_memory";

/// Waits for all items of the group, whose writes are then visible to all; the second ends the group if an item has
/// failed since the last such call.
inline constexpr llvm::StringLiteral kBarrier = "ferry_kernel_barrier", kBarrierOrEnd = "ferry_kernel_barrier_or_end";

/// Atomic updates of 32 or 64 bits at an address: adds a value; puts a value (the third operand) in the place of
/// another one (the second) and returns what was there.
inline constexpr llvm::StringLiteral kAtomicAdd = "ferry_kernel_atomic_add",
                                     kCompareExchange = "ferry_kernel_compare_exchange";

/// Most items that a group has, a power of two, and most bytes that they share: what any OpenCL device has.
inline constexpr int64_t mostGroupItems = 256, mostGroupBytes = 30 << 10;

} // namespace ferry::codegen
