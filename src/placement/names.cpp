// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "placement/plan.h"

namespace ferry::placement {

const char *toString(Side side) { return side == Side::Host ? "host" : "device"; }

const char *toString(Sides sides) {
  switch (sides) {
  case Sides::Host:
    return "host";
  case Sides::Device:
    return "device";
  case Sides::Both:
    break;
  }
  return "both";
}

const char *toString(Direction direction) { return direction == Direction::HostToDevice ? "h2d" : "d2h"; }

const char *toString(Traffic traffic) {
  switch (traffic) {
  case Traffic::Peek:
    return "peek";
  case Traffic::Poke:
    return "poke";
  case Traffic::Push:
    return "push";
  case Traffic::Fetch:
    break;
  }
  return "fetch";
}

const char *toString(Place place) {
  static constexpr const char *kNames[] = {"edge",       "before",    "end",       "before-control", "loop-entry",
                                           "on-entry",   "back-edge", "on-back",   "loop-exit",      "on-exit",
                                           "guard-skip", "on-skip",   "arm-start", "on-arm-end",     "leave",
                                           "call-entry", "call-exit"};
  return kNames[static_cast<std::size_t>(place)];
}

} // namespace ferry::placement
