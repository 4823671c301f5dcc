// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/threads.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <sched.h>

namespace ferry::runtime {

static int processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return std::max(1, CPU_COUNT(&set));
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

// The variable is a list, for loops in loops; it is the outermost that are parallel here.
static int usualThreads() {
  const char *variable = std::getenv("OMP_NUM_THREADS");
  long named = variable ? std::strtol(variable, nullptr, 10) : 0;
  constexpr long most = 4096;
  return named > 0 ? static_cast<int>(std::min(named, most)) : processors();
}

ThreadPool::ThreadPool(int threads) : threads(threads > 0 ? threads : usualThreads()) {}

ThreadPool::~ThreadPool() {
  job = nullptr;
  jobs.fetch_add(1);
  jobs.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

// Returns when the number is another one.
template <typename T> static void awaitOther(const std::atomic<T> &number, T old) {
  constexpr auto patience = std::chrono::milliseconds(1);
  constexpr int looksBetween = 64;
  auto end = std::chrono::steady_clock::now() + patience;
  do {
    for (int i = 0; i < looksBetween; ++i) {
      if (number.load(std::memory_order_acquire) != old)
        return;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    sched_yield();
  } while (std::chrono::steady_clock::now() < end);
  number.wait(old, std::memory_order_acquire);
}

void ThreadPool::serve() {
  for (uint32_t seen = 0;; ++seen) {
    awaitOther(jobs, seen);
    if (!job)
      return;
    (*job)();
    if (busy.fetch_sub(1, std::memory_order_acq_rel) == 1)
      busy.notify_one();
  }
}

void ThreadPool::onEach(const std::function<void()> &work) {
  while (workers.size() + 1 < static_cast<size_t>(threads))
    workers.emplace_back([this] { serve(); });
  job = &work;
  busy.store(threads - 1, std::memory_order_relaxed);
  jobs.fetch_add(1, std::memory_order_release);
  jobs.notify_all();
  work();
  while (int left = busy.load(std::memory_order_acquire))
    awaitOther(busy, left);
}

} // namespace ferry::runtime
