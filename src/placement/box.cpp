// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "placement/box.h"

#include "placement/number.h"

#include <algorithm>

namespace ferry::placement {

bool isEmpty(const Box &box) {
  return std::any_of(box.begin(), box.end(), [](const Range &range) { return range.begin >= range.end; });
}

bool contains(const Box &outer, const Box &inner) {
  if (isEmpty(inner))
    return true;
  for (std::size_t i = 0; i < inner.size(); ++i)
    if (inner[i].begin < outer[i].begin || inner[i].end > outer[i].end)
      return false;
  return true;
}

Box intersection(const Box &a, const Box &b) {
  Box common(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    common[i] = {std::max(a[i].begin, b[i].begin), std::min(a[i].end, b[i].end)};
  return common;
}

Box hull(const Box &a, const Box &b) {
  if (isEmpty(a))
    return b;
  if (isEmpty(b))
    return a;
  Box around(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    around[i] = {std::min(a[i].begin, b[i].begin), std::max(a[i].end, b[i].end)};
  return around;
}

std::int64_t elements(const Box &box) {
  if (isEmpty(box))
    return 0;
  std::int64_t count = 1, length = 0;
  for (const Range &range : box)
    if (__builtin_sub_overflow(range.end, range.begin, &length) || __builtin_mul_overflow(count, length, &count))
      throw Overflow();
  return count;
}

std::string toString(const Box &box) {
  std::string text = "[";
  for (std::size_t i = 0; i < box.size(); ++i)
    text += (i ? ", " : "") + std::to_string(box[i].begin) + ":" + std::to_string(box[i].end);
  return text + "]";
}

BoxSet::BoxSet(const Box &box) { add(box); }

/// Cuts `box` off one slab at a time, dimension by dimension; what remains in the end is inside `box` and goes.
void BoxSet::remove(const Box &box) {
  if (isEmpty(box))
    return;
  std::vector<Box> rest;
  for (Box &part : boxes) {
    if (isEmpty(intersection(part, box))) {
      rest.push_back(std::move(part));
      continue;
    }
    for (std::size_t i = 0; i < part.size(); ++i) {
      Box below = part, above = part;
      below[i].end = std::min(part[i].end, box[i].begin);
      above[i].begin = std::max(part[i].begin, box[i].end);
      for (Box *slab : {&below, &above})
        if (!isEmpty(*slab))
          rest.push_back(*slab);
      part[i] = {std::max(part[i].begin, box[i].begin), std::min(part[i].end, box[i].end)};
    }
  }
  boxes = std::move(rest);
}

void BoxSet::remove(const BoxSet &other) {
  for (const Box &box : other.boxes)
    remove(box);
}

void BoxSet::add(const Box &box) {
  if (isEmpty(box) || covers(box))
    return;
  remove(box);
  boxes.push_back(box);
}

void BoxSet::add(const BoxSet &other) {
  for (const Box &box : other.boxes)
    add(box);
}

void BoxSet::keep(const BoxSet &other) {
  std::vector<Box> common;
  for (const Box &mine : boxes)
    for (const Box &theirs : other.boxes)
      if (Box both = intersection(mine, theirs); !isEmpty(both))
        common.push_back(std::move(both));
  boxes = std::move(common);
}

bool BoxSet::covers(const Box &box) const {
  if (isEmpty(box))
    return true;
  for (const Box &part : boxes)
    if (contains(part, box))
      return true;
  BoxSet rest;
  rest.boxes.push_back(box);
  for (const Box &part : boxes)
    rest.remove(part);
  return rest.empty();
}

bool BoxSet::covers(const BoxSet &other) const {
  return std::all_of(other.boxes.begin(), other.boxes.end(), [&](const Box &box) { return covers(box); });
}

Box BoxSet::hull() const {
  Box around = boxes.front();
  for (const Box &box : boxes)
    around = placement::hull(around, box);
  return around;
}

bool sameElements(const BoxSet &a, const BoxSet &b) { return a.covers(b) && b.covers(a); }

} // namespace ferry::placement
