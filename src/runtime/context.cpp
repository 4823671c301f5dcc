// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/context_impl.h"
#include "runtime/cuda/device.h"
#include "runtime/machine_memory.h"
#include "runtime/opencl/device.h"

#include <cstdlib>
#include <optional>
#include <string_view>

namespace ferry::runtime {

void ContextDeleter::operator()(FerryContext *context) const {
  for (BlockList *list : {&context->deviceBlocks, &context->tableHostBlocks, &context->scratchBlocks})
    for (Block *block = list->first(); block;) {
      Block *next = block->next;
      delete block;
      block = next;
    }
  delete context;
}

// What FERRY_CHECK_MEMORY says, or nothing, with a reason.
static std::optional<MemoryCheck> checkOfEnvironment(std::string &error) {
  static const char *const value = std::getenv("FERRY_CHECK_MEMORY");
  std::string_view text = value ? value : "";
  if (text.empty() || text == "0")
    return MemoryCheck::none;
  if (text == "1" || text == "after")
    return MemoryCheck::after;
  if (text == "before")
    return MemoryCheck::before;
  error = "FERRY_CHECK_MEMORY is '" + std::string(text) + "', where 'after' (or 1) and 'before' are known";
  return std::nullopt;
}

static Guard guardOf(MemoryCheck check) {
  return check == MemoryCheck::none ? Guard::none : check == MemoryCheck::after ? Guard::after : Guard::before;
}

// False, with a reason, if the device that the options name cannot be had.
static bool openDevice(FerryContext &context, std::string &error) {
  const ContextOptions &options = context.options;
  switch (options.device) {
  case DeviceKind::none:
    return true;
  case DeviceKind::sim: {
    int64_t memory = options.deviceMemory > 0 ? options.deviceMemory : options.machine.deviceMemory;
    auto sim = SimDevice::make(memory, options.protect, guardOf(options.checkMemory), error);
    context.sim = sim.get();
    context.device = std::move(sim);
    return context.device != nullptr;
  }
  case DeviceKind::opencl:
    context.device = OpenClDevice::make(options.whichDevice, options.deviceMemory, options.groupItems, error);
    return context.device != nullptr;
  case DeviceKind::cuda:
    context.device = CudaDevice::make(options.whichDevice, options.deviceMemory, error);
    return context.device != nullptr;
  }
  error = "no such device";
  return false;
}

// The same for host memory that is checked.
static bool openCheckedMemory(FerryContext &context, std::string &error) {
  Guard guard = guardOf(context.options.checkMemory);
  if (guard == Guard::none)
    return true;
  auto budget = std::make_shared<std::atomic<int64_t>>(availableMemory());
  auto room = static_cast<size_t>(machineMemory()) * 4;
  context.scratchArena = Arena::make("checked working memory", room, false, guard, budget, error);
  if (!context.scratchArena)
    return false;
  context.scratchTable = BlockTable::make(context.scratchArena->addresses(), error);
  if (!context.scratchTable || context.hostArena)
    return context.scratchTable != nullptr;
  context.ownHostArena = Arena::make("checked host arrays", room, false, guard, budget, error);
  context.hostArena = context.ownHostArena.get();
  return context.hostArena != nullptr;
}

Context makeContext(const ContextOptions &options, std::string &error) {
  Context context(new FerryContext(options));
  if (options.trace)
    context->trace = std::make_unique<Trace>();
  if (options.checkMemory == MemoryCheck::none) {
    auto check = checkOfEnvironment(error);
    if (!check)
      return nullptr;
    context->options.checkMemory = *check;
  }
  if (!openDevice(*context, error))
    return nullptr;
  context->hostArena = context->sim ? context->sim->hostArrays() : nullptr;
  if (!openCheckedMemory(*context, error))
    return nullptr;
  if (context->device) {
    context->deviceTable = BlockTable::make(context->device->addresses(), error);
    if (!context->deviceTable)
      return nullptr;
  }
  if (context->hostArena) {
    context->hostTable = BlockTable::make(context->hostArena->addresses(), error);
    if (!context->hostTable)
      return nullptr;
  }
  return context;
}

// Waits for the device; false, with a recorded failure, if it or one of its kernels failed.
static bool settle(FerryContext &context) {
  if (DeviceResult result = context.device->synchronize()) {
    recordFailure(context, std::string(context.device->name()) + ": " + result->message);
    return false;
  }
  return kernelsSucceeded(context);
}

FERRY_CALLS_COMPILED_CODE
static bool enter(FerryContext &context, void (*entry)(FerryContext *, void *), void *argument, ProgramError &error) {
  Runner runner;
  if (setjmp(runner.target) != 0) {
    error = std::move(runner.error);
    return false;
  }
  entry(&context, argument);
  if (context.trace)
    context.trace->end();
  bool hasEnded = !context.device || settle(context);
  runner.leave();
  if (!hasEnded)
    error = std::move(runner.error);
  return hasEnded;
}

bool run(FerryContext &context, void (*entry)(FerryContext *, void *), void *argument, ProgramError &error) {
  takeFaultSignals();
  FaultScope faults(context);
  context.operation = nullptr;
  context.inKernel = false;
  bool returned = enter(context, entry, argument, error);
  for (const void *host : std::exchange(context.arriving, {}))
    context.device->await(host); // a run that failed: its arrays go with the context
  if (context.sim)
    context.sim->openHost(); // to the caller, whose faults nobody repairs
  return returned;
}

Report report(const FerryContext &context) {
  Report report = context.counters;
  report.clock = context.clock;
  report.blocks = context.heap.liveBlocks() + context.deviceBlocks.size() + context.tableHostBlocks.size() +
                  context.scratchBlocks.size();
  report.hostTime = report.clock - report.deviceTime - report.busTime;
  for (Report::Event &event : report.events)
    if (event.to < 0)
      event.to = report.clock;
  return report;
}

std::string_view deviceName(const FerryContext &context) {
  return context.device ? context.device->name() : std::string_view();
}

std::vector<Measured> takeTrace(FerryContext &context) {
  return context.trace ? context.trace->take() : std::vector<Measured>();
}

std::string heldBlocks(const FerryContext &context) {
  std::string text;
  if (context.options.checkMemory == MemoryCheck::none)
    return text;
  auto add = [&](const char *side, const BlockList &blocks) {
    if (blocks.first())
      text += (text.empty() ? "memory that nobody gave back: " : "; ") + std::string(side) + " " + residents(blocks);
  };
  add("host", context.tableHostBlocks);
  add("device", context.deviceBlocks);
  add("scratch", context.scratchBlocks);
  return text;
}

bool hasHostArena(const FerryContext &context) { return context.hostArena != nullptr; }

bool addTime(FerryContext &context, int64_t picoseconds) {
  int64_t sum;
  if (__builtin_add_overflow(context.clock, picoseconds, &sum)) {
    recordClockOverflow(context);
    return false;
  }
  context.clock = sum;
  return true;
}

void recordClockOverflow(FerryContext &context) {
  recordFailure(context, "the virtual clock cannot count so many picoseconds");
}

static std::string placeOf(const FerryOperation &operation) {
  if (!operation.file || !*operation.file)
    return "";
  return std::string(operation.file) + ":" + std::to_string(operation.line) + ":" + std::to_string(operation.column);
}

void logEvent(FerryContext &context, Report::Event::Kind kind, const char *name, const FerryOperation *operation,
              int64_t bytes, int64_t from) {
  constexpr size_t longest = 1'000'000;
  if (!context.options.events)
    return;
  if (context.counters.events.size() >= longest) {
    ++context.counters.eventsLeftOut;
    return;
  }
  context.counters.events.push_back(
      {kind, 0, name ? name : "", operation ? placeOf(*operation) : "", bytes, from, context.clock});
}

std::string described(const FerryOperation &operation) {
  std::string place = placeOf(operation);
  return (operation.name ? operation.name : "operation") + (place.empty() ? place : " at " + place);
}

} // namespace ferry::runtime
