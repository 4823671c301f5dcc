// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/model.h"
#include "sdfg/place/sizes.h"

#include "placement/machine.h"

#include <string>
#include <vector>

namespace ferry::sdfg {

/// What all of one name in a graph costs together.
struct PriceItem {
  enum class Kind : std::uint8_t { Host, Kernel, ToDevice, ToHost };
  Kind kind = Kind::Host;
  /// Of an operation its label without range, of a tasklet that a map was made for its own; "A -> B" of a copy on one
  /// side; of a copy between the sides the host's container.
  std::string name;
  double runs = 0;  ///< Launches, of a kernel.
  double time = 0;  ///< Launches included.
  double bytes = 0; ///< Of copies between the sides.
};

/// What a graph costs as it is written, whoever placed it: by its schedules and storage, not by a plan. Times in
/// picoseconds, counts of all runs.
struct GraphPrice {
  double host = 0, kernels = 0, launches = 0, toDevice = 0, toHost = 0; ///< Times.
  double launchCount = 0, singleThreaded = 0;                           ///< Kernels; of those, with one thread.
  double toDeviceCount = 0, toHostCount = 0, toDeviceBytes = 0, toHostBytes = 0;
  std::vector<PriceItem> items; ///< In the order in which the graph has them first; what costs nothing is left out.
  double total() const { return host + kernels + launches + toDevice + toHost; }
};

/// Errors: control flow that cannot be understood, by name of the block; prices out of range, by name of what has it.
/// The sizes as for a plan (ExtractOptions).
placement::Result<GraphPrice> priceOf(const Program &program, const placement::Machine &machine,
                                      const std::map<std::string, std::int64_t, std::less<>> &assume);

} // namespace ferry::sdfg
