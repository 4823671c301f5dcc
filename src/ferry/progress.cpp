// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/progress.h"

#include <cstdio>
#include <unistd.h>

namespace ferry {

static constexpr std::chrono::seconds patience(2);

Progress::Progress() {
  stage("starting");
  if (isatty(STDERR_FILENO))
    shower = std::thread([this] { show(); });
}

Progress::~Progress() {
  if (!shower.joinable())
    return;
  {
    std::lock_guard lock(mutex);
    isOver = true;
  }
  changed.notify_one();
  shower.join();
}

void Progress::stage(const char *begins) {
  {
    std::lock_guard lock(mutex);
    name = begins;
    begin = std::chrono::steady_clock::now();
    next = patience;
  }
  changed.notify_one();
}

void Progress::show() {
  std::unique_lock lock(mutex);
  while (!isOver) {
    if (std::chrono::steady_clock::now() - begin < next) {
      changed.wait_until(lock, begin + next);
      continue;
    }
    std::fprintf(stderr, "ferry: %s, %lld s\n", name, static_cast<long long>(next.count()));
    next *= 2;
  }
}

} // namespace ferry
