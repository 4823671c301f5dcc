// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Definitions and uses come from a search over (point, name) along the graph's edges and renames. What an alternative
// would cost is another solve, with the copy or the side ruled out.
#include "placement/explain.h"

#include "placement/failure.h"
#include "placement/plan_view.h"
#include "placement/residency.h"
#include "placement/solver.h"

#include <algorithm>
#include <set>

namespace ferry::placement {

namespace {

using Where = std::pair<PointId, ArrayId>;

Requirement otherSide(const Plan &plan, PointId operation) {
  Requirement other;
  other.point = operation;
  other.sides = plan.sides[operation] == Sides::Host ? Sides::Device : Sides::Host;
  return other;
}

class Explainer {
public:
  Explainer(const Graph &graph, const Machine &machine, const Plan &plan, const ExplainOptions &options)
      : graph(graph), machine(machine), plan(plan), shape(graph), view(graph, shape, plan), others(graph, machine),
        left(options.alternatives) {}

  Explanation run() {
    Explanation out;
    for (std::size_t i = 0; i < plan.copies.size(); ++i)
      out.copies.push_back(copy(i));
    for (PointId id = 0; id < graph.points.size(); ++id)
      if (graph.points[id].kind == PointKind::Operation)
        out.operations.push_back(operation(id));
    stays(out);
    return out;
  }

private:
  CopyReason copy(std::size_t index) {
    const Copy &copy = plan.copies[index];
    CopyReason reason;
    reason.copy = index;
    reason.definitions = definitions(graph.edges[copy.edge].from, copy.source);
    reason.uses = uses(graph.edges[copy.edge].to, copy.array, copy.direction == Direction::HostToDevice);
    if (left != 0) {
      --left;
      Requirement without;
      without.edge = copy.edge;
      without.array = copy.array;
      without.direction = copy.direction;
      reason.without = others.price(without);
    }
    return reason;
  }

  OperationReason operation(PointId id) {
    const Point &point = graph.points[id];
    OperationReason reason;
    reason.point = id;
    reason.side = plan.sides[id];
    reason.pinned = point.pin.has_value();
    for (RegionId region = point.region; plan.inKernel(region); region = graph.regions[region].parent)
      reason.kernel = region;
    reason.price = runPrice(id, reason.kernel != kNone);
    if (left != 0 && !reason.pinned) {
      --left;
      reason.otherwise = others.price(otherSide(plan, id));
    }
    return reason;
  }

  Rational runPrice(PointId id, bool inside) const {
    const Cost &cost = graph.points[id].cost;
    if (inside)
      return cost.inner;
    Rational total = plan.sides[id] == Sides::Device ? 0 : cost.host;
    if (plan.sides[id] != Sides::Host)
      total = total + Rational(cost.device) + Rational(plan.shares[id] ? 0 : cost.launch.value_or(machine.launch));
    return total;
  }

