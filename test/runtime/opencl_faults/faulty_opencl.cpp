// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An OpenCL loader that hands every call on to the real one (FERRY_OPENCL_REAL), and on demand has one fail as a device
// would have it fail (FERRY_OPENCL_FAULT=N: the Nth call; N+: that one and all behind it, which is a device that is
// lost), or makes each wait at random and what is read arrive only when it is waited for (FERRY_OPENCL_DELAY=SEED).
// When the process ends it writes how many calls there were, and how many objects were not given back, to
// FERRY_OPENCL_REPORT.

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <dlfcn.h>
#include <random>
#include <thread>
#include <vector>

namespace {

class Loader {
public:
  Loader() {
    const char *real = std::getenv("FERRY_OPENCL_REAL");
    library = dlopen(real ? real : "", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      std::fprintf(stderr, "FERRY_OPENCL_REAL is no library: %s\n", dlerror());
      std::abort();
    }
    if (const char *fault = std::getenv("FERRY_OPENCL_FAULT")) {
      failing = std::strtol(fault, nullptr, 10);
      isLost = std::strchr(fault, '+') != nullptr;
    }
    if (const char *seed = std::getenv("FERRY_OPENCL_DELAY")) {
      delays.seed(static_cast<unsigned>(std::strtoul(seed, nullptr, 10)));
      isDelayed = true;
    }
  }

  ~Loader() {
    const char *path = std::getenv("FERRY_OPENCL_REPORT");
    if (FILE *file = path ? std::fopen(path, "w") : nullptr) {
      std::fprintf(file, "%ld %ld\n", calls, live);
      std::fclose(file);
    }
  }

  /// Whether the call that begins now is to fail.
  bool fails() {
    if (isDelayed)
      std::this_thread::sleep_for(std::chrono::microseconds(delays() % 3000));
    ++calls;
    return isLost ? failing > 0 && calls >= failing : calls == failing;
  }

  template <typename Function> Function *find(const char *name) {
    return reinterpret_cast<Function *>(dlsym(library, name));
  }

  bool isLate() const { return isDelayed; }

  /// Bytes that have been read, and their address when somebody waits for them, or for what was enqueued behind them.
  struct Late {
    cl_event end;
    void *to;
    std::vector<char> bytes;
  };
  void deliver(cl_event upTo) {
    while (!late.empty()) {
      Late first = std::move(late.front());
      late.pop_front();
      std::memcpy(first.to, first.bytes.data(), first.bytes.size());
      if (upTo && first.end == upTo)
        return;
    }
  }

  long live = 0; ///< contexts, queues, buffers, programs, kernels and events
  std::deque<Late> late;

private:
  void *library = nullptr;
  long calls = 0, failing = 0;
  bool isLost = false, isDelayed = false;
  std::minstd_rand delays{1}; // NOLINT(bugprone-random-generator-seed): the test says which
};

/// Made at the first call, so that it ends before the real loader does.
Loader &loader() {
  static Loader one;
  return one;
}

template <typename Handle> Handle made(Handle handle) {
  loader().live += handle != nullptr;
  return handle;
}

template <typename Handle> Handle refused(cl_int *code, cl_int why) {
  if (code)
    *code = why;
  return nullptr;
}

} // namespace

#define REAL(name) loader().find<decltype(name)>(#name)
#define EXPORTED extern "C" __attribute__((visibility("default")))

// NOLINTBEGIN(bugprone-macro-parentheses): they take whole lists of parameters
// A call that reports success or failure.
#define FORWARD(name, why, parameters, arguments)                                                                      \
  EXPORTED cl_int CL_API_CALL name parameters { return loader().fails() ? (why) : REAL(name) arguments; }

// One that makes an object; the last parameter, `code`, reports.
#define MAKER(type, name, why, parameters, arguments)                                                                  \
  EXPORTED type CL_API_CALL name parameters {                                                                          \
    return loader().fails() ? refused<type>(code, why) : made(REAL(name) arguments);                                   \
  }

// Giving back works on a lost device too.
#define RELEASE(type, name)                                                                                            \
  EXPORTED cl_int CL_API_CALL name(type object) {                                                                      \
    --loader().live;                                                                                                   \
    return REAL(name)(object);                                                                                         \
  }

FORWARD(clGetPlatformIDs, CL_OUT_OF_HOST_MEMORY, (cl_uint entries, cl_platform_id *ids, cl_uint *count),
        (entries, ids, count))
FORWARD(clGetPlatformInfo, CL_OUT_OF_HOST_MEMORY,
        (cl_platform_id platform, cl_platform_info what, size_t bytes, void *value, size_t *needed),
        (platform, what, bytes, value, needed))
FORWARD(clGetDeviceIDs, CL_DEVICE_NOT_FOUND,
        (cl_platform_id platform, cl_device_type type, cl_uint entries, cl_device_id *ids, cl_uint *count),
        (platform, type, entries, ids, count))
FORWARD(clGetDeviceInfo, CL_OUT_OF_RESOURCES,
        (cl_device_id device, cl_device_info what, size_t bytes, void *value, size_t *needed),
        (device, what, bytes, value, needed))
