// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenCL C 1.2 (the OpenCL Specification 1.2, Khronos Group, chapter 6) from kernels in the form in which Emitter
// writes them: scf, arith and math for scalars, the llvm dialect for memory.

#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace ferry::codegen::opencl {

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

/// One program with all kernels of the module, for FerryKernel::program; empty if there is none. Nothing, with an error
/// at the operation, if one has no form in OpenCL C.
std::optional<std::string> textOfKernels(mlir::ModuleOp module);

} // namespace ferry::codegen::opencl
