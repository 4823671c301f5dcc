// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of CUDA's driver (NVIDIA's CUDA Driver API reference), from the library that is installed where the program
// runs, if one is. No header of NVIDIA's is needed: what Ferry uses of the interface is declared here.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ferry::runtime::cuda {

using Result = int; ///< a CUresult
using DeviceNumber = int;
using Address = unsigned long long; ///< a CUdeviceptr
using ContextHandle = struct ContextObject *;
using ModuleHandle = struct ModuleObject *;
using FunctionHandle = struct FunctionObject *;
using StreamHandle = struct StreamObject *;
using EventHandle = struct EventObject *;

/// Numbers of the interface.
inline constexpr Result success = 0;
enum DeviceAttribute {
  threadsOfBlock = 1,
  sharedBytesOfBlock = 8,
  processors = 16,
  threadsOfProcessor = 39,
  capabilityMajor = 75,
  capabilityMinor = 76,
};
enum FunctionAttribute { threadsOfFunction = 0 };
enum JitOption { errorLog = 5, errorLogBytes = 6 };
enum StreamFlag { nonBlocking = 1 };
enum EventFlag { withoutTime = 2 };

// Each with the name that the library has it under, where that is another one, and its arguments.
// clang-format off
#define FERRY_CUDA_FUNCTIONS(F)                                                                                        \
  F(cuInit, cuInit, (unsigned flags))                                                                                  \
  F(cuDeviceGetCount, cuDeviceGetCount, (int *count))                                                                  \
  F(cuDeviceGet, cuDeviceGet, (DeviceNumber *device, int ordinal))                                                     \
  F(cuDeviceGetName, cuDeviceGetName, (char *name, int bytes, DeviceNumber device))                                    \
  F(cuDeviceGetAttribute, cuDeviceGetAttribute, (int *value, int attribute, DeviceNumber device))                      \
  F(cuDeviceTotalMem, cuDeviceTotalMem_v2, (size_t *bytes, DeviceNumber device))                                       \
  F(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, (ContextHandle *context, DeviceNumber device))                 \
  F(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (DeviceNumber device))                                    \
  F(cuCtxSetCurrent, cuCtxSetCurrent, (ContextHandle context))                                                         \
  F(cuStreamCreate, cuStreamCreate, (StreamHandle *stream, unsigned flags))                                            \
  F(cuStreamDestroy, cuStreamDestroy_v2, (StreamHandle stream))                                                        \
  F(cuStreamSynchronize, cuStreamSynchronize, (StreamHandle stream))                                                   \
  F(cuStreamWaitEvent, cuStreamWaitEvent, (StreamHandle stream, EventHandle event, unsigned flags))                    \
  F(cuEventCreate, cuEventCreate, (EventHandle *event, unsigned flags))                                                \
  F(cuEventDestroy, cuEventDestroy_v2, (EventHandle event))                                                            \
  F(cuEventRecord, cuEventRecord, (EventHandle event, StreamHandle stream))                                            \
  F(cuEventSynchronize, cuEventSynchronize, (EventHandle event))                                                       \
  F(cuMemAlloc, cuMemAlloc_v2, (Address *made, size_t bytes))                                                          \
  F(cuMemFree, cuMemFree_v2, (Address address))                                                                        \
  F(cuMemAllocHost, cuMemAllocHost_v2, (void **made, size_t bytes))                                                    \
  F(cuMemFreeHost, cuMemFreeHost, (void *memory))                                                                      \
  F(cuMemsetD8Async, cuMemsetD8Async, (Address to, unsigned char value, size_t bytes, StreamHandle stream))            \
  F(cuMemcpyHtoDAsync, cuMemcpyHtoDAsync_v2, (Address to, const void *from, size_t bytes, StreamHandle stream))        \
  F(cuMemcpyDtoHAsync, cuMemcpyDtoHAsync_v2, (void *to, Address from, size_t bytes, StreamHandle stream))              \
  F(cuMemcpyDtoDAsync, cuMemcpyDtoDAsync_v2, (Address to, Address from, size_t bytes, StreamHandle stream))            \
  F(cuModuleLoadDataEx, cuModuleLoadDataEx,                                                                            \
    (ModuleHandle *module, const void *image, unsigned count, int *options, void **values))                            \
  F(cuModuleUnload, cuModuleUnload, (ModuleHandle module))                                                             \
  F(cuModuleGetFunction, cuModuleGetFunction, (FunctionHandle *function, ModuleHandle module, const char *name))       \
  F(cuFuncGetAttribute, cuFuncGetAttribute, (int *value, int attribute, FunctionHandle function))                      \
  F(cuLaunchKernel, cuLaunchKernel,                                                                                    \
    (FunctionHandle function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,        \
     unsigned blockZ, unsigned sharedBytes, StreamHandle stream, void **arguments, void **extra))                      \
  F(cuGetErrorName, cuGetErrorName, (Result code, const char **name))                                                  \
  F(cuGetErrorString, cuGetErrorString, (Result code, const char **text))
// clang-format on

/// The functions.
struct Driver {
#define FERRY_CUDA_MEMBER(name, symbol, arguments) Result(*name) arguments = nullptr; // NOLINT(*-macro-parentheses)
  FERRY_CUDA_FUNCTIONS(FERRY_CUDA_MEMBER)
#undef FERRY_CUDA_MEMBER

  /// The machine's, initialized; null, with a reason, if there is none or it lacks a function. Loaded once, kept for
  /// ever.
  static const Driver *get(std::string &error);
};

/// What kernels need, as of Choice::capability: threads of a warp that make progress on their own, for the lock of
/// failures.
inline constexpr int leastCapability = 70;

/// One GPU, in the order in which the driver has them.
struct Choice {
  DeviceNumber device;
  std::string name;
  int capability; ///< ten times the compute capability
  int64_t memoryBytes;
};

/// Those there are, none if none can be had; a reason in `error` then.
std::vector<Choice> choices(std::string &error);

/// `which`: a number in `choices`, or part of a name; empty: the first one. Nothing, with a reason, if there is none.
std::optional<Choice> choose(const std::string &which, std::string &error);

/// `out of memory (CUDA_ERROR_OUT_OF_MEMORY)`.
std::string described(const Driver &driver, Result code);

} // namespace ferry::runtime::cuda
