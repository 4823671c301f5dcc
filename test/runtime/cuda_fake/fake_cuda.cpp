// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A driver library of CUDA with one GPU, whose memory is the host's and whose kernels are interpreted (ptx.h).
//
// What a stream is given is done as late as can be: when somebody waits for it. So a result that nobody waited for, or
// pinned memory that is filled again too early, shows in the results. With FERRY_CUDA_ORDER=SEED more of it is done
// early, at random, and groups and their threads run in a random order; FERRY_CUDA_THREADS=ascending, descending or
// random says it for those alone.
//
// FERRY_CUDA_FAULT=N has the Nth call fail as a driver would have it fail; N+ that one and all behind it, which is a
// GPU that is lost. When the process ends, how many calls there were and how many objects were not given back goes to
// FERRY_CUDA_REPORT, and each call's name, with the numbers that matter, to FERRY_CUDA_LOG. FERRY_CUDA_CAPABILITY is
// ten times the GPU's compute capability, 80 if it is not said.

#include "ptx.h"

#include "runtime/cuda/driver.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <new>
#include <random>
#include <set>

using namespace ferry::runtime::cuda;

namespace {

constexpr Result invalidValue = 1, outOfMemory = 2, noDevice = 100, noBinary = 209, invalidPtx = 218,
                 invalidContext = 201, notFound = 500, illegalAddress = 700, launchFailed = 719;
constexpr size_t deviceBytes = size_t(1) << 30, alignment = 256;

const char *variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

struct Stream {
  std::deque<std::function<Result()>> waiting;
  uint64_t given = 0, done = 0;
};

struct Event {
  Stream *stream = nullptr;
  uint64_t behind = 0; ///< so many of what the stream was given
};

struct Module {
  ptx::Module code;
  std::vector<std::unique_ptr<std::pair<Module *, const ptx::Function *>>> functions;
};

using Function = std::pair<Module *, const ptx::Function *>;

class Gpu {
public:
  Gpu()
      : isRandom(*variable("FERRY_CUDA_ORDER") != 0), random(isRandom ? std::stoul(variable("FERRY_CUDA_ORDER")) : 0) {
    std::string text = variable("FERRY_CUDA_FAULT");
    fault = text.empty() ? 0 : std::stoll(text);
    isLost = text.ends_with("+");
    std::string capable = variable("FERRY_CUDA_CAPABILITY");
    capability = capable.empty() ? 80 : std::stoi(capable);
    std::string threads = variable("FERRY_CUDA_THREADS");
    threadOrder = threads == "descending"                                ? ptx::Order::descending
                  : threads == "random" || (threads.empty() && isRandom) ? ptx::Order::random
                                                                         : ptx::Order::ascending;
    if (std::string name = variable("FERRY_CUDA_LOG"); !name.empty())
      log = std::fopen(name.c_str(), "w");
  }

  ~Gpu() {
    if (log)
      std::fclose(log);
    std::string name = variable("FERRY_CUDA_REPORT");
    if (FILE *file = name.empty() ? nullptr : std::fopen(name.c_str(), "w")) {
      std::fprintf(file, "%lld %zu\n", calls,
                   static_cast<size_t>(contexts) + streams.size() + events.size() + modules.size() + memory.size() +
                       pinned.size());
      std::fclose(file);
    }
  }
  Gpu(const Gpu &) = delete;
  Gpu &operator=(const Gpu &) = delete;

  /// Enters a call, which is to fail with what this gives; `failure` is how it fails on demand.
  Result enter(const char *name, Result failure, bool needsContext = true, long long number = -1) {
    ++calls;
    if (log && number >= 0)
      std::fprintf(log, "%s %lld\n", name, number);
    else if (log)
      std::fprintf(log, "%s\n", name);
    if (fault > 0 && (calls == fault || (isLost && calls > fault)))
      return failure;
    if (needsContext && !isCurrent)
      return invalidContext;
    return error;
  }

  void give(Stream *stream, std::function<Result()> work) {
    stream->waiting.push_back(std::move(work));
    ++stream->given;
    if (isRandom)
      for (Stream *one : streams)
        if (random() % 2 == 0)
          finish(one, one->done + random() % (one->given - one->done + 1));
  }

  Result finish(Stream *stream, uint64_t upTo) {
    while (stream->done < upTo) {
      std::function<Result()> work = std::move(stream->waiting.front());
      stream->waiting.pop_front();
      ++stream->done;
      if (Result code = error == success ? work() : error; code != success)
        error = code;
    }
    return error;
  }

