// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX (NVIDIA's Parallel Thread Execution ISA) from kernels in the form of KernelForm.h, through MLIR's nvvm dialect
// and LLVM's NVPTX back end, in this process.

#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace ferry::codegen::cuda {

/// One program with all kernels of the module, for FerryKernel::program; empty if there is none. It is for the newest
/// GPU that LLVM knows and whose compute capability is at most `capability` / 10. Nothing, with an error at the
/// operation, if one has no form in PTX or needs libdevice where there is none.
std::optional<std::string> ptxOfKernels(mlir::ModuleOp module, int capability);

} // namespace ferry::codegen::cuda
