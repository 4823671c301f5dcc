// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/dataflow.h"
#include "sdfg/place/sizes.h"

#include "placement/machine.h"
#include "placement/number.h"
#include "placement/result.h"

namespace ferry::sdfg {

/// What running something once asks for.
struct NodeWork {
  std::int64_t operations = 0; ///< Arithmetic operations and calls of its tasklets, all iterations.
  std::int64_t bytes = 0;      ///< Of the elements that it reads and writes outside, each counted once.
  std::int64_t iterations = 1; ///< Of its outermost map: what can run at the same time.
  bool isParallel = false;     ///< A map, or a library node: else one thread does it all.
  bool isSingleThread() const { return !isParallel || iterations == 1; }
};

/// Of a top-level node (for a scope, of its entry, all in it included), or of an edge between two access nodes.
NodeWork workOf(const Sdfg &sdfg, const State &state, const Dataflow &dataflow, NodeId node, const Sizes &sizes);
NodeWork workOfCopy(const Sdfg &sdfg, const DataEdge &edge, const Sizes &sizes);
NodeWork operator+(const NodeWork &a, const NodeWork &b);

/// The time on the host, and on the device without the launch.
placement::Time hostTime(const NodeWork &work, const placement::Machine &machine);
placement::Time deviceTime(const NodeWork &work, const placement::Machine &machine);

/// A sum or a multiple of times as a time. Throws placement::Overflow.
placement::Time asTime(placement::Wide value);

/// What `compute` gives; prices in it that leave the range of numbers become an error that names `what`.
template <typename Compute> auto priced(const std::string &what, Compute compute) -> decltype(compute()) {
  try {
    return compute();
  } catch (const placement::Overflow &) {
    return placement::Error{placement::ErrorKind::Overflow,
                            "'" + what + "': its price is out of range; assume smaller sizes"};
  }
}

} // namespace ferry::sdfg