  /// The nearest writes that reach the end of a point, and the entry where none comes first.
  std::vector<PointId> definitions(PointId from, ArrayId array) const {
    std::vector<PointId> found;
    std::set<Where> seen = {{from, array}};
    std::vector<Where> work = {{from, array}};
    for (std::size_t i = 0; i < work.size(); ++i) {
      auto [point, name] = work[i];
      const auto &writes = graph.points[point].writes;
      bool writer =
          std::any_of(writes.begin(), writes.end(), [name = name](const Write &write) { return write.array == name; });
      if (writer || graph.points[point].kind == PointKind::Entry) {
        found.push_back(point);
        continue;
      }
      for (EdgeId id : shape.in(point)) {
        ArrayId before = name;
        for (const Rename &rename : graph.edges[id].renames)
          if (rename.destination == name)
            before = rename.source;
        if (seen.insert({graph.edges[id].from, before}).second)
          work.emplace_back(graph.edges[id].from, before);
      }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  /// Whether a point wants an array's copy on a side.
  bool wants(PointId id, ArrayId array, bool device) const {
    const Point &point = graph.points[id];
    for (const Read &read : point.reads)
      if (read.array == array) {
        bool peeks = view.readsOnHost(id, read) && view.uses(id, array, Traffic::Peek);
        bool fetches = view.fetches(id, read);
        bool onHost = (view.readsOnHost(id, read) && !peeks) || fetches;
        bool onDevice = (view.readsOnDevice(id, read) && !fetches) || peeks;
        if (device ? onDevice : onHost)
          return true;
      }
    for (const Write &write : point.writes)
      if (write.array == array && !write.whole &&
          (device ? view.updatesDevice(id, write) : view.updatesHost(id, write)))
        return true;
    return point.kind == PointKind::Exit && graph.arrays[array].result &&
           (graph.arrays[array].home == Side::Device) == device;
  }

  /// Whether the plan copies an array to the other side on an edge.
  bool isCopied(EdgeId edge, ArrayId array, bool fromDevice) const {
    auto at = std::lower_bound(plan.copies.begin(), plan.copies.end(), edge,
                               [](const Copy &copy, EdgeId before) { return copy.edge < before; });
    for (; at != plan.copies.end() && at->edge == edge; ++at)
      if (at->source == array && (at->direction == Direction::DeviceToHost) == fromDevice)
        return true;
    return false;
  }

  /// The first on each path from a point that want a copy on a side, before it is overwritten: themselves, or since
  /// they come behind a copy of it.
  std::vector<PointId> uses(PointId from, ArrayId array, bool device) const {
    std::vector<PointId> found;
    std::set<Where> seen = {{from, array}};
    std::vector<Where> work = {{from, array}};
    for (std::size_t i = 0; i < work.size(); ++i) {
      auto [point, name] = work[i];
      if (wants(point, name, device)) {
        found.push_back(point);
        continue;
      }
      const auto &writes = graph.points[point].writes;
      if (std::any_of(writes.begin(), writes.end(),
                      [name = name](const Write &write) { return write.array == name && write.whole; }))
        continue;
      for (EdgeId id : shape.out(point)) {
        const Edge &edge = graph.edges[id];
        bool kept = true;
        if (isCopied(id, name, device))
          found.push_back(edge.to);
        for (const Rename &rename : edge.renames) {
          kept = kept && rename.destination != name;
          if (rename.source == name && seen.insert({edge.to, rename.destination}).second)
            work.emplace_back(edge.to, rename.destination);
        }
        if (kept && seen.insert({edge.to, name}).second)
          work.emplace_back(edge.to, name);
      }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  void stays(Explanation &out) const {
    Residency residency(graph, plan);
    for (ArrayId array = 0; array < graph.arrays.size(); ++array) {
      Stay stay;
      for (PointId id = 0; id < graph.points.size(); ++id) {
        Validity now = residency.after(id, array);
        if (stay.first != kNone && now.host == stay.host && now.device == stay.device) {
          stay.last = id;
          continue;
        }
        if (stay.first != kNone && (stay.host || stay.device))
          out.stays.push_back(stay);
        stay = {array, id, id, now.host, now.device};
      }
      if (stay.first != kNone && (stay.host || stay.device))
        out.stays.push_back(stay);
    }
  }

  const Graph &graph;
  const Machine &machine;
  const Plan &plan;
  Shape shape;
  PlanView view;
  Alternatives others;
  std::size_t left;
};

} // namespace

Result<Explanation> explain(const Graph &graph, const Machine &machine, const Plan &plan,
                            const ExplainOptions &options) {
  return guarded<Explanation>([&]() -> Result<Explanation> {
    if (Result<Rational> judged = price(graph, machine, plan); !judged)
      return judged.error();
    return Explainer(graph, machine, plan, options).run();
  });
}

Result<std::vector<std::optional<Rational>>> pricesOtherwise(const Graph &graph, const Machine &machine,
                                                             const Plan &plan, const std::vector<PointId> &operations) {
  using Prices = std::vector<std::optional<Rational>>;
  return guarded<Prices>([&]() -> Result<Prices> {
    Alternatives others(graph, machine);
    Prices prices;
    for (PointId id : operations)
      prices.push_back(others.price(otherSide(plan, id)));
    return prices;
  });
}

} // namespace ferry::placement
