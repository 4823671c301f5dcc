// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "placement/solver.h"

#include "placement/failure.h"

#include <algorithm>

namespace ferry::placement {

namespace {

/// Reads the plan off the cheapest cut.
class PlanReader {
public:
  PlanReader(const Graph &graph, const Machine &machine, const Shape &shape, const ValueGraph &values,
             const Rules &rules, const std::vector<bool> &ones)
      : graph(graph), machine(machine), shape(shape), values(values), rules(rules), ones(ones) {}

  Plan read() {
    for (RegionId id = 0; id < graph.regions.size(); ++id)
      plan.kernels.push_back(ones[rules.inKernel(id)]);
    plan.sides.assign(graph.points.size(), Sides::Host);
    plan.shares.assign(graph.points.size(), false);
    for (PointId id = 0; id < graph.points.size(); ++id)
      if (graph.points[id].kind == PointKind::Operation)
        plan.sides[id] = !ones[rules.onDevice(id)] ? Sides::Host
                         : ones[rules.offHost(id)] ? Sides::Device
                                                   : Sides::Both;
    for (PointId id = 0; id < graph.points.size(); ++id)
      if (PointId before = shape.sharesWith(id); before != kNone)
        plan.shares[id] = plan.sides[before] != Sides::Host && plan.sides[id] != Sides::Host &&
                          !plan.inKernel(graph.points[id].region);
    for (const ValueGraph::Link &link : values.links)
      copies(link);
    for (const ValueGraph::Node &node : values.nodes)
      accesses(node);
    sort();
    return std::move(plan);
  }

private:
  bool device(std::uint32_t slot) const { return ones[rules.device(slot)]; }
  bool gone(std::uint32_t slot) const { return ones[rules.gone(slot)]; }

  void copies(const ValueGraph::Link &link) {
    const ValueGraph::Node &from = values.nodes[link.from], &to = values.nodes[link.to];
    if (to.slotIn == kNone)
      return;
    if (device(to.slotIn) && !device(from.slotOut))
      copy(link, Direction::HostToDevice, link.late);
    // If the device copy goes with it, the sooner the better; else the later the shorter both are kept.
    if (gone(from.slotOut) && !gone(to.slotIn))
      copy(link, Direction::DeviceToHost, device(to.slotIn) ? link.late : link.early);
  }

  void copy(const ValueGraph::Link &link, Direction direction, EdgeId edge) {
    const ValueGraph::Node &to = values.nodes[link.to];
    Copy copy;
    copy.array = to.array;
    copy.source = values.nodes[link.from].array;
    copy.direction = direction;
    copy.edge = outOfSharedLaunch(edge, copy.array, direction);
    if (to.box != kNone)
      copy.box = values.boxes[to.box];
    copy.frequency = graph.edges[copy.edge].frequency;
    copy.price = machine.copy(direction, graph.arrays[copy.array], copy.box);
    copy.position = positionOf(copy);
    plan.copies.push_back(std::move(copy));
  }

  /// Of an array that its edge does not rename, the place next to the one of the renamed ones.
  Position positionOf(const Copy &copy) const {
    Position position = graph.edges[copy.edge].position;
    for (const Rename &rename : graph.edges[copy.edge].renames)
      if (rename.destination == copy.array)
        return position;
    switch (position.place) {
    case Place::OnEntry:
      position.place = Place::LoopEntry;
      break;
    case Place::OnBack:
      position.place = Place::BackEdge;
      break;
    case Place::OnExit:
      position.place = Place::LoopExit;
      break;
    case Place::OnSkip:
      position.place = Place::GuardSkip;
      break;
    case Place::OnArmEnd:
      position.place = Place::EndOfBody;
      break;
    default:
      break;
    }
    return position;
  }

  /// A copy between two operations that share a launch costs as much before their launch, or behind it. To the device:
  /// before, where the host copy is as valid. To the host: behind, unless one of them reads it for the host or
  /// fetches it; then nothing in the launch writes it, and before is as good (Shape::sharesWith).
  EdgeId outOfSharedLaunch(EdgeId edge, ArrayId array, Direction direction) const {
    PointId point = graph.edges[edge].to;
    if (!plan.shares[point])
      return edge;
    if (direction == Direction::DeviceToHost) {
      bool wanted = false;
      PointId last = point;
      for (PointId next = point; plan.shares[next]; next = graph.edges[shape.out(next)[0]].to) {
        for (const Read &read : graph.points[next].reads)
          wanted |=
              read.array == array && (read.operand == Operand::Host || read.operand == Operand::Launcher || read.fetch);
        last = next;
      }
      if (!wanted)
        return shape.out(last)[0];
    }
    while (plan.shares[point])
      point = graph.edges[shape.in(point)[0]].from;
    return shape.in(point)[0];
  }

