// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plan's arrays take of the device's memory when the program runs. The engine's residency counts every array for
// itself; here the memory of a view is that of the array it was made of, and the scalars of a kernel are in registers.

#ifndef FERRY_ARRAY_PLACE_DEVICEMEMORY_H
#define FERRY_ARRAY_PLACE_DEVICEMEMORY_H

#include "array/place/SizeEvaluator.h"
#include "placement/solve.h"

#include <map>
#include <vector>

namespace ferry::array {

class Program;

class DeviceMemory {
public:
  DeviceMemory(const Program &program, SizeEvaluator &sizes, const placement::Solution &solution);

  /// Bytes on the device before a statement, its copies made; nothing if the plan has not the statement.
  std::optional<int64_t> bytesBefore(placement::Tag statement) const;

  struct Peak {
    int64_t bytes = 0;
    placement::PointId at = 0; ///< The first point at which it is reached.
  };
  /// The most bytes at once. What an operation makes is there before what it uses goes; what a kernel was given in
  /// scalars stays until it has ended.
  Peak peak() const;

private:
  placement::RegionId kernelOf(placement::PointId point) const;
  template <typename IsThere> int64_t sum(IsThere isThere) const;
  bool isGiven(placement::RegionId kernel, placement::ArrayId array) const;
  int64_t atPoint(placement::PointId point) const;
  int64_t behindKernel(placement::RegionId kernel, placement::PointId to) const;

  const placement::Solution &solution;
  const placement::Graph &graph;
  const placement::Residency &residency;
  /// By array: the one whose memory its device copy is in, itself or what it is a view of.
  std::vector<placement::ArrayId> blocks;
  std::vector<bool> isView;                                 ///< By point: makes a view.
  std::map<placement::RegionId, placement::EdgeId> entries; ///< By kernel.
};

} // namespace ferry::array

#endif
