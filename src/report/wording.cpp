// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/wording.h"

#include "report/plan_report.h"

namespace ferry::report::wording {

using namespace placement;

namespace {

constexpr std::size_t kMostNamed = 3;

std::string listed(const Graph &graph, const std::vector<PointId> &points) {
  std::string out;
  for (std::size_t i = 0; i < points.size() && i < kMostNamed; ++i)
    out += (i ? ", " : "") + point(graph, points[i]);
  if (points.size() > kMostNamed)
    out += " and " + std::to_string(points.size() - kMostNamed) + " more";
  return out;
}

} // namespace

std::string point(const Graph &graph, PointId id) {
  const Point &point = graph.points[id];
  static constexpr const char *kKinds[] = {"the start", "the end", "point", "operation", "the control of"};
  std::string kind = kKinds[static_cast<std::size_t>(point.kind)];
  if (point.kind == PointKind::Entry || point.kind == PointKind::Exit)
    return kind;
  return kind + " " + (point.name.empty() ? std::to_string(id) : "'" + point.name + "'");
}

std::string statementName(const Graph &graph, const Position &position) {
  if (position.tag == 0)
    return "";
  for (const Point &point : graph.points)
    if (point.tag == position.tag && point.call == position.call)
      return point.name;
  for (const Region &region : graph.regions)
    if (region.tag == position.tag && region.call == position.call)
      return region.name;
  return "";
}

std::string place(const Graph &graph, const Copy &copy) {
  const std::string &name = graph.edges[copy.edge].name;
  return name.empty() ? describePosition(graph, copy.position) : name;
}

std::string reason(const Graph &graph, const Copy &copy, const CopyReason &reason) {
  std::string text = reason.definitions.empty() ? "undefined before" : "from " + listed(graph, reason.definitions);
  if (!reason.uses.empty())
    text += std::string(", wanted on the ") + (copy.direction == Direction::HostToDevice ? "device" : "host") + " by " +
            listed(graph, reason.uses);
  return text;
}

} // namespace ferry::report::wording
