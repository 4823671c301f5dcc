// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How kernels leave a failure, in 64-bit words of device memory. What the code generator puts before them writes it.

#pragma once

#include <cstdint>

namespace ferry::runtime {

struct KernelStatus {
  int64_t lock;      ///< 1 while an item writes the rest
  int64_t launch;    ///< the number of the launch that failed, 0: none
  int64_t item;      ///< the lowest of its items that failed
  int64_t failure;   ///< a number among FerryKernel::failures
  int64_t values[4]; ///< as of ferry_rt_fail
};

} // namespace ferry::runtime
