// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/machine.h"

#include <optional>
#include <span>
#include <string>

/// \file
/// Prices of a machine from what was measured of it.
namespace ferry::placement {

/// One copy of so many bytes.
struct CopySample {
  std::int64_t bytes = 0;
  double picoseconds = 0;
};

/// The line through the samples with the least relative squares; neither part is below 0. The samples are of two sizes
/// or more, all times above 0.
Link fitLink(std::span<const CopySample> samples);

/// Some work without what it takes to launch it.
struct WorkSample {
  Work work;
  double picoseconds = 0;
};

/// The rates under which about half of the samples take longer than predicted, and half less: of those with parallel
/// work that memory decides, of those that arithmetic does, and of those of one thread. A rate that no sample decides
/// is that of `otherwise`. A byte of one thread costs what is left of samples that have such.
Roofline fitRoofline(std::span<const WorkSample> samples, const Roofline &otherwise);

/// A price as a fraction of four digits.
Rational rounded(double price);

/// "'h2d' per byte is 0" and the like: what no measured machine has. Nothing if every price can be.
std::optional<std::string> implausible(const Machine &machine);

} // namespace ferry::placement
