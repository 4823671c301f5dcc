// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/access.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::placement {

/// One direction of the bus: a copy of n > 0 bytes takes latency + n * perByte, rounded up to a picosecond.
struct Link {
  Time latency = 0;
  Rational perByte = 0; ///< Picoseconds a byte.
};

/// A side as a roofline: parallel work takes the longer of its memory traffic and its arithmetic, sequential work is
/// added.
struct Roofline {
  Rational perByte = 0;           ///< Picoseconds a byte, all cores or multiprocessors.
  Rational perOperation = 0;      ///< Picoseconds an operation, all of them.
  Rational perSequentialOp = 0;   ///< Picoseconds an operation of one thread.
  Rational perSequentialByte = 0; ///< Picoseconds a byte of one thread.
};

/// What an operation does, for Machine::time.
struct Work {
  std::int64_t bytes = 0;           ///< Read and written in parallel.
  std::int64_t operations = 0;      ///< Done in parallel.
  std::int64_t sequentialOps = 0;   ///< Done by one thread.
  std::int64_t sequentialBytes = 0; ///< Moved by one thread.
};

/// A host and a device, as prices. All times in picoseconds.
struct Machine {
  std::string name;
  Link h2d, d2h;
  Time peek = 0;             ///< Latency of the host reading a slice of a device array, on top of d2h.perByte.
  Time poke = 0;             ///< Latency of the host writing a slice of a device array, on top of h2d.perByte.
  Time launch = 0;           ///< One kernel launch.
  Time exit = 0;             ///< Learning by which of several exits a kernel was left.
  Time synchronize = 0;      ///< Waiting for the device; part of d2h.latency and peek already.
  Time argument = 0;         ///< Putting a by-value scalar into device memory.
  Time gridBarrier = 0;      ///< All threads of one kernel waiting for each other, in the kernel.
  Time gridBarrierSetup = 0; ///< Making that barrier ready, once a launch and on top of it.
  Roofline host, device;
  std::int64_t deviceMemory = 0; ///< Bytes; 0: not limited.
  bool sharedMemory = false;     ///< Host and device have one memory: a copy stays in it, at the links' prices.

  /// Price of one copy. Zero bytes are not copied and cost nothing.
  Time copy(Direction direction, std::int64_t bytes) const;
  Time peekPrice(std::int64_t bytes) const;
  Time pokePrice(std::int64_t bytes) const; ///< The host updating the device copy.
  /// Price of an array's copy: what the array says, else `argument` or the bus.
  Time copy(Direction direction, const Array &array) const;
  /// Of a part of it: a price that the array states is shared out by elements, rounded up.
  Time copy(Direction direction, const Array &array, const std::optional<Box> &box) const;
  /// Roofline time of some work on a side, without the launch. Throws Overflow.
  Time time(Side side, const Work &work) const;
};

/// A shipped profile: "pcie4" (a GPU on PCIe 4), "a100" and "mi210" (datacenter GPUs on PCIe 4 x16), "h200" (an H200 on
/// PCIe 5), "integrated" (a GPU in the host's memory), "cpu" (OpenCL on the host's own cores), "sim".
std::optional<Machine> machineByName(std::string_view name);
std::vector<std::string> machineNames();

} // namespace ferry::placement
