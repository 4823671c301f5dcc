// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transfers, kernels and time: each is counted, priced and logged here, and done by the device.

#include "runtime/context_impl.h"

#include <algorithm>
#include <limits>

namespace ferry::runtime {

// Only host code on the thread of the run may ask something of a device, if there is one; else false, with a recorded
// failure.
static bool mayAskDevice(FerryContext &context, const char *what) {
  if (context.device && !context.inKernel && chunkDepth() == 0)
    return true;
  recordFailure(context, !context.device    ? std::string("there is no device for ") + what
                         : context.inKernel ? std::string(what) + " is asked for by a kernel"
                                            : std::string(what) + " is asked for by a parallel loop");
  return false;
}

static bool done(FerryContext &context, const DeviceResult &result) {
  if (!result)
    return true;
  recordFailure(context, std::string(context.device->name()) + ": " + result->message);
  return false;
}

bool kernelsSucceeded(FerryContext &context) {
  std::optional<KernelFailure> failure = context.device->takeFailure();
  if (failure)
    recordFailure(*failure->what, failure->values);
  return !failure;
}

namespace {
// One way across the bus, with its counters.
struct Crossing {
  Report::Event::Kind kind;
  const char *what;
  bool toDevice;
  int64_t Report::*count;
  int64_t Report::*bytes;
};
} // namespace

static constexpr Crossing uploading = {Report::Event::upload, "an upload", true, &Report::uploads,
                                       &Report::uploadBytes};
static constexpr Crossing downloading = {Report::Event::download, "a download", false, &Report::downloads,
                                         &Report::downloadBytes};
static constexpr Crossing peeking = {Report::Event::peek, "a peek", false, &Report::peeks, &Report::peekBytes};
static constexpr Crossing poking = {Report::Event::poke, "a poke", true, &Report::pokes, &Report::pokeBytes};

static placement::Time priceOf(const placement::Machine &machine, const Crossing &way, int64_t bytes) {
  switch (way.kind) {
  case Report::Event::peek:
    return machine.peekPrice(bytes);
  case Report::Event::poke:
    return machine.pokePrice(bytes);
  default:
    return machine.copy(way.toDevice ? placement::Direction::HostToDevice : placement::Direction::DeviceToHost, bytes);
  }
}

static placement::Time priceOf(const placement::Machine &machine, const FerryWork &work) {
  if ((work.bytes | work.operations | work.sequential_operations | work.sequential_bytes) == 0)
    return 0; // as the fractions below would come to, at length
  return machine.time(placement::Side::Device,
                      {work.bytes, work.operations, work.sequential_operations, work.sequential_bytes});
}

static Measured::Kind measuredKind(const Crossing &way) {
  switch (way.kind) {
  case Report::Event::upload:
    return Measured::upload;
  case Report::Event::download:
    return Measured::download;
  case Report::Event::peek:
    return Measured::peek;
  default:
    return Measured::poke;
  }
}

// Enters one crossing, done at `price`, into clock, counters and log.
template <typename Price>
static bool account(FerryContext &context, const Crossing &way, int64_t bytes, const char *name, Price price) {
  int64_t began = context.clock;
  if (!addPrice(context, price))
    return false;
  context.counters.busTime += context.clock - began;
  context.counters.*way.count += 1;
  context.counters.*way.bytes += bytes;
  logEvent(context, way.kind, name, context.operation, bytes, began);
  return true;
}

static bool cross(FerryContext &context, const Crossing &way, void *to, const void *from, int64_t bytes,
                  const char *name) {
  if (bytes <= 0)
    return true;
  if (!mayAskDevice(context, way.what))
    return false;
  if (context.trace)
    context.trace->pause();
  Device &device = *context.device;
  if (!done(context, way.toDevice ? device.upload(to, from, bytes) : device.download(to, from, bytes)))
    return false;
  if (!way.toDevice && !kernelsSucceeded(context))
    return false;
  if (context.trace) { // what is on its way is waited for, as kernels are
    if (!done(context, device.synchronize()))
      return false;
    context.trace->crossed(measuredKind(way), name, context.operation, bytes);
  }
  return account(context, way, bytes, name, [&](const placement::Machine &m) { return priceOf(m, way, bytes); });
}

// A trace waits for each copy.
static bool downloadLater(FerryContext &context, void *host, const void *device, int64_t bytes, const char *name) {
  if (bytes <= 0 || context.trace)
    return cross(context, downloading, host, device, bytes, name);
  if (!mayAskDevice(context, downloading.what) || !done(context, context.device->beginDownload(host, device, bytes)))
    return false;
  context.arriving.push_back(host);
  return account(context, downloading, bytes, name,
                 [&](const placement::Machine &m) { return priceOf(m, downloading, bytes); });
}

static bool await(FerryContext &context, const void *host) {
  return std::erase(context.arriving, host) == 0 ||
         (done(context, context.device->await(host)) && kernelsSucceeded(context));
}

static bool pass(FerryContext &context, void *to, const void *from, int64_t bytes) {
  if (!mayAskDevice(context, "a scalar"))
    return false;
  if (context.trace)
    context.trace->pause();
  if (!done(context, context.device->upload(to, from, bytes)) || !addTime(context, context.options.machine.argument))
    return false;
  if (context.trace) {
    if (!done(context, context.device->synchronize()))
      return false;
    context.trace->crossed(Measured::argument, nullptr, nullptr, bytes);
  }
  context.counters.busTime += context.options.machine.argument;
  return true;
}

static bool mayRun(const FerryOperation *op, int64_t elements, int64_t threads, int32_t flags) {
  if (elements <= 1 || threads > 1 || (flags & FERRY_ONE_THREAD_ALLOWED))
    return true;
  ProgramError error;
  error.message =
      std::to_string(elements) + " elements of the device's " + described(*op) + " would be run by one thread";
  error.file = op->file ? op->file : "";
  error.line = op->line;
  error.column = op->column;
  recordFailure(std::move(error));
  return false;
}

// Runs the kernel; true if it returned. What it ticked is in the clock either way.
static bool runKernel(FerryContext &context, const Kernel &kernel) {
  Runner runner;
  if (setjmp(runner.target) == 0) {
    DeviceResult result = context.device->launch(kernel);
    runner.leave();
    return done(context, result);
  }
  if (context.sim)
    context.sim->leaveKernel();
  recordFailure(std::move(runner.error));
  return false;
}

static bool launch(FerryContext &context, const FerryLaunch &launch, void (*entry)(void *), void *env) {
  if (!mayAskDevice(context, "a kernel") || !mayRun(launch.op, launch.elements, launch.threads, launch.flags))
    return false;
  int64_t began = context.clock;
  const FerryOperation *before = context.operation.exchange(launch.op);
  bool isCounted = launch.elements > 0; // else all it does is to make empty arrays
  if (isCounted && (!addTime(context, context.options.machine.launch) ||
                    !addPrice(context, [&](const auto &m) { return priceOf(m, launch.work); })))
    return false;
  if (context.trace)
    context.trace->pause();
  context.inKernel = true;
  bool returned = runKernel(context, {entry, env, launch.elements, launch.threads});
  context.inKernel = false;
  if (returned && context.trace && isCounted) {
    returned = done(context, context.device->synchronize());
    context.trace->launched(*launch.op, launch.work.bytes);
  }
  context.operation = before;
  context.counters.deviceTime += context.clock - began;
  if (isCounted) {
    context.counters.launches += 1;
    logEvent(context, Report::Event::launch, launch.op->name, launch.op, launch.work.bytes, began);
  }
  return returned;
}

static bool enqueue(FerryContext &context, const FerryKernel &kernel, const int64_t *arguments, int64_t items,
                    bool areGroups) {
  if (context.device && context.inKernel)
    return done(context, context.device->enqueue(kernel, arguments, items, areGroups));
  recordFailure(context, std::string(kernel.name) + " is enqueued outside of a launch");
  return false;
}

static int64_t groupsFor(const FerryContext &context, int64_t points, int64_t each) {
  constexpr int64_t pointsOfItem = 16;
  const DeviceLimits limits = context.device->limits();
  if (each <= 0)
    each = pointsOfItem * limits.groupItems;
  return std::clamp<int64_t>((points + each - 1) / each, 1, std::max<int64_t>(limits.groups, 1));
}

static bool readBack(FerryContext &context, void *host, const void *device, int64_t bytes) {
  return done(context, context.device->download(host, device, bytes)) && kernelsSucceeded(context);
}

// A part of what is free: other kernels and arrays to come need theirs.
static int64_t heapBytes(const FerryContext &context, int64_t items) {
  constexpr int64_t least = 1 << 12, most = 1 << 26;
  int64_t limit = context.device->limits().memoryBytes;
  int64_t free = limit > 0 ? limit - context.counters.deviceBytes : std::numeric_limits<int64_t>::max();
  return std::clamp(free / 4 / std::max<int64_t>(items, 1), least, most);
}

static bool copyOnDevice(FerryContext &context, void *to, const void *from, int64_t bytes, const FerryOperation *op) {
  if (bytes <= 0)
    return true;
  if (!mayAskDevice(context, "a copy"))
    return false;
  if (context.trace)
    context.trace->pause();
  if (!done(context, context.device->copy(to, from, bytes)))
    return false;
  if (context.trace) {
    if (!done(context, context.device->synchronize()))
      return false;
    context.trace->launched(*op, bytes);
  }
  int64_t began = context.clock;
  int64_t moved;
  if (__builtin_mul_overflow(bytes, 2, &moved)) {
    recordClockOverflow(context);
    return false;
  }
  if (!addTime(context, context.options.machine.launch) ||
      !addPrice(context, [&](const auto &m) { return priceOf(m, {moved, 0, 0, 0}); }))
    return false;
  context.counters.deviceTime += context.clock - began;
  context.counters.launches += 1;
  logEvent(context, Report::Event::launch, op->name, op, moved, began);
  return true;
}

static bool synchronize(FerryContext &context) {
  if (!mayAskDevice(context, "a synchronization") || !done(context, context.device->synchronize()) ||
      !kernelsSucceeded(context) || !addTime(context, context.options.machine.synchronize))
    return false;
  context.counters.busTime += context.options.machine.synchronize;
  context.counters.synchronizations += 1;
  return true;
}

static void observe(FerryContext &context, int64_t site, const FerryObservation &found) {
  if (found.count == 0)
    return;
  std::vector<Report::Observation> &all = context.counters.observations;
  if (static_cast<size_t>(site) >= all.size())
    all.resize(static_cast<size_t>(site) + 1);
  Report::Observation &here = all[static_cast<size_t>(site)];
  here.least = here.count == 0 ? found.least : std::min(here.least, found.least);
  here.most = here.count == 0 ? found.most : std::max(here.most, found.most);
  here.count += found.count;
  here.sum = static_cast<int64_t>(static_cast<uint64_t>(here.sum) + static_cast<uint64_t>(found.sum));
}

static void compareResidency(FerryContext &context, const FerryOperation *op, int64_t least, int64_t most) {
  Report &counters = context.counters;
  counters.residencies += 1;
  if (least <= counters.deviceBytes && counters.deviceBytes <= most)
    return;
  if (counters.residenciesOff++ == 0)
    counters.firstResidencyOff = described(*op) + ": " + std::to_string(counters.deviceBytes) +
                                 " bytes on the device, planned " + std::to_string(least) + " to " +
                                 std::to_string(most) + "; resident: " + residents(context.deviceBlocks);
}

} // namespace ferry::runtime

