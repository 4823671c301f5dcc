// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says on a terminal what takes long.

#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace ferry {

/// While it lives, a stage that has taken 2, 4, 8, ... seconds is named on standard error, a line each time. Nothing at
/// all where standard error is no terminal.
class Progress {
public:
  Progress();
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// What begins now; of static duration.
  void stage(const char *name);

private:
  void show();

  std::mutex mutex;
  std::condition_variable changed;
  const char *name = "";
  std::chrono::steady_clock::time_point begin;
  std::chrono::seconds next; ///< after so long the stage is named
  bool isOver = false;
  std::thread shower; ///< or none
};

} // namespace ferry