  void accesses(const ValueGraph::Node &node) {
    if (!node.kept)
      return;
    const Point &point = graph.points[node.point];
    bool kernel = plan.inKernel(point.region);
    Sides side = point.kind == PointKind::Operation ? plan.sides[node.point] : kernel ? Sides::Device : Sides::Host;
    if (node.slotIn != kNone && gone(node.slotIn))
      for (const Read &read : point.reads)
        if (read.array == node.array &&
            ((read.operand == Operand::Operation && side != Sides::Device) || read.operand == Operand::Host ||
             (read.operand == Operand::Launcher && !kernel)))
          plan.accesses.push_back({node.point, node.array, Traffic::Peek});
    if (node.slotIn != kNone && !device(node.slotIn))
      for (const Read &read : point.reads)
        if (read.array == node.array && (read.operand == Operand::Device || !graph.arrays[node.array].byValue) &&
            ((read.operand == Operand::Operation && side != Sides::Host) || read.operand == Operand::Device ||
             (read.operand == Operand::Launcher && kernel)))
          plan.accesses.push_back({node.point, node.array, Traffic::Fetch});
    if (node.write == kNone)
      return;
    if (side == Sides::Host && device(node.slotOut))
      plan.accesses.push_back({node.point, node.array, Traffic::Poke});
    if (side == Sides::Device && !gone(node.slotOut))
      plan.accesses.push_back({node.point, node.array, Traffic::Push});
  }

  void sort() {
    auto copyKey = [](const Copy &copy) { return std::tuple(copy.edge, copy.array, copy.direction); };
    std::sort(plan.copies.begin(), plan.copies.end(),
              [&](const Copy &a, const Copy &b) { return copyKey(a) < copyKey(b); });
    auto accessKey = [](const Access &access) { return std::tuple(access.point, access.array, access.traffic); };
    std::sort(plan.accesses.begin(), plan.accesses.end(),
              [&](const Access &a, const Access &b) { return accessKey(a) < accessKey(b); });
    plan.accesses.erase(std::unique(plan.accesses.begin(), plan.accesses.end()), plan.accesses.end());
  }

  const Graph &graph;
  const Machine &machine;
  const Shape &shape;
  const ValueGraph &values;
  const Rules &rules;
  const std::vector<bool> &ones;
  Plan plan;
};

/// What an operation or a price is about, for the message of an infeasible problem.
[[noreturn]] void failInfeasible(const Rules &rules, const std::vector<Variable> &chain) {
  std::string text = "no plan meets all requirements: ";
  bool first = true;
  for (Variable variable : chain)
    if (std::string step = rules.describe(variable); !step.empty()) {
      text += (first ? "" : ", so ") + step;
      first = false;
    }
  fail(ErrorKind::Infeasible, text + ", which is ruled out");
}

} // namespace

Plan solveUnder(const Graph &graph, const Machine &machine, const Options &options,
                const std::optional<Requirement> &requirement) {
  Shape shape(graph);
  ScaledFrequencies frequencies(graph);
  ValueGraph values(graph, shape, frequencies);
  Rules rules(graph, machine, shape, frequencies, values, requirement);
  // The depth of copies is always decided: it keeps them out of kernels.
  CutProblem::Solution cut = rules.cut.solve(options.cheapestOnly ? std::size_t{2} : CutProblem::kObjectives);
  if (!cut.contradiction.empty())
    failInfeasible(rules, cut.contradiction);
  Plan plan = PlanReader(graph, machine, shape, values, rules, cut.ones).read();
  plan.bound = Rational(cut.value, frequencies.factor);
  return plan;
}

Alternatives::Alternatives(const Graph &graph, const Machine &machine)
    : graph(graph), machine(machine), shape(graph), frequencies(graph), values(graph, shape, frequencies) {}

std::optional<Rational> Alternatives::price(const Requirement &requirement) const {
  Rules rules(graph, machine, shape, frequencies, values, requirement);
  CutProblem::Solution cut = rules.cut.solve(1);
  if (!cut.contradiction.empty())
    return std::nullopt;
  return Rational(cut.value, frequencies.factor);
}

// Where no run comes by copies are free, so the cut does not care whether something wants them; nor of what has no
// price.
static void dropUnwantedCopies(const Graph &graph, Plan &plan) {
  auto isFree = [](const Copy &copy) { return copy.frequency == Rational(0) || copy.price == 0; };
  while (std::any_of(plan.copies.begin(), plan.copies.end(), isFree)) {
    Residency residency(graph, plan);
    auto isUnwanted = [&](const Copy &copy) {
      Validity there = residency.before(graph.edges[copy.edge].to, copy.array);
      return isFree(copy) && !(copy.direction == Direction::HostToDevice ? there.device : there.host);
    };
    if (std::erase_if(plan.copies, isUnwanted) == 0)
      return;
  }
}

Result<Plan> solve(const Graph &graph, const Machine &machine, const Options &options) {
  return guarded<Plan>([&]() -> Result<Plan> {
    requireWellFormed(graph);
    Plan plan = solveUnder(graph, machine, options, std::nullopt);
    dropUnwantedCopies(graph, plan);
    Result<Rational> judged = price(graph, machine, plan);
    if (!judged)
      return Error{ErrorKind::Internal, "solver: its plan is refused: " + judged.error().message};
    if (*judged != plan.bound)
      return Error{ErrorKind::Internal,
                   "solver: its plan costs " + judged->toString() + ", its cut " + plan.bound.toString()};
    plan.cost = *judged;
    return plan;
  });
}

Result<Solution> solve(const Problem &problem, const Machine &machine, const Options &options) {
  return guarded<Solution>([&]() -> Result<Solution> {
    Result<Lowered> lowered = lower(problem);
    if (!lowered)
      return lowered.error();
    Result<Plan> plan = solve(lowered->graph, machine, options);
    if (!plan)
      return plan.error();
    Solution solution{std::move(*lowered), std::move(*plan), nullptr};
    solution.residency = std::make_shared<Residency>(solution.lowered.graph, solution.plan);
    return solution;
  });
}

} // namespace ferry::placement