using namespace ferry;
using namespace ferry::runtime;

void ferry_rt_upload(FerryContext *ctx, void *device, const void *host, int64_t bytes, const char *name) {
  if (!cross(*ctx, uploading, device, host, bytes, name))
    unwind();
}

void ferry_rt_download(FerryContext *ctx, void *host, const void *device, int64_t bytes, const char *name) {
  if (!cross(*ctx, downloading, host, device, bytes, name))
    unwind();
}

void ferry_rt_download_later(FerryContext *ctx, void *host, const void *device, int64_t bytes, const char *name) {
  if (!downloadLater(*ctx, host, device, bytes, name))
    unwind();
}

void ferry_rt_await(FerryContext *ctx, const void *host) {
  if (!await(*ctx, host))
    unwind();
}

void ferry_rt_peek(FerryContext *ctx, void *host, const void *device, int64_t bytes, const char *name) {
  if (!cross(*ctx, peeking, host, device, bytes, name))
    unwind();
}

void ferry_rt_poke(FerryContext *ctx, void *device, const void *host, int64_t bytes, const char *name) {
  if (!cross(*ctx, poking, device, host, bytes, name))
    unwind();
}

void ferry_rt_device_copy(FerryContext *ctx, void *to, const void *from, int64_t bytes, const FerryOperation *op) {
  if (!copyOnDevice(*ctx, to, from, bytes, op))
    unwind();
}

