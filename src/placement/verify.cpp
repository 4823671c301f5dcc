// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two halves: what the plan runs (sides, kernels, launches) and what it moves (copies and element traffic). The second
// asks the forward analyses of dataflow.h and parts.h where every array is valid.
#include "placement/verify.h"

#include "placement/dataflow.h"
#include "placement/failure.h"
#include "placement/parts.h"

#include <memory>
#include <set>
#include <tuple>

namespace ferry::placement {

namespace {

void require(bool condition, const Name &message) {
  if (!condition)
    fail(ErrorKind::Illegal, message());
}

void requirePlanShape(const Graph &graph, const Plan &plan) {
  require(plan.sides.size() == graph.points.size() && plan.shares.size() == graph.points.size() &&
              plan.kernels.size() == graph.regions.size(),
          [&] { return "plan: made for another graph"; });
  for (const Copy &copy : plan.copies) {
    require(copy.edge < graph.edges.size() && copy.array < graph.arrays.size(),
            [&] { return "plan: a copy of what does not exist"; });
    ArrayId source = copy.array;
    for (const Rename &rename : graph.edges[copy.edge].renames)
      if (rename.destination == copy.array)
        source = rename.source;
    auto what = [&] {
      return "copy of " + describe(graph.arrays[copy.array]) + " on the " + describeEdge(graph, copy.edge);
    };
    require(copy.source == source, [&] { return what() + ": is called by another name before the edge"; });
    const Array &array = graph.arrays[copy.array];
    require(!copy.box ||
                (array.extent && copy.box->size() == array.extent->size() && contains(*array.extent, *copy.box)),
            [&] { return what() + ": its box is no part of the array"; });
  }
  std::set<std::tuple<PointId, ArrayId, Traffic>> accesses;
  for (const Access &access : plan.accesses) {
    require(access.point < graph.points.size() && access.array < graph.arrays.size(),
            [&] { return "plan: an access to what does not exist"; });
    require(accesses.emplace(access.point, access.array, access.traffic).second, [&] {
      return describe(graph, access.point) + ": two times a " + toString(access.traffic) + " of " +
             describe(graph.arrays[access.array]);
    });
  }
}

class Judge {
public:
  Judge(const Graph &graph, const Machine &machine, const Shape &shape, const Plan &plan)
      : graph(graph), machine(machine), shape(shape), plan(plan), view(graph, shape, plan),
        parallel(parallelLoops(view)), plain(view, parallel), parts(view, parallel), life(graph, shape) {}

  Rational judge() {
    for (PointId id = 0; id < graph.points.size(); ++id)
      point(id);
    for (RegionId id = 0; id < graph.regions.size(); ++id)
      region(id);
    hostRow.resize(plain.host.words);
    deviceRow.resize(plain.host.words);
    for (const Copy &each : plan.copies)
      copy(each);
    for (const Access &each : plan.accesses)
      access(each);
    return total;
  }

private:
  void pay(const Rational &frequency, Time price) {
    if (price != 0)
      total += frequency * Rational(price);
  }

  void point(PointId id) {
    const Point &point = graph.points[id];
    if (point.kind == PointKind::Operation)
      operation(id, point);
    else
      require(!plan.shares[id], [&] { return describe(graph, id) + ": shares a launch and is no operation"; });
    if (point.kind == PointKind::Control)
      pay(point.frequency, view.inKernel(id) ? point.cost.inner : point.cost.host);
    for (const Read &each : point.reads)
      read(id, each);
    if (point.kind != PointKind::Exit)
      return;
    for (ArrayId array = 0; array < graph.arrays.size(); ++array)
      if (graph.arrays[array].result)
        require(valid(id, array, std::nullopt, graph.arrays[array].home == Side::Device), [&] {
          return describe(graph, id) + ": result " + describe(graph.arrays[array]) + " is not valid at home";
        });
  }

