// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ferry::placement {

/// One dimension of a box: the elements `begin <= i < end`.
struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  friend bool operator==(const Range &, const Range &) = default;
};

/// A rectangular set of an array's elements, one range a dimension. A box with an empty range is empty. A box of no
/// dimension is a scalar's single element.
using Box = std::vector<Range>;

bool isEmpty(const Box &box);
bool contains(const Box &outer, const Box &inner);
/// The common elements; both boxes have the same number of dimensions.
Box intersection(const Box &a, const Box &b);
/// The smallest box around both.
Box hull(const Box &a, const Box &b);
/// Number of elements; throws Overflow if it leaves 64 bits.
std::int64_t elements(const Box &box);
/// "[0:4, 2:3]".
std::string toString(const Box &box);

/// A set of elements as disjoint boxes, for exact reasoning about parts of arrays.
class BoxSet {
public:
  BoxSet() = default;
  explicit BoxSet(const Box &box);

  void add(const Box &box);
  void add(const BoxSet &other);
  void remove(const Box &box);
  void remove(const BoxSet &other);
  void keep(const BoxSet &other);
  bool empty() const { return boxes.empty(); }
  bool covers(const Box &box) const;
  bool covers(const BoxSet &other) const;
  /// The smallest box around the set; the set must not be empty.
  Box hull() const;
  const std::vector<Box> &parts() const { return boxes; }
  /// Whether both sets hold the same elements, however they are cut up.
  friend bool sameElements(const BoxSet &a, const BoxSet &b);

private:
  std::vector<Box> boxes;
};

bool sameElements(const BoxSet &a, const BoxSet &b);

} // namespace ferry::placement
