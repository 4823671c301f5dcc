// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "placement/solve.h"

#include <algorithm>

namespace ferry::placement {

namespace {

/// The landmarks of a statement, or a set of kNone for one that the plan has not.
Landmarks find(const Lowered &lowered, Tag tag, std::uint32_t call) {
  auto at = lowered.statements.find({tag, call});
  return at == lowered.statements.end() ? Landmarks{} : at->second;
}

} // namespace

Sides Solution::side(Tag operation, std::uint32_t call) const {
  PointId point = find(lowered, operation, call).first;
  if (point == kNone)
    return Sides::Host;
  if (graph().points[point].kind == PointKind::Operation)
    return plan.sides[point];
  return plan.inKernel(graph().points[point].region) ? Sides::Device : Sides::Host;
}

bool Solution::inKernel(Tag region, std::uint32_t call) const {
  return plan.inKernel(find(lowered, region, call).region);
}

bool Solution::isKernel(Tag region, std::uint32_t call) const {
  RegionId id = find(lowered, region, call).region;
  return plan.inKernel(id) && !plan.inKernel(graph().regions[id].parent);
}

bool Solution::sharesLaunch(Tag operation, std::uint32_t call) const {
  PointId point = find(lowered, operation, call).first;
  return point != kNone && plan.shares[point];
}

bool Solution::uses(Tag statement, ArrayId array, Traffic traffic, std::uint32_t call) const {
  Landmarks marks = find(lowered, statement, call);
  return std::any_of(plan.accesses.begin(), plan.accesses.end(), [&](const Access &access) {
    return access.array == array && access.traffic == traffic &&
           (access.point == marks.first || access.point == marks.latch);
  });
}

Validity Solution::validBefore(Tag statement, ArrayId array, std::uint32_t call) const {
  PointId point = find(lowered, statement, call).first;
  return point == kNone ? Validity{} : residency->before(point, array);
}

Validity Solution::validAfter(Tag statement, ArrayId array, std::uint32_t call) const {
  PointId point = find(lowered, statement, call).last;
  return point == kNone ? Validity{} : residency->after(point, array);
}

Validity Solution::validAtHead(Tag loop, ArrayId array, std::uint32_t call) const {
  PointId point = find(lowered, loop, call).head;
  return point == kNone ? Validity{} : residency->before(point, array);
}

} // namespace ferry::placement