  void operation(PointId id, const Point &point) {
    auto what = [&] { return describe(graph, id); };
    Sides side = plan.sides[id];
    bool kernel = view.inKernel(id);
    Time launch = point.cost.launch.value_or(machine.launch);
    require(side != Sides::Both || point.both, [&] { return what() + ": runs on both sides"; });
    require(!point.pin || (*point.pin == Side::Host ? side == Sides::Host : side == Sides::Device),
            [&] { return what() + ": not where it is pinned"; });
    if (kernel) {
      require(side == Sides::Device, [&] { return what() + ": inside a kernel, but not on the device"; });
      require(!point.noKernel, [&] { return what() + ": cannot be inside a kernel"; });
      pay(point.frequency, point.cost.inner);
      require(!plan.shares[id], [&] { return what() + ": shares a launch inside a kernel"; });
      return;
    }
    if (side != Sides::Device)
      pay(point.frequency, point.cost.host);
    if (side != Sides::Host)
      pay(point.frequency, point.cost.device);
    if (plan.shares[id]) {
      PointId before = shape.sharesWith(id);
      require(before != kNone && side != Sides::Host && view.onDevice(before),
              [&] { return what() + ": has no launch to share"; });
    } else if (side != Sides::Host) {
      pay(point.frequency, launch);
    }
  }

  void region(RegionId id) {
    const Region &region = graph.regions[id];
    auto what = [&] { return describeRegion(graph, id); };
    bool kernel = plan.kernels[id], outer = plan.inKernel(region.parent);
    require(!region.pin || (*region.pin == Side::Device) == kernel,
            [&] { return what() + ": not where it is pinned"; });
    require(kernel || !outer, [&] { return what() + ": not in the kernel of the region around it"; });
    if (!kernel || outer)
      return;
    for (EdgeId edge : shape.entries(id)) {
      pay(graph.edges[edge].frequency, region.launch.value_or(machine.launch));
      if (shape.exits(id).size() > 1)
        pay(graph.edges[edge].frequency, machine.exit);
    }
  }

  /// Whether the elements of `box` (absent: all) are valid on a side before a point.
  bool valid(PointId point, ArrayId array, const std::optional<Box> &box, bool device) const {
    if (!graph.arrays[array].extent)
      return device ? plain.deviceBefore(point, array) : plain.hostBefore(point, array);
    const PartsValidity::State &state = parts.before(point, array);
    return (device ? state.device : state.host).covers(box.value_or(*graph.arrays[array].extent));
  }

  void read(PointId id, const Read &read) {
    const Array &array = graph.arrays[read.array];
    bool host = valid(id, read.array, read.box, false), device = valid(id, read.array, read.box, true);
    if (view.fetches(id, read))
      fetch(id, read, host);
    else if (view.readsOnDevice(id, read))
      require(device || (array.byValue && read.operand != Operand::Device && host), [&] {
        return describe(graph, id) + ": reads " + describe(array) + " on the device, where it is not valid";
      });
    if (read.operand == Operand::Host)
      require(!view.inKernel(id),
              [&] { return describe(graph, id) + ": reads " + describe(array) + " on the host from inside a kernel"; });
    if (!view.readsOnHost(id, read))
      return;
    if (view.uses(id, read.array, Traffic::Peek)) {
      require(read.peek.has_value(), [&] { return describe(graph, id) + ": cannot peek at " + describe(array); });
      require(device, [&] {
        return describe(graph, id) + ": peeks at " + describe(array) + ", which is not valid on the device";
      });
      pay(graph.points[id].frequency, *read.peek);
    } else {
      require(host, [&] {
        return describe(graph, id) + ": reads " + describe(array) + " on the host, where it is not valid";
      });
    }
  }

  void fetch(PointId id, const Read &read, bool host) {
    auto what = [&] { return describe(graph, id) + ": a fetch of " + describe(graph.arrays[read.array]); };
    require(read.fetch.has_value(), [&] { return what() + ", which it cannot fetch"; });
    require(host, [&] { return what() + ", which is not valid on the host"; });
    require(!view.inKernel(id), [&] { return what() + " inside a kernel"; });
    require(!isShared(view, parallel, id, read.array),
            [&] { return what() + " inside a parallel loop whose trips share it"; });
    pay(graph.points[id].frequency, *read.fetch);
  }

