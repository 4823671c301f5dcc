// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads of parallel loops. They start with the first loop and end with the pool; between loops they look for the
// next one for a millisecond, which bridges the gaps between loops that follow one another, and sleep then.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace ferry::runtime {

class ThreadPool {
public:
  /// The caller's thread is one of them. 0: OMP_NUM_THREADS, else as many as there are processors for this process.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  int size() const { return threads; }

  /// Calls `work` once on each thread, and returns when all calls have. One call at a time, and none from `work`.
  void onEach(const std::function<void()> &work);

private:
  void serve();

  int threads;
  std::vector<std::thread> workers;
  const std::function<void()> *job = nullptr; ///< or null: end
  std::atomic<uint32_t> jobs = 0;             ///< how many there were
  std::atomic<int> busy = 0;                  ///< workers that have not finished the last one
};

} // namespace ferry::runtime
