// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenCL C 1.2 (the OpenCL Specification 1.2, Khronos Group, chapter 6) from kernels in the form of KernelForm.h.

#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace ferry::codegen::opencl {

/// One program with all kernels of the module, for FerryKernel::program; empty if there is none. Nothing, with an error
/// at the operation, if one has no form in OpenCL C.
std::optional<std::string> textOfKernels(mlir::ModuleOp module);

} // namespace ferry::codegen::opencl
