// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the baselines take times: seconds of a clock that only goes forward, and the order for qsort to find the least.

#pragma once

#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}
