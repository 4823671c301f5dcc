// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels in PTX call, as LLVM's text.

#pragma once

namespace ferry::codegen::cuda {

/// kLeave, kAlloc and kCount of Nvvm.h.
extern const char supportText[];

} // namespace ferry::codegen::cuda
