// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels in the form of KernelForm.h as functions of the llvm and nvvm dialects.

#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace ferry::codegen::cuda {

/// How functions of libdevice begin.
inline constexpr llvm::StringLiteral kLibdevicePrefix = "__nv_";

/// What kernels call; kSupport has them.
inline constexpr llvm::StringLiteral kLeave = "ferry_leave", kAlloc = "ferry_alloc", kCount = "ferry_count",
                                     kClear = "ferry_clear", kBegin = "ferry_begin", kMeet = "ferry_meet",
                                     kMeetOrExit = "ferry_meet_or_exit";

/// A module of its own with all kernels of the module. They take eight bytes for each argument, then the address of a
/// runtime::KernelStatus, the launch's number and how many items there are. Null, with an error at the operation, if
/// one has no form in LLVM.
mlir::OwningOpRef<mlir::ModuleOp> nvvmKernels(mlir::ModuleOp module);

} // namespace ferry::codegen::cuda
