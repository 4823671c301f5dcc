// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/plan_view.h"

#include <cstdint>
#include <vector>

namespace ferry::placement {

/// Internal: a table of bits, a row for each point.
class BitTable {
public:
  BitTable() = default;
  BitTable(std::size_t rows, std::size_t columns, bool value)
      : words((columns + 63) / 64), bits(rows * words, value ? ~std::uint64_t{0} : 0) {}
  std::uint64_t *row(std::size_t index) { return bits.data() + index * words; }
  const std::uint64_t *row(std::size_t index) const { return bits.data() + index * words; }
  bool get(std::size_t index, std::size_t column) const { return getBit(row(index), column); }
  static bool getBit(const std::uint64_t *row, std::size_t column) { return (row[column / 64] >> (column % 64)) & 1; }
  static void setBit(std::uint64_t *row, std::size_t column, bool value) {
    std::uint64_t bit = std::uint64_t{1} << (column % 64);
    row[column / 64] = value ? row[column / 64] | bit : row[column / 64] & ~bit;
  }
  std::size_t words = 0;

private:
  std::vector<std::uint64_t> bits;
};

/// Internal: arrays that live from trip to trip of a parallel loop, of which a plan may change nothing inside it.
struct ParallelLoop {
  RegionId region = kNone;
  PointId head = kNone;
  std::vector<bool> shared;                 ///< By array.
  std::vector<bool> losesHost, losesDevice; ///< A write somewhere in the loop reaches only the other side.
};
std::vector<ParallelLoop> parallelLoops(const PlanView &view);
/// Whether the point is in a parallel loop that shares the array between its trips.
bool isShared(const PlanView &view, const std::vector<ParallelLoop> &parallel, PointId point, ArrayId array);

/// Internal: on which sides an array's copy is valid before each point, under a plan as written; arrays with an extent
/// are left out (parts.h). A forward analysis: valid where it is on every path.
class ForwardValidity {
public:
  ForwardValidity(const PlanView &view, const std::vector<ParallelLoop> &parallel);

  /// Valid before a point.
  bool hostBefore(PointId point, ArrayId array) const { return host.get(point, array); }
  bool deviceBefore(PointId point, ArrayId array) const { return device.get(point, array); }
  /// Rows behind a point; each has room for all arrays.
  void behind(PointId point, std::uint64_t *hostRow, std::uint64_t *deviceRow) const;

  BitTable host, device;

private:
  void arrive(EdgeId edge, std::uint64_t *hostRow, std::uint64_t *deviceRow) const;
  const PlanView &view;
  const std::vector<ParallelLoop> &parallel;
};

} // namespace ferry::placement