  void copy(const Copy &copy) {
    const Array &array = graph.arrays[copy.array];
    const Edge &edge = graph.edges[copy.edge];
    auto what = [&] { return "copy of " + describe(array) + " on the " + describeEdge(graph, copy.edge); };
    require(!view.edgeInKernel(copy.edge), [&] { return what() + ": inside a kernel"; });
    require(!plan.shares[edge.to] || shape.sharesWith(edge.to) != edge.from,
            [&] { return what() + ": inside a shared launch"; });
    for (const ParallelLoop &loop : parallel)
      require(!loop.shared[copy.array] || shape.inside(copy.edge) == kNone ||
                  !shape.within(shape.inside(copy.edge), loop.region),
              [&] { return what() + ": inside a parallel loop whose trips share it"; });
    bool fromDevice = copy.direction == Direction::DeviceToHost;
    bool there;
    if (array.extent) {
      PartsValidity::State state = parts.behind(edge.from, copy.source);
      BoxSet wanted(copy.box.value_or(*array.extent)); // what is dead may be copied along, valid or not
      wanted.keep(life.before(edge.to, copy.array));
      there = (fromDevice ? state.device : state.host).covers(wanted);
    } else {
      plain.behind(edge.from, hostRow.data(), deviceRow.data());
      there = BitTable::getBit(fromDevice ? deviceRow.data() : hostRow.data(), copy.source);
    }
    require(there, [&] { return what() + ": it is not valid where it comes from"; });
    pay(edge.frequency, machine.copy(copy.direction, array, copy.box));
  }

  void access(const Access &access) {
    const Point &point = graph.points[access.point];
    auto what = [&] {
      return describe(graph, access.point) + ": a " + toString(access.traffic) + " of " +
             describe(graph.arrays[access.array]);
    };
    if (access.traffic == Traffic::Peek || access.traffic == Traffic::Fetch) {
      bool any = false;
      for (const Read &read : point.reads)
        any |= read.array == access.array && (access.traffic == Traffic::Peek ? view.readsOnHost(access.point, read)
                                                                              : view.fetches(access.point, read));
      require(any, [&] { return what() + " that reads nothing"; });
      return; // paid for by the read
    }
    bool poke = access.traffic == Traffic::Poke;
    const Write *write = nullptr;
    for (const Write &each : point.writes)
      if (each.array == access.array)
        write = &each;
    require(write && !write->whole && !view.inKernel(access.point) &&
                view.side(access.point) == (poke ? Sides::Host : Sides::Device),
            [&] { return what() + " that updates nothing"; });
    const std::optional<Time> &price = poke ? write->poke : write->push;
    require(price.has_value(), [&] { return what() + " of unknown range"; });
    pay(point.frequency, *price);
  }

  const Graph &graph;
  const Machine &machine;
  const Shape &shape;
  const Plan &plan;
  PlanView view;
  std::vector<ParallelLoop> parallel;
  ForwardValidity plain;
  PartsValidity parts;
  PartsLife life;
  std::vector<std::uint64_t> hostRow, deviceRow;
  Rational total = 0;
};

} // namespace

Result<Rational> price(const Graph &graph, const Machine &machine, const Plan &plan) {
  return guarded<Rational>([&]() -> Result<Rational> {
    Shape shape(graph);
    requirePlanShape(graph, plan);
    return std::make_unique<Judge>(graph, machine, shape, plan)->judge();
  });
}

Result<Rational> verify(const Graph &graph, const Machine &machine, const Plan &plan) {
  Result<Rational> judged = price(graph, machine, plan);
  if (judged && *judged != plan.cost)
    return Error{ErrorKind::Illegal,
                 "plan: says it costs " + plan.cost.toString() + ", but costs " + judged->toString()};
  return judged;
}

} // namespace ferry::placement
