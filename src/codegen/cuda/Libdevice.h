// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's libdevice: the functions of mathematics that PTX has no accurate instruction for, as LLVM bitcode.

#pragma once

#include <string>

namespace ferry::codegen::cuda {

/// The file: $FERRY_LIBDEVICE, else that of a toolkit ($CUDA_HOME, $CUDA_PATH, /usr/local/cuda, Debian's package), else
/// that of a PyPI wheel in the virtual environment $VIRTUAL_ENV. Empty if there is none.
std::string libdeviceFile();

/// How to get it, for messages.
inline constexpr char howToGetLibdevice[] =
    "install NVIDIA's CUDA toolkit or PyPI's nvidia-cuda-nvcc-cu12, or set FERRY_LIBDEVICE to a libdevice.10.bc";

} // namespace ferry::codegen::cuda
