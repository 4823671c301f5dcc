// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `ferry calibrate` runs: programs of few operations each, of the kinds that array programs are made of.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ferry {

struct CalibrationProgram {
  const char *entry;
  std::vector<int64_t> sizes; ///< Elements of its arrays, or trips of its loop; ascending.
  bool isSequential = false;  ///< One thread does it all.
  int64_t bytesEach = 0;      ///< That a trip of a sequential one moves.
};

extern const char *const calibrationText; ///< Futhark.
std::span<const CalibrationProgram> calibrationPrograms();

} // namespace ferry
