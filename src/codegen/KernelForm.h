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

/// In kernels, the function that leaves a failure and ends the item: its number among the program's, four values.
inline constexpr llvm::StringLiteral kFail = "ferry_kernel_fail";

} // namespace ferry::codegen
