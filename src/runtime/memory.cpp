// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks: allocation on each side, reference counts, what is resident.

#include "runtime/context_impl.h"

#include <algorithm>
#include <vector>

namespace ferry::runtime {

static Block *blockOf(FerryContext &context, void *data) {
  for (const auto *table : {&context.deviceTable, &context.hostTable, &context.scratchTable}) {
    if (!*table || !(*table)->contains(data))
      continue;
    Block *block = (*table)->at(data);
    if (!block)
      reportDropped(context);
    return block;
  }
  return HostHeap::blockOf(data);
}

// No address has more bits; generated code asks for this where a product of extents is larger still.
static constexpr int64_t mostBytes = int64_t(1) << 62;

static std::string arrayName(const char *name) { return name ? "'" + std::string(name) + "'" : "an unnamed array"; }

std::string residents(const BlockList &blocks) {
  constexpr size_t most = 8;
  std::vector<const Block *> all;
  for (const Block *block = blocks.first(); block; block = block->next)
    all.push_back(block);
  std::sort(all.begin(), all.end(), [](const Block *a, const Block *b) { return a->bytes > b->bytes; });
  std::string text;
  for (size_t i = 0; i < std::min(all.size(), most); ++i)
    text += (i ? ", " : "") + arrayName(all[i]->name) + " (" + std::to_string(all[i]->bytes) + " bytes)";
  if (all.size() > most)
    text += " and " + std::to_string(all.size() - most) + " more";
  return text;
}

// Records why an array cannot be made: at its place if that is known, else at the current operation's.
static void recordNoArray(FerryContext &context, const FerryOperation &array, const std::string &message) {
  if (!array.file || !*array.file)
    recordFailure(context, message);
  else
    recordFailure(ProgramError{message, array.file, array.line, array.column});
}

static void noDeviceMemory(FerryContext &context, int64_t bytes, const FerryOperation &array, int64_t limit) {
  std::string text = "not enough device memory for " + arrayName(array.name) + ": " + std::to_string(bytes) +
                     " bytes are asked for, " + std::to_string(limit - context.counters.deviceBytes) + " of " +
                     std::to_string(limit) + " are free";
  if (context.deviceBlocks.first())
    text += "; resident: " + residents(context.deviceBlocks);
  recordNoArray(context, array, text);
}

static void noHostMemory(FerryContext &context, int64_t bytes, const FerryOperation &array) {
  std::string count = bytes >= mostBytes ? "more bytes than can be addressed" : std::to_string(bytes) + " bytes";
  recordNoArray(context, array,
                "not enough host memory for " + arrayName(array.name) + ": " + count + " are asked for");
}

// Enters a block with a side into the counters and the log.
static void account(FerryContext &context, Block &block) {
  if (block.side == FERRY_WORKSPACE)
    return;
  Report &counters = context.counters;
  bool onDevice = block.side == FERRY_DEVICE;
  int64_t &now = onDevice ? counters.deviceBytes : counters.hostBytes;
  int64_t &peak = onDevice ? counters.devicePeak : counters.hostPeak;
  now += block.bytes;
  peak = std::max(peak, now);
  if (!context.options.events)
    return;
  block.event = static_cast<int64_t>(counters.events.size());
  counters.events.push_back(
      {Report::Event::residency, block.side, block.name ? block.name : "", "", block.bytes, context.clock, -1});
}

static Block *allocateOnDevice(FerryContext &context, int64_t bytes, const FerryOperation &array) {
  if (!context.device) {
    recordNoArray(context, array, "there is no device to hold " + arrayName(array.name));
    return nullptr;
  }
  int64_t limit = context.device->limits().memoryBytes;
  if (limit > 0 && bytes > limit - context.counters.deviceBytes) {
    noDeviceMemory(context, bytes, array, limit);
    return nullptr;
  }
  void *data = nullptr;
  if (DeviceResult error = context.device->allocate(bytes, array.name, data)) {
    recordNoArray(context, array, "not enough device memory for " + arrayName(array.name) + ": " + error->message);
    return nullptr;
  }
  auto *block = new Block;
  block->data = data;
  block->bytes = bytes;
  context.deviceTable->set(data, block);
  context.deviceBlocks.add(block);
  return block;
}

static Block *allocateInArena(Arena &arena, BlockTable &table, BlockList &list, int64_t bytes) {
  void *data = arena.allocate(bytes);
  if (!data)
    return nullptr;
  auto *block = new Block;
  block->data = data;
  block->bytes = bytes;
  table.set(data, block);
  list.add(block);
  return block;
}

static Block *allocateScratch(FerryContext &context, int64_t bytes) {
  if (!context.scratchArena)
    return context.heap.allocate(bytes);
  std::lock_guard lock(context.mutex);
  return allocateInArena(*context.scratchArena, *context.scratchTable, context.scratchBlocks, bytes);
}

// Null, with a recorded failure, if it cannot be had.
static void *allocate(FerryContext &context, int32_t side, int64_t bytes, const FerryOperation &array) {
  if (bytes < 0) {
    recordNoArray(context, array, arrayName(array.name) + " would have a negative length");
    return nullptr;
  }
  Block *block;
  if (side == FERRY_SCRATCH) {
    block = allocateScratch(context, bytes);
    if (!block) {
      noHostMemory(context, bytes, array);
      return nullptr;
    }
    block->side = FERRY_SCRATCH;
    block->name = array.name;
    return block->data;
  }
  std::lock_guard lock(context.mutex);
  if (side == FERRY_DEVICE || side == FERRY_WORKSPACE) {
    block = allocateOnDevice(context, bytes, array);
    if (!block)
      return nullptr;
  } else {
    block = context.hostArena ? allocateInArena(*context.hostArena, *context.hostTable, context.tableHostBlocks, bytes)
                              : context.heap.allocate(bytes);
    if (!block) {
      noHostMemory(context, bytes, array);
      return nullptr;
    }
  }
  block->bytes = bytes;
  block->side = side;
  block->name = array.name;
  account(context, *block);
  return block->data;
}

static void freeInArena(FerryContext &context, Arena &arena, BlockTable &table, BlockList &list, Block *block) {
  if (!arena.isIntact(block->data))
    reportOverrun(context, *block);
  table.set(block->data, nullptr);
  list.remove(block);
  arena.free(block->data);
  delete block;
}

static void giveBack(FerryContext &context, Block *block) {
  if (block->side == FERRY_SCRATCH && !context.scratchArena)
    return context.heap.free(block);
  std::lock_guard lock(context.mutex);
  if (block->side == FERRY_SCRATCH)
    return freeInArena(context, *context.scratchArena, *context.scratchTable, context.scratchBlocks, block);
  bool onDevice = block->side == FERRY_DEVICE || block->side == FERRY_WORKSPACE;
  if (block->side != FERRY_WORKSPACE)
    (onDevice ? context.counters.deviceBytes : context.counters.hostBytes) -= block->bytes;
  if (block->event >= 0)
    context.counters.events[static_cast<size_t>(block->event)].to = context.clock;
  if (onDevice) {
    if (context.sim && !context.sim->isIntact(block->data))
      reportOverrun(context, *block);
    context.deviceTable->set(block->data, nullptr);
    context.deviceBlocks.remove(block);
    context.device->free(block->data);
    delete block;
  } else if (context.hostArena) {
    freeInArena(context, *context.hostArena, *context.hostTable, context.tableHostBlocks, block);
  } else {
    context.heap.free(block);
  }
}

void *hostBlock(FerryContext &context, int64_t bytes, const char *name) {
  Runner runner; // so that the failure that a null result stands for goes nowhere
  void *data = allocate(context, FERRY_HOST, bytes, {name, nullptr, 0, 0});
  runner.leave();
  return data;
}

void releaseBlock(FerryContext &context, void *block) { ferry_rt_release(&context, block); }

} // namespace ferry::runtime

using namespace ferry::runtime;

void *ferry_rt_alloc(FerryContext *ctx, int32_t side, int64_t bytes, const char *name) {
  const FerryOperation array{name, nullptr, 0, 0};
  return ferry_rt_alloc_array(ctx, side, bytes, &array);
}

void *ferry_rt_alloc_array(FerryContext *ctx, int32_t side, int64_t bytes, const FerryOperation *array) {
  void *data = allocate(*ctx, side, bytes, *array);
  if (!data)
    unwind();
  return data;
}

void ferry_rt_retain(FerryContext *ctx, void *data) {
  if (data)
    blockOf(*ctx, data)->references.fetch_add(1, std::memory_order_relaxed);
}

void ferry_rt_release(FerryContext *ctx, void *data) {
  if (!data)
    return;
  Block *block = blockOf(*ctx, data);
  // The only holder needs no locked instruction: nobody else can change a count of one.
  if (block->references.load(std::memory_order_acquire) != 1 &&
      block->references.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  giveBack(*ctx, block);
}
