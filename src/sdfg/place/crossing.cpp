// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With x and z the sides of source and target (1: the device), a copy costs c(x, z): a copy by the host, one by the
// device with its launch, a transfer to the device, one to the host. A cut can express it if c(0, 0) + c(1, 1) is not
// above c(0, 1) + c(1, 0), as the price of each end on each side and two prices for ends on different sides. Of the
// many ways to share it out so that no price is negative, the source takes what it can.

#include "sdfg/place/crossing.h"

#include "sdfg/place/peeks.h"

#include <algorithm>

namespace ferry::sdfg {

using placement::Direction;
using placement::Time;
using placement::Wide;

static bool isPlain(const Sdfg &sdfg, const Use &use) {
  const Container *container = sdfg.find(use.unit);
  const std::optional<Subset> &part = use.reads ? use.readPart : use.writtenPart;
  return container && !container->isView() && !use.launch && use.reads != use.writes &&
         (!part || canCross(*part, *container));
}

std::optional<Crossing> crossingOf(const Sdfg &sdfg, const Operation &operation, const placement::Machine &machine) {
  if (!operation.edge || operation.pin || operation.transfer || operation.uses.size() != 2 ||
      !isPlain(sdfg, operation.uses[0]) || !isPlain(sdfg, operation.uses[1]) ||
      operation.uses[0].reads == operation.uses[1].reads)
    return std::nullopt;
  std::int64_t bytes = operation.work.bytes / 2; // each is read and written
  Time host = hostTime(operation.work, machine),
       device = asTime(Wide(machine.launch) + deviceTime(operation.work, machine));
  Time up = machine.copy(Direction::HostToDevice, bytes), down = machine.copy(Direction::DeviceToHost, bytes);
  Wide left = Wide(up) + down - host - device;
  if (left < 0)
    return std::nullopt;
  Crossing result;
  result.sourceHost = std::min(host, up);
  result.targetHost = host - result.sourceHost;
  Time rest = up - result.sourceHost;
  result.targetDevice = std::min(device, rest);
  result.toDevice = rest - result.targetDevice;
  result.sourceDevice = device - result.targetDevice;
  result.toHost = asTime(left - result.toDevice);
  return result;
}

} // namespace ferry::sdfg