FORWARD(clGetProgramBuildInfo, CL_OUT_OF_HOST_MEMORY,
        (cl_program program, cl_device_id device, cl_program_build_info what, size_t bytes, void *value,
         size_t *needed),
        (program, device, what, bytes, value, needed))
FORWARD(clGetKernelWorkGroupInfo, CL_OUT_OF_HOST_MEMORY,
        (cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t bytes, void *value,
         size_t *needed),
        (kernel, device, what, bytes, value, needed))
FORWARD(clGetProgramInfo, CL_OUT_OF_HOST_MEMORY,
        (cl_program program, cl_program_info what, size_t bytes, void *value, size_t *needed),
        (program, what, bytes, value, needed))
FORWARD(clBuildProgram, CL_BUILD_PROGRAM_FAILURE,
        (cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
         void(CL_CALLBACK *notify)(cl_program, void *), void *data),
        (program, count, devices, options, notify, data))
FORWARD(clSetKernelArg, CL_OUT_OF_RESOURCES, (cl_kernel kernel, cl_uint index, size_t bytes, const void *value),
        (kernel, index, bytes, value))
FORWARD(clEnqueueWriteBuffer, CL_OUT_OF_RESOURCES,
        (cl_command_queue queue, cl_mem buffer, cl_bool blocks, size_t offset, size_t bytes, const void *from,
         cl_uint count, const cl_event *events, cl_event *event),
        (queue, buffer, blocks, offset, bytes, from, count, events, event))
FORWARD(clEnqueueCopyBuffer, CL_OUT_OF_RESOURCES,
        (cl_command_queue queue, cl_mem from, cl_mem to, size_t fromOffset, size_t toOffset, size_t bytes,
         cl_uint count, const cl_event *events, cl_event *event),
        (queue, from, to, fromOffset, toOffset, bytes, count, events, event))
FORWARD(clEnqueueNDRangeKernel, CL_OUT_OF_RESOURCES,
        (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global,
         const size_t *local, cl_uint count, const cl_event *events, cl_event *event),
        (queue, kernel, dimensions, offset, global, local, count, events, event))
FORWARD(clFlush, CL_INVALID_COMMAND_QUEUE, (cl_command_queue queue), (queue))

MAKER(cl_context, clCreateContext, CL_DEVICE_NOT_AVAILABLE,
      (const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
       void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data, cl_int *code),
      (properties, count, devices, notify, data, code))
MAKER(cl_command_queue, clCreateCommandQueue, CL_OUT_OF_RESOURCES,
      (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *code),
      (context, device, properties, code))
MAKER(cl_mem, clCreateBuffer, CL_MEM_OBJECT_ALLOCATION_FAILURE,
      (cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *code),
      (context, flags, bytes, host, code))
MAKER(cl_program, clCreateProgramWithSource, CL_OUT_OF_HOST_MEMORY,
      (cl_context context, cl_uint count, const char **texts, const size_t *lengths, cl_int *code),
      (context, count, texts, lengths, code))
MAKER(cl_program, clCreateProgramWithBinary, CL_INVALID_BINARY,
      (cl_context context, cl_uint count, const cl_device_id *devices, const size_t *lengths,
       const unsigned char **binaries, cl_int *states, cl_int *code),
      (context, count, devices, lengths, binaries, states, code))
MAKER(cl_kernel, clCreateKernel, CL_OUT_OF_RESOURCES, (cl_program program, const char *name, cl_int *code),
      (program, name, code))

RELEASE(cl_context, clReleaseContext)
RELEASE(cl_command_queue, clReleaseCommandQueue)
RELEASE(cl_mem, clReleaseMemObject)
RELEASE(cl_program, clReleaseProgram)
RELEASE(cl_kernel, clReleaseKernel)
RELEASE(cl_event, clReleaseEvent)
// NOLINTEND(bugprone-macro-parentheses)

EXPORTED cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocks, size_t offset,
                                                size_t bytes, void *to, cl_uint count, const cl_event *events,
                                                cl_event *event) {
  if (loader().fails())
    return CL_OUT_OF_RESOURCES;
  bool isLate = loader().isLate() && !blocks;
  std::vector<char> read(isLate ? bytes : 0);
  cl_int code = REAL(clEnqueueReadBuffer)(queue, buffer, blocks || isLate, offset, bytes, isLate ? read.data() : to,
                                          count, events, event);
  if (code != CL_SUCCESS)
    return code;
  if (event)
    made(*event);
  if (blocks)
    loader().deliver(nullptr);
  if (isLate) {
    std::memset(to, 0xff, bytes);
    loader().late.push_back({event ? *event : nullptr, to, std::move(read)});
  }
  return code;
}

EXPORTED cl_int CL_API_CALL clWaitForEvents(cl_uint count, const cl_event *events) {
  if (loader().fails())
    return CL_OUT_OF_RESOURCES;
  for (cl_uint i = 0; i < count; ++i)
    loader().deliver(events[i]);
  return REAL(clWaitForEvents)(count, events);
}

// What was enqueued before a device was lost still ends.
EXPORTED cl_int CL_API_CALL clFinish(cl_command_queue queue) {
  bool fails = loader().fails();
  loader().deliver(nullptr);
  cl_int code = REAL(clFinish)(queue);
  return fails ? CL_INVALID_COMMAND_QUEUE : code;
}