  ptx::Block blockAt(Address address) const {
    auto after = memory.upper_bound(address);
    return after == memory.begin() ? ptx::Block() : ptx::Block{std::prev(after)->first, std::prev(after)->second};
  }

  bool holds(Address address, size_t bytes) const {
    ptx::Block block = blockAt(address);
    return block.bytes > 0 && address - block.base + bytes <= block.bytes;
  }

  bool isPinned(const void *address, size_t bytes) const {
    auto after = pinned.upper_bound(static_cast<const char *>(address));
    if (after == pinned.begin())
      return false;
    const auto &[base, size] = *std::prev(after);
    return static_cast<size_t>(static_cast<const char *>(address) - base) + bytes <= size;
  }

  /// Says what went wrong, and is from now on as a GPU of which a kernel did that.
  Result defect(const std::string &what) {
    std::fprintf(stderr, "fake CUDA: %s\n", what.c_str());
    return illegalAddress;
  }

  unsigned seed() { return static_cast<unsigned>(random()); }

  int capability = 0;
  ptx::Order threadOrder = ptx::Order::ascending;
  int contexts = 0;
  bool isCurrent = false;
  Result error = success; ///< of a kernel, which sticks to the context
  std::set<Stream *> streams;
  std::set<Event *> events;
  std::set<Module *> modules;
  std::map<Address, size_t> memory;
  std::map<const char *, size_t> pinned;
  size_t used = 0;

private:
  long long calls = 0, fault = 0;
  bool isLost = false;
  const bool isRandom;
  std::minstd_rand random;
  FILE *log = nullptr;
};

Gpu &gpu() {
  static Gpu one;
  return one;
}

void *aligned(size_t bytes) {
  constexpr int poison = 0xff;
  void *made = ::operator new(bytes, std::align_val_t(alignment), std::nothrow);
  if (made)
    std::memset(made, poison, bytes);
  return made;
}

void drop(void *made) { ::operator delete(made, std::align_val_t(alignment)); }

template <typename To, typename From> To as(From handle) { return reinterpret_cast<To>(handle); }

Result copy(void *to, const void *from, size_t bytes) {
  std::memcpy(to, from, bytes);
  return success;
}

} // namespace

// NOLINTBEGIN(readability-identifier-naming)
#define ENTER(...)                                                                                                     \
  if (Result code = gpu().enter(__func__, __VA_ARGS__); code != success)                                               \
  return code

