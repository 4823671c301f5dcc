// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The prices of the virtual clock, in integer picoseconds, each rounded up once.

#ifndef FERRY_RUNTIME_PRICES_H
#define FERRY_RUNTIME_PRICES_H

#include <algorithm>
#include <cstdint>
#include <optional>

namespace ferry::runtime {

// Units a second. A rate of 0 is free of charge.
struct SideRates {
  int64_t bytes = 0;
  int64_t operations = 0; // of all threads together
  int64_t sequential = 0; // of one thread
};

struct BusRates {
  int64_t latency = 0; // picoseconds
  int64_t bytes = 0;   // a second
};

struct Prices {
  int64_t launch = 0; // picoseconds, as are the next two
  int64_t synchronize = 0;
  BusRates h2d, d2h;
  BusRates peek, poke;
  SideRates host, device;
};

} // namespace ferry::runtime

#endif
