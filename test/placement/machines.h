// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/machine.h"

namespace ferry::placement::test {

/// Prices of a few units, so that every choice is close.
inline Machine tinyMachine() {
  Machine machine;
  machine.name = "tiny";
  machine.launch = 3;
  machine.exit = 2;
  machine.argument = 1;
  machine.h2d = {2, Rational(1)};
  machine.d2h = {1, Rational(2)};
  return machine;
}

/// How many random programs to try: fewer under sanitizers, which make each ten times as slow.
constexpr unsigned reduced(unsigned programs) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
  return programs / 20;
#endif
#endif
  return programs;
}

} // namespace ferry::placement::test
