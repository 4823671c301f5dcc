// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parallel loops over all cores. Chunks are handed out in ascending order to whichever thread is free; a
// failure cancels only chunks after its own, so the failure that is raised is the one that running in order would meet
// first.

#include "runtime/context_impl.h"

#include <algorithm>

namespace ferry::runtime {

namespace {
struct Loop {
  void (*body)(void *env, int64_t chunk, int64_t lo, int64_t hi);
  void *env;
  int64_t n;
  int64_t chunks;

  FERRY_CALLS_COMPILED_CODE void run(int64_t chunk) const {
    int64_t each = n / chunks, longer = n % chunks;
    int64_t lo = chunk * each + std::min(chunk, longer);
    body(env, chunk, lo, lo + each + (chunk < longer ? 1 : 0));
  }
};
} // namespace

// True if it returned.
static bool runChunk(const Loop &loop, int64_t chunk, ProgramError &error) {
  Runner runner;
  if (setjmp(runner.target) != 0) {
    error = std::move(runner.error);
    return false;
  }
  ++chunkDepth();
  loop.run(chunk);
  --chunkDepth();
  runner.leave();
  return true;
}

// True if all chunks returned; else the failure of the lowest that did not is recorded.
static bool runChunks(FerryContext &context, const Loop &loop) {
  std::atomic<int64_t> lowestFailed = loop.chunks;
  ProgramError error;
  std::mutex errorMutex;
  std::atomic<int64_t> next = 0;
  context.threads.onEach([&] {
    FaultScope faults(context);
    for (int64_t chunk; (chunk = next.fetch_add(1, std::memory_order_relaxed)) < loop.chunks;) {
      if (chunk > lowestFailed.load(std::memory_order_relaxed))
        continue;
      ProgramError mine;
      if (runChunk(loop, chunk, mine))
        continue;
      std::lock_guard lock(errorMutex);
      if (chunk < lowestFailed) {
        lowestFailed = chunk;
        error = std::move(mine);
      }
    }
  });
  if (lowestFailed == loop.chunks)
    return true;
  recordFailure(std::move(error));
  return false;
}

} // namespace ferry::runtime

using namespace ferry::runtime;

int64_t ferry_rt_chunks(FerryContext *ctx, int64_t n, int64_t grain) {
  if (n <= 0)
    return 0;
  if (ctx->inKernel && !ctx->sim) // as many as the device runs at the same time
    return std::clamp<int64_t>(n / std::max<int64_t>(1, grain), 1, std::max<int64_t>(1, ctx->device->limits().threads));
  if (chunkDepth() > 0)
    return 1;
  int64_t threads = ctx->threads.size();
  int64_t most = std::max<int64_t>(1, n / std::max<int64_t>(1, grain));
  // Several chunks a thread even out bodies of unequal length; a multiple of the threads, bodies of equal length.
  int64_t chunks = std::min(most, 4 * threads);
  return chunks > threads ? chunks / threads * threads : chunks;
}

void ferry_rt_parallel_for(FerryContext *ctx, void (*body)(void *env, int64_t chunk, int64_t lo, int64_t hi), void *env,
                           int64_t n, int64_t chunks) {
  if (n <= 0 || chunks <= 0)
    return;
  Loop loop{body, env, n, std::min(n, chunks)};
  if (loop.chunks == 1 || chunkDepth() > 0) {
    ++chunkDepth(); // a failure puts it back
    for (int64_t chunk = 0; chunk < loop.chunks; ++chunk)
      loop.run(chunk);
    --chunkDepth();
    return;
  }
  if (!runChunks(*ctx, loop))
    unwind();
}