void ferry_rt_launch(FerryContext *ctx, const FerryLaunch *desc, void (*kernel)(void *env), void *env) {
  if (!launch(*ctx, *desc, kernel, env))
    unwind();
}

void ferry_rt_enqueue(FerryContext *ctx, const FerryKernel *kernel, const int64_t *arguments, int64_t items,
                      int64_t are_groups) {
  if (!enqueue(*ctx, *kernel, arguments, items, are_groups != 0))
    unwind();
}

int64_t ferry_rt_groups(FerryContext *ctx, int64_t n, int64_t each) { return groupsFor(*ctx, n, each); }

int64_t ferry_rt_group_items(FerryContext *ctx) { return ctx->device->limits().groupItems; }

void ferry_rt_read(FerryContext *ctx, void *host, const void *device, int64_t bytes) {
  if (!readBack(*ctx, host, device, bytes))
    unwind();
}

int64_t ferry_rt_heap(FerryContext *ctx, int64_t items) { return heapBytes(*ctx, items); }

void ferry_rt_synchronize(FerryContext *ctx) {
  if (!synchronize(*ctx))
    unwind();
}

void ferry_rt_pass(FerryContext *ctx, void *device, const void *host, int64_t bytes) {
  if (!pass(*ctx, device, host, bytes))
    unwind();
}

void ferry_rt_tick(FerryContext *ctx, const FerryOperation *op, int64_t picoseconds) {
  if (chunkDepth() != 0)
    return;
  int64_t began = ctx->clock;
  if (ctx->trace && !ctx->inKernel)
    ctx->trace->host(*op);
  ctx->operation = op;
  if (!addTime(*ctx, picoseconds))
    unwind();
  if (!ctx->inKernel)
    logEvent(*ctx, Report::Event::host, op->name, op, 0, began);
}

void ferry_rt_observe(FerryContext *ctx, int64_t site, int64_t number) {
  if (chunkDepth() == 0)
    observe(*ctx, site, {1, number, number, number});
}

void ferry_rt_observed(FerryContext *ctx, int64_t site, const FerryObservation *found) { observe(*ctx, site, *found); }

void ferry_rt_resident(FerryContext *ctx, const FerryOperation *op, int64_t least, int64_t most) {
  if (chunkDepth() == 0)
    compareResidency(*ctx, op, least, most);
}
