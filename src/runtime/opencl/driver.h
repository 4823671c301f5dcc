// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenCL's functions (the OpenCL Specification 1.2, Khronos Group), from the loader that is installed where the program
// runs, if one is.

#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <optional>
#include <string>
#include <vector>

namespace ferry::runtime::opencl {

// clang-format off
#define FERRY_OPENCL_FUNCTIONS(F)                                                                                      \
  F(clGetPlatformIDs) F(clGetPlatformInfo) F(clGetDeviceIDs) F(clGetDeviceInfo)                                        \
  F(clCreateContext) F(clReleaseContext) F(clCreateCommandQueue) F(clReleaseCommandQueue)                              \
  F(clCreateBuffer) F(clReleaseMemObject)                                                                              \
  F(clEnqueueWriteBuffer) F(clEnqueueReadBuffer) F(clEnqueueCopyBuffer)                                                \
  F(clCreateProgramWithSource) F(clCreateProgramWithBinary) F(clBuildProgram) F(clGetProgramBuildInfo)                 \
  F(clGetProgramInfo) F(clReleaseProgram)                                                                              \
  F(clCreateKernel) F(clReleaseKernel) F(clSetKernelArg) F(clGetKernelWorkGroupInfo)                                   \
  F(clEnqueueNDRangeKernel) F(clFlush) F(clFinish) F(clWaitForEvents) F(clReleaseEvent)
// clang-format on

/// The functions, under their names in the specification.
struct Driver {
#define FERRY_OPENCL_MEMBER(name) decltype(&::name) name = nullptr; // NOLINT(bugprone-macro-parentheses)
  FERRY_OPENCL_FUNCTIONS(FERRY_OPENCL_MEMBER)
#undef FERRY_OPENCL_MEMBER

  /// The machine's; null, with a reason, if there is none or it lacks a function. Loaded once, kept for ever.
  static const Driver *get(std::string &error);
};

/// One device of one platform, in the order in which the driver has them.
struct Choice {
  cl_platform_id platform;
  cl_device_id device;
  std::string platformName, deviceName, version, driverVersion;
  bool isGpu;
  bool isProcessor;  ///< the host's own cores
  bool sharesMemory; ///< with the host
  int64_t memoryBytes;
  std::string extensions;
};

/// Those there are, none if none can be had; a reason in `error` then.
std::vector<Choice> choices(std::string &error);

/// The one that `which` names: a number in `choices`, or part of the name of a platform or device; empty: the first
/// GPU, else the first device. Nothing, with a reason, if there is no such.
std::optional<Choice> choose(const std::string &which, std::string &error);

/// `out of memory (CL_MEM_OBJECT_ALLOCATION_FAILURE)`, or the code's name or number alone.
std::string described(cl_int code);

} // namespace ferry::runtime::opencl
