// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/files.h"
#include "ferry/options.h"

#include "placement/machine.h"

#include <cstdio>

namespace {

double microseconds(ferry::placement::Time picoseconds) { return static_cast<double>(picoseconds) / 1e6; }

/// Gigabytes (or billions of operations) a second, of a price in picoseconds each; 0 for what is free.
double giga(const ferry::placement::Rational &price) { return price.toDouble() == 0 ? 0 : 1e3 / price.toDouble(); }

std::string rounded(double number, const char *unit) {
  char text[64];
  std::snprintf(text, sizeof text, "%.0f%s", number, unit);
  return text;
}

} // namespace

int ferry::devices() {
  std::printf("devices\n"
              "  host   this machine's processors; no placement\n"
              "  sim    a simulated device: memory of its own, a virtual clock, counters of all traffic\n"
              "machine profiles (--machine)\n"
              "  %-11s %9s %9s %9s %9s %12s %12s %10s\n",
              "", "launch", "copy", "bus", "peek", "device", "host", "memory");
  for (const std::string &name : placement::machineNames()) {
    auto machine = placement::machineByName(name);
    std::string bus = machine->sharedMemory ? "shared" : rounded(giga(machine->h2d.perByte), " GB/s");
    double gibibytes = static_cast<double>(machine->deviceMemory) / (1 << 30);
    std::string memory = machine->deviceMemory ? rounded(gibibytes, " GiB") : "the host's";
    std::printf("  %-11s %6.1f us %6.1f us %9s %6.1f us %7.0f GB/s %7.0f GB/s %10s\n", name.c_str(),
                microseconds(machine->launch), microseconds(machine->h2d.latency), bus.c_str(),
                microseconds(machine->peek), giga(machine->device.perByte), giga(machine->host.perByte),
                memory.c_str());
  }
  return writeOutput("");
}
