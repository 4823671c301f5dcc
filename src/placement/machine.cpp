// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shipped profiles are round figures from data sheets and common measurements, to be replaced by measured ones.
// `gridBarrier` is what Zhang, Wahib, Zhang and Matsuoka measured, "A Study of Single and Multi-device Synchronization
// Methods in Nvidia GPUs" (IPDPS 2020): 1.5 to 2 us with few blocks a multiprocessor. `gridBarrierSetup` is the
// barrier's memory, allocated, cleared and freed at each launch: three calls of the driver's, the last of which waits.
// Rates of "a100" are of the NVIDIA A100 80GB PCIe's data sheet (1,935 GB/s, 19.5 TFLOPS of 32-bit floats), those of
// "mi210" of the AMD Instinct MI210's (1.6 TB/s, 22.6 TFLOPS), memory at the nine tenths of it that copies reach; both
// are on PCIe 4.0 x16, 31.5 GB/s by its specification, of which about 25 are left for what is copied.
// "cpu" is what `ferry calibrate` measured of PoCL 3.1 on two cores, rounded.
// Rates are written as bytes and operations a second: a picosecond price a byte is 10^12 over that.
#include "placement/machine.h"

#include <algorithm>
#include <limits>

namespace ferry::placement {

namespace {

constexpr Time kMicrosecond = 1000000;
constexpr Wide kPicosecondsASecond = 1000000000000;

Rational rate(Wide aSecond) { return Rational(kPicosecondsASecond, aSecond); }

Time toTime(Wide value) {
  if (value > std::numeric_limits<Time>::max() || value < 0)
    throw Overflow();
  return static_cast<Time>(value);
}

Time linkTime(Time latency, const Rational &perByte, std::int64_t bytes) {
  if (bytes == 0)
    return 0;
  return toTime(addChecked(latency, (perByte * Rational(bytes)).ceiling()));
}

Roofline roofline(Wide bytes, Wide operations, Wide sequentialOps, Wide sequentialBytes) {
  return {rate(bytes), rate(operations), rate(sequentialOps), rate(sequentialBytes)};
}

/// A current desktop or server processor of 16 cores or so.
Roofline ordinaryHost() { return roofline(60'000'000'000, 500'000'000'000, 2'000'000'000, 10'000'000'000); }

Machine discrete(std::string name, Wide busBytes, const Roofline &device, std::int64_t memory) {
  Machine machine;
  machine.name = std::move(name);
  machine.h2d = machine.d2h = {8 * kMicrosecond, rate(busBytes)};
  machine.synchronize = 4 * kMicrosecond;
  machine.peek = 10 * kMicrosecond;
  machine.poke = 6 * kMicrosecond;
  machine.launch = 4 * kMicrosecond;
  machine.exit = 10 * kMicrosecond;
  machine.argument = kMicrosecond / 10;
  machine.gridBarrier = 2 * kMicrosecond;
  machine.gridBarrierSetup = 20 * kMicrosecond;
  machine.host = ordinaryHost();
  machine.device = device;
  machine.deviceMemory = memory;
  return machine;
}

/// Every figure is whole, so that times can be worked out by hand: 100 ps a byte of the bus, 1 ps a byte on the device,
/// a lone device thread 50 times slower than the host.
Machine simulated() {
  Machine machine;
  machine.name = "sim";
  machine.h2d = machine.d2h = {10 * kMicrosecond, Rational(100)};
  machine.synchronize = 5 * kMicrosecond;
  machine.peek = 10 * kMicrosecond;
  machine.poke = 10 * kMicrosecond;
  machine.launch = 5 * kMicrosecond;
  machine.exit = 10 * kMicrosecond;
  machine.argument = 100000;
  machine.gridBarrier = 2 * kMicrosecond;
  machine.gridBarrierSetup = 20 * kMicrosecond;
  machine.host = {Rational(20), Rational(10), Rational(500), Rational(100)};
  machine.device = {Rational(1), Rational(1, 10), Rational(25000), Rational(5000)};
  machine.deviceMemory = std::int64_t{16} << 30;
  return machine;
}

Machine integrated() {
  Machine machine;
  machine.name = "integrated";
  machine.h2d = machine.d2h = {2 * kMicrosecond, Rational(0)};
  machine.synchronize = 2 * kMicrosecond;
  machine.peek = 2 * kMicrosecond;
  machine.poke = 2 * kMicrosecond;
  machine.launch = 3 * kMicrosecond;
  machine.exit = 3 * kMicrosecond;
  machine.argument = kMicrosecond / 10;
  machine.gridBarrier = 3 * kMicrosecond / 2;
  machine.gridBarrierSetup = 15 * kMicrosecond;
  machine.host = ordinaryHost();
  machine.device = roofline(60'000'000'000, 2'000'000'000'000, 40'000'000, 200'000'000);
  machine.sharedMemory = true;
  return machine;
}

/// The device's kernels run on the host's cores, through a driver with threads of its own. Its buffers are the
/// driver's, so that a copy takes what it takes to copy memory. They are less good at vectors than Ferry's code for the
/// host.
Machine processors() {
  Machine machine;
  machine.name = "cpu";
  machine.h2d = machine.d2h = {20 * kMicrosecond, rate(16'000'000'000)};
  machine.synchronize = 8 * kMicrosecond;
  machine.peek = 25 * kMicrosecond;
  machine.poke = 20 * kMicrosecond;
  machine.launch = 8 * kMicrosecond;
  machine.exit = 25 * kMicrosecond;
  machine.argument = 20 * kMicrosecond;
  machine.gridBarrier = 20 * kMicrosecond;
  machine.gridBarrierSetup = 40 * kMicrosecond;
  machine.host = ordinaryHost();
  machine.device = machine.host;
  machine.device.perByte *= Rational(2);
  machine.device.perOperation *= Rational(3);
  machine.sharedMemory = true;
  return machine;
}

} // namespace

Time Machine::copy(Direction direction, std::int64_t bytes) const {
  const Link &link = direction == Direction::HostToDevice ? h2d : d2h;
  return linkTime(link.latency, link.perByte, bytes);
}

Time Machine::peekPrice(std::int64_t bytes) const { return linkTime(peek, d2h.perByte, bytes); }
Time Machine::pokePrice(std::int64_t bytes) const { return linkTime(poke, h2d.perByte, bytes); }

Time Machine::copy(Direction direction, const Array &array) const {
  const std::optional<Time> &given = direction == Direction::HostToDevice ? array.h2d : array.d2h;
  if (given)
    return *given;
  if (array.byValue && direction == Direction::HostToDevice)
    return argument;
  return copy(direction, array.bytes);
}

Time Machine::copy(Direction direction, const Array &array, const std::optional<Box> &box) const {
  if (!box)
    return copy(direction, array);
  Wide part = elements(*box), all = elements(*array.extent);
  if (array.byValue || (direction == Direction::HostToDevice ? array.h2d : array.d2h))
    return all == 0 ? 0 : toTime(Rational(multiplyChecked(copy(direction, array), part), all).ceiling());
  return all == 0 ? 0 : copy(direction, toTime(multiplyChecked(array.bytes, part) / all));
}

Time Machine::time(Side side, const Work &work) const {
  const Roofline &roof = side == Side::Host ? host : device;
  Rational memory = roof.perByte * Rational(work.bytes), arithmetic = roof.perOperation * Rational(work.operations);
  Rational alone =
      roof.perSequentialOp * Rational(work.sequentialOps) + roof.perSequentialByte * Rational(work.sequentialBytes);
  return toTime((std::max(memory, arithmetic) + alone).ceiling());
}

std::vector<std::string> machineNames() { return {"pcie4", "a100", "mi210", "h200", "integrated", "cpu", "sim"}; }

std::optional<Machine> machineByName(std::string_view name) {
  if (name == "pcie4")
    return discrete("pcie4", 25'000'000'000, roofline(700'000'000'000, 20'000'000'000'000, 40'000'000, 200'000'000),
                    std::int64_t{24} << 30);
  if (name == "a100")
    return discrete("a100", 25'000'000'000, roofline(1'740'000'000'000, 19'500'000'000'000, 40'000'000, 200'000'000),
                    std::int64_t{80} << 30);
  if (name == "mi210")
    return discrete("mi210", 25'000'000'000, roofline(1'440'000'000'000, 22'600'000'000'000, 40'000'000, 200'000'000),
                    std::int64_t{64} << 30);
  if (name == "h200")
    return discrete("h200", 55'000'000'000, roofline(4'000'000'000'000, 60'000'000'000'000, 40'000'000, 200'000'000),
                    std::int64_t{139} << 30);
  if (name == "integrated")
    return integrated();
  if (name == "cpu")
    return processors();
  if (name == "sim")
    return simulated();
  return std::nullopt;
}

} // namespace ferry::placement