extern "C" {

Result cuInit(unsigned) {
  ENTER(noDevice, false);
  return success;
}

Result cuDeviceGetCount(int *count) {
  ENTER(noDevice, false);
  *count = 1;
  return success;
}

Result cuDeviceGet(DeviceNumber *device, int ordinal) {
  ENTER(noDevice, false);
  *device = ordinal;
  return ordinal == 0 ? success : invalidValue;
}

Result cuDeviceGetName(char *name, int bytes, DeviceNumber) {
  ENTER(noDevice, false);
  std::snprintf(name, static_cast<size_t>(bytes), "Fake GPU");
  return success;
}

Result cuDeviceGetAttribute(int *value, int attribute, DeviceNumber) {
  ENTER(noDevice, false);
  switch (attribute) {
  case threadsOfBlock:
    *value = 1024;
    break;
  case sharedBytesOfBlock:
    *value = ptx::mostSharedBytes;
    break;
  case processors:
    *value = 2;
    break;
  case threadsOfProcessor:
    *value = 4;
    break;
  case capabilityMajor:
    *value = gpu().capability / 10;
    break;
  case capabilityMinor:
    *value = gpu().capability % 10;
    break;
  default:
    return invalidValue;
  }
  return success;
}

Result cuDeviceTotalMem_v2(size_t *bytes, DeviceNumber) {
  ENTER(noDevice, false);
  *bytes = deviceBytes;
  return success;
}

Result cuDevicePrimaryCtxRetain(ContextHandle *context, DeviceNumber) {
  ENTER(outOfMemory, false);
  ++gpu().contexts;
  *context = as<ContextHandle>(&gpu());
  return success;
}

Result cuDevicePrimaryCtxRelease_v2(DeviceNumber) {
  if (--gpu().contexts == 0)
    gpu().error = success;
  ENTER(launchFailed, false);
  return success;
}

Result cuCtxSetCurrent(ContextHandle context) {
  ENTER(launchFailed, false);
  gpu().isCurrent = context != nullptr;
  return success;
}

//===- Streams and events -----------------------------------------------------------------------------------------===//

Result cuStreamCreate(StreamHandle *stream, unsigned) {
  ENTER(outOfMemory);
  auto *made = new Stream;
  gpu().streams.insert(made);
  *stream = as<StreamHandle>(made);
  return success;
}

Result cuStreamDestroy_v2(StreamHandle stream) {
  gpu().streams.erase(as<Stream *>(stream));
  delete as<Stream *>(stream);
  ENTER(launchFailed);
  return success;
}

Result cuStreamSynchronize(StreamHandle stream) {
  ENTER(launchFailed);
  return gpu().finish(as<Stream *>(stream), as<Stream *>(stream)->given);
}

Result cuStreamWaitEvent(StreamHandle stream, EventHandle event, unsigned) {
  ENTER(launchFailed);
  Event awaited = *as<Event *>(event);
  gpu().give(as<Stream *>(stream),
             [awaited] { return awaited.stream ? gpu().finish(awaited.stream, awaited.behind) : success; });
  return success;
}

Result cuEventCreate(EventHandle *event, unsigned) {
  ENTER(outOfMemory);
  auto *made = new Event;
  gpu().events.insert(made);
  *event = as<EventHandle>(made);
  return success;
}

Result cuEventDestroy_v2(EventHandle event) {
  gpu().events.erase(as<Event *>(event));
  delete as<Event *>(event);
  ENTER(launchFailed);
  return success;
}

Result cuEventRecord(EventHandle event, StreamHandle stream) {
  ENTER(launchFailed);
  *as<Event *>(event) = {as<Stream *>(stream), as<Stream *>(stream)->given};
  return success;
}

Result cuEventSynchronize(EventHandle event) {
  ENTER(launchFailed);
  auto *awaited = as<Event *>(event);
  return awaited->stream ? gpu().finish(awaited->stream, awaited->behind) : success;
}

//===- Memory -----------------------------------------------------------------------------------------------------===//

Result cuMemAlloc_v2(Address *made, size_t bytes) {
  ENTER(outOfMemory, true, static_cast<long long>(bytes));
  if (bytes == 0)
    return invalidValue;
  void *memory = gpu().used + bytes > deviceBytes ? nullptr : aligned(bytes);
  if (!memory)
    return outOfMemory;
  *made = reinterpret_cast<uintptr_t>(memory);
  gpu().memory[*made] = bytes;
  gpu().used += bytes;
  return success;
}

Result cuMemFree_v2(Address address) {
  auto found = gpu().memory.find(address);
  if (found != gpu().memory.end()) {
    gpu().used -= found->second;
    gpu().memory.erase(found);
    drop(reinterpret_cast<void *>(address));
  }
  ENTER(launchFailed);
  for (Stream *stream : gpu().streams)
    if (stream->done < stream->given)
      return gpu().defect("memory is given back while streams may still use it");
  return success;
}

Result cuMemAllocHost_v2(void **made, size_t bytes) {
  ENTER(outOfMemory, true, static_cast<long long>(bytes));
  *made = aligned(bytes);
  gpu().pinned[static_cast<const char *>(*made)] = bytes;
  return success;
}

Result cuMemFreeHost(void *memory) {
  gpu().pinned.erase(static_cast<const char *>(memory));
  drop(memory);
  ENTER(launchFailed);
  return success;
}

Result cuMemsetD8Async(Address to, unsigned char value, size_t bytes, StreamHandle stream) {
  ENTER(launchFailed);
  gpu().give(as<Stream *>(stream), [=] {
    if (!gpu().holds(to, bytes))
      return gpu().defect("a memset outside of all memory");
    std::memset(reinterpret_cast<void *>(to), value, bytes);
    return success;
  });
  return success;
}

Result cuMemcpyHtoDAsync_v2(Address to, const void *from, size_t bytes, StreamHandle stream) {
  ENTER(launchFailed, true, static_cast<long long>(bytes));
  gpu().give(as<Stream *>(stream), [=] {
    return gpu().holds(to, bytes) && gpu().isPinned(from, bytes)
               ? copy(reinterpret_cast<void *>(to), from, bytes)
               : gpu().defect("an upload that is not from pinned to device memory");
  });
  return success;
}

Result cuMemcpyDtoHAsync_v2(void *to, Address from, size_t bytes, StreamHandle stream) {
  ENTER(launchFailed, true, static_cast<long long>(bytes));
  gpu().give(as<Stream *>(stream), [=] {
    return gpu().holds(from, bytes) && gpu().isPinned(to, bytes)
               ? copy(to, reinterpret_cast<const void *>(from), bytes)
               : gpu().defect("a download that is not from device to pinned memory");
  });
  return success;
}

Result cuMemcpyDtoDAsync_v2(Address to, Address from, size_t bytes, StreamHandle stream) {
  ENTER(launchFailed, true, static_cast<long long>(bytes));
  gpu().give(as<Stream *>(stream), [=] {
    return gpu().holds(to, bytes) && gpu().holds(from, bytes)
               ? copy(reinterpret_cast<void *>(to), reinterpret_cast<const void *>(from), bytes)
               : gpu().defect("a copy outside of all memory");
  });
  return success;
}

//===- Kernels ----------------------------------------------------------------------------------------------------===//

Result cuModuleLoadDataEx(ModuleHandle *module, const void *image, unsigned count, int *options, void **values) {
  ENTER(outOfMemory);
  auto explain = [&](const std::string &why) {
    char *text = nullptr;
    size_t room = 0;
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == errorLog)
        text = static_cast<char *>(values[i]);
      else if (options[i] == errorLogBytes)
        room = reinterpret_cast<size_t>(values[i]);
    if (text && room)
      std::snprintf(text, room, "%s", why.c_str());
  };
  std::string text = static_cast<const char *>(image);
  size_t target = text.find(".target sm_");
  if (target == std::string::npos || std::stoi(text.substr(target + std::strlen(".target sm_"))) > gpu().capability)
    return noBinary;
  try {
    auto *made = new Module{ptx::Module(text), {}};
    gpu().modules.insert(made);
    *module = as<ModuleHandle>(made);
    return success;
  } catch (const std::exception &why) {
    explain(why.what());
    return invalidPtx;
  }
}

