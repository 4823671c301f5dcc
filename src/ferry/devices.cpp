// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/files.h"
#include "ferry/options.h"

#include "placement/machine.h"

#include <cstdio>

namespace {

using ferry::placement::Rational;
using ferry::placement::Time;

std::string rounded(double number, int decimals, const char *unit) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f%s", decimals, number, unit);
  return text;
}

std::string microseconds(Time picoseconds) { return rounded(static_cast<double>(picoseconds) / 1e6, 1, " us"); }

/// Of a price in picoseconds a byte; 0 for what is free.
std::string bandwidth(const Rational &price) {
  double each = price.toDouble();
  return rounded(each == 0 ? 0 : 1e3 / each, 0, " GB/s");
}

/// A line of the table of profiles.
std::string row(const std::string &name, const char *launch, const char *copy, const char *bus, const char *peek,
                const char *device, const char *host, const char *memory) {
  char line[160];
  std::snprintf(line, sizeof line, "  %-11s %9s %9s %9s %9s %12s %12s %10s\n", name.c_str(), launch, copy, bus, peek,
                device, host, memory);
  return line;
}

std::string row(const std::string &name, const ferry::placement::Machine &machine) {
  std::string bus = machine.sharedMemory && machine.h2d.perByte == 0 ? "shared" : bandwidth(machine.h2d.perByte);
  double gibibytes = static_cast<double>(machine.deviceMemory) / (1 << 30);
  std::string memory = machine.deviceMemory ? rounded(gibibytes, 0, " GiB") : "the host's";
  return row(name, microseconds(machine.launch).c_str(), microseconds(machine.h2d.latency).c_str(), bus.c_str(),
             microseconds(machine.peek).c_str(), bandwidth(machine.device.perByte).c_str(),
             bandwidth(machine.host.perByte).c_str(), memory.c_str());
}

} // namespace

int ferry::devices() {
  std::string text =
      std::string("devices\n"
                  "  host      this machine's processors; no placement\n"
                  "  sim       a simulated device: memory of its own, a virtual clock, counters of all traffic\n") +
      realDevices() + "machine profiles (--machine)\n";
  text += row("", "launch", "copy", "bus", "peek", "device", "host", "memory");
  for (const std::string &name : placement::machineNames())
    text += row(name, *placement::machineByName(name));
  return writeOutput(text);
}
