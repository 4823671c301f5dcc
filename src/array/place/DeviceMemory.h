// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plan's arrays take of the device's memory when the program runs. The engine's residency counts every array for
// itself; here the memory of a view is that of the array it was made of, and the scalars of a kernel are in registers.

#pragma once

#include "array/place/SizeEvaluator.h"
#include "placement/solve.h"

#include <map>
#include <vector>

namespace ferry::array {

class Program;

/// What a plan has on the device at each point. The program and the solution, which must have its residency, have to
/// outlive it.
class DeviceMemory {
public:
  DeviceMemory(const Program &program, const placement::Solution &solution);

  /// Bytes on the device at a point. An array that a loop or a branch passes on is the one it was made from, in the
  /// first trip or if the arm that passes it on is taken, or else one of its own: so many bytes at least and at most.
  struct Range {
    int64_t least = 0, most = 0;
  };
  /// Before a statement, its copies made; nothing if the plan has not the statement.
  std::optional<Range> bytesBefore(placement::Tag statement) const;

  struct Peak {
    Range bytes;
    placement::PointId at = 0; ///< The first point at which `most` is reached.
  };
  /// The most bytes at once, where a run comes by at all. What an operation makes is there before what it uses goes;
  /// what a kernel was given in scalars stays until it has ended.
  Peak peak() const;

private:
  void findLargest();
  placement::RegionId kernelOf(placement::PointId point) const;
  template <typename IsThere> Range sum(IsThere isThere) const;
  Range atPoint(placement::PointId point) const;
  Range behindKernel(placement::RegionId kernel, placement::EdgeId edge) const;

  const placement::Solution &solution;
  const placement::Graph &graph;
  const placement::Residency &residency;
  /// By array: the one whose memory its device copy is in, itself or what it is a view of.
  std::vector<placement::ArrayId> blocks;
  /// By array: one of those that may be the same in memory.
  std::vector<placement::ArrayId> groups;
  std::vector<placement::ArrayId> largest;                ///< By array: the largest block that it may keep alive.
  std::vector<bool> isView;                               ///< By point: makes a view.
  std::vector<std::vector<placement::ArrayId>> unused;    ///< By point: made there, and used by nobody.
  std::map<placement::RegionId, std::vector<bool>> given; ///< By kernel, then array: on the device when it begins.
};

} // namespace ferry::array