Result cuModuleUnload(ModuleHandle module) {
  gpu().modules.erase(as<Module *>(module));
  delete as<Module *>(module);
  ENTER(launchFailed);
  return success;
}

Result cuModuleGetFunction(FunctionHandle *function, ModuleHandle module, const char *name) {
  ENTER(launchFailed);
  auto *from = as<Module *>(module);
  const ptx::Function *found = from->code.kernel(name);
  if (!found)
    return notFound;
  from->functions.push_back(std::make_unique<Function>(from, found));
  *function = as<FunctionHandle>(from->functions.back().get());
  return success;
}

Result cuFuncGetAttribute(int *value, int, FunctionHandle function) {
  ENTER(launchFailed);
  *value = as<Function *>(function)->second->groupThreads;
  return success;
}

Result cuLaunchKernel(FunctionHandle function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                      unsigned blockY, unsigned blockZ, unsigned sharedBytes, StreamHandle stream, void **arguments,
                      void **) {
  ENTER(launchFailed, true, static_cast<long long>(gridX));
  auto [module, kernel] = *as<Function *>(function);
  if (gridX * gridY * gridZ == 0 || gridY * gridZ * blockY * blockZ != 1)
    return invalidValue;
  ptx::Launch launch{gridX, blockX, {}, [](uint64_t at) { return gpu().blockAt(at); }};
  for (size_t i = 0; i < kernel->parameters.size(); ++i)
    launch.arguments.push_back(*static_cast<uint64_t *>(arguments[i]));
  launch.sharedBytes = sharedBytes;
  launch.order = gpu().threadOrder;
  launch.seed = gpu().seed();
  gpu().give(as<Stream *>(stream), [=] {
    try {
      module->code.run(*kernel, launch);
    } catch (const std::exception &why) {
      return gpu().defect(why.what());
    }
    return success;
  });
  return success;
}

//===- Errors -----------------------------------------------------------------------------------------------------===//

struct Code {
  Result number;
  const char *name, *text;
};

static constexpr Code codes[] = {
    {success, "CUDA_SUCCESS", "no error"},
    {invalidValue, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {outOfMemory, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {noDevice, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {invalidContext, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {noBinary, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
    {invalidPtx, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {notFound, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {illegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {launchFailed, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
};

Result cuGetErrorName(Result code, const char **name) {
  const auto *found = std::ranges::find(codes, code, &Code::number);
  *name = found == std::end(codes) ? nullptr : found->name;
  return found == std::end(codes) ? invalidValue : success;
}

Result cuGetErrorString(Result code, const char **text) {
  const auto *found = std::ranges::find(codes, code, &Code::number);
  *text = found == std::end(codes) ? nullptr : found->text;
  return found == std::end(codes) ? invalidValue : success;
}

} // extern "C"
// NOLINTEND(readability-identifier-naming)

#define SAME(name, symbol, arguments) static_assert(std::is_same_v<decltype(Driver::name), decltype(&::symbol)>);
FERRY_CUDA_FUNCTIONS(SAME)
