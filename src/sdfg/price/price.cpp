// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every state's operations are priced where their schedules say they run, every copy between a container in host
// memory and one in device memory as a transfer of its memlet, times the frequency of the state. A map that the host
// runs with kernels in it is as often as many launches of each.

#include "sdfg/price/price.h"

#include "sdfg/place/odds.h"
#include "sdfg/place/operations.h"
#include "sdfg/price/locations.h"
#include "sdfg/price/persistent_kernels.h"

#include <algorithm>

namespace ferry::sdfg {

using placement::Direction;
using placement::Error;
using placement::Result;

namespace {

class Pricer {
public:
  explicit Pricer(const placement::Machine &machine) : machine(machine) {}

  Result<void> level(const Sdfg &sdfg, const Rational &runs, Sizes around) {
    Result<ControlFlow> flow = ControlFlow::of(sdfg);
    if (!flow)
      return flow.error();
    LoopSizes sizes(*flow, std::move(around));
    Result<Frequencies> often = frequenciesAt(*flow, sizes, runs);
    if (!often)
      return often.error();
    Units units(sdfg);
    for (PointId id = 0; id < flow->points.size(); ++id)
      if (flow->points[id].kind == FlowKind::State)
        if (Result<void> done =
                state(sdfg, units, *flow->points[id].block, often->points[id], sizes.in(flow->loopOf(id)));
            !done)
          return done;
    return {};
  }

  GraphPrice result;

private:
  Result<void> state(const Sdfg &sdfg, const Units &units, const Block &block, const Rational &often,
                     const Sizes &sizes) {
    const State &state = *block.state();
    Result<Dataflow> dataflow = Dataflow::of(state);
    if (!dataflow)
      return Error{dataflow.error().kind, "state '" + block.label() + "': " + dataflow.error().message};
    for (const Operation &operation : operationsOf(sdfg, state, *dataflow, units, sizes))
      if (Result<void> done =
              priced(operation.name, [&] { return add(sdfg, state, *dataflow, operation, often, sizes); });
          !done)
        return done;
    return {};
  }

  Result<void> add(const Sdfg &sdfg, const State &state, const Dataflow &dataflow, const Operation &operation,
                   const Rational &often, const Sizes &sizes) {
    if (operation.edge) {
      copy(sdfg, state, *operation.edge, operation.work, often.toDouble());
    } else if (operation.kind == Operation::Kind::Nested && !state.nodes[operation.nodes.front()].isOnDevice()) {
      const Node &node = state.nodes[operation.nodes.front()];
      return level(*node.nested, often, sizes.inside(node));
    } else if (operation.kind != Operation::Kind::Code || operation.work.bytes > 0) {
      const Node &first = state.nodes[operation.nodes.front()];
      if (operation.kind == Operation::Kind::Scope && launchesKernels(state, dataflow, operation.nodes.front()))
        hostMap(sdfg, state, dataflow, operation.nodes.front(), often.toDouble(), sizes);
      else if (const Node *nested = persistent(state, dataflow, operation.nodes.front()))
        return persistentKernel(nameOf(state, dataflow, operation), *nested, often.toDouble(), sizes);
      else
        run(nameOf(state, dataflow, operation), operation.work, first.isOnDevice(), often.toDouble());
    }
    return {};
  }

  /// The nested SDFG that is all of a persistent kernel.
  static const Node *persistent(const State &state, const Dataflow &dataflow, NodeId entry) {
    if (!state.nodes[entry].isPersistent())
      return nullptr;
    const Node *found = nullptr;
    for (NodeId id : dataflow.children(entry))
      if (state.nodes[id].nested)
        found = &state.nodes[id];
    return found;
  }

  Result<void> persistentKernel(const std::string &name, const Node &nested, double often, const Sizes &sizes) {
    Result<PersistentPrice> price = persistentPrice(*nested.nested, sizes.inside(nested), machine);
    if (!price)
      return price.error();
    double kernels = often * (price->work + price->waits);
    double launches = often * static_cast<double>(machine.launch + machine.gridBarrierSetup);
    result.kernels += kernels;
    result.launches += launches;
    result.launchCount += often;
    add(PriceItem::Kind::Kernel, name, often, kernels + launches);
    return {};
  }

  void hostMap(const Sdfg &sdfg, const State &state, const Dataflow &dataflow, NodeId entry, double often,
               const Sizes &sizes) {
    for (const Launched &each : launchesOf(sdfg, state, dataflow, entry, sizes, launchesKernels))
      if (each.node)
        run(withoutRange(each.node->label()), each.work, each.node->isOnDevice(), often * each.times);
      else
        copy(*each.sdfg, *each.state, each.edge, each.work, often * each.times);
  }

  static std::string withoutRange(const std::string &label) { return label.substr(0, label.find('[')); }

  /// A tasklet that runs on the device has a map of its own, which has another name in each graph.
  static std::string nameOf(const State &state, const Dataflow &dataflow, const Operation &operation) {
    if (operation.kind == Operation::Kind::Scope) {
      NodeId child = dataflow.onlyChild(operation.nodes.front());
      const std::vector<SymbolicRange> &dims = state.nodes[operation.nodes.front()].scope.range.dims;
      bool isOnce =
          std::all_of(dims.begin(), dims.end(), [](const SymbolicRange &dim) { return dim.begin == dim.end; });
      if (isOnce && child != kNone)
        return state.nodes[child].label();
    }
    return withoutRange(operation.name);
  }

  void add(PriceItem::Kind kind, const std::string &name, double runs, double time, double bytes = 0) {
    auto [at, isNew] = places.try_emplace({kind, name}, result.items.size());
    if (isNew)
      result.items.push_back({kind, name, 0, 0, 0});
    PriceItem &item = result.items[at->second];
    item.runs += runs;
    item.time += time;
    item.bytes += bytes;
  }

  void run(const std::string &name, const NodeWork &work, bool device, double often) {
    if (!device) {
      double time = often * static_cast<double>(hostTime(work, machine));
      result.host += time;
      add(PriceItem::Kind::Host, name, often, time);
      return;
    }
    double kernels = often * static_cast<double>(deviceTime(work, machine));
    double launches = often * static_cast<double>(machine.launch);
    result.kernels += kernels;
    result.launches += launches;
    result.launchCount += often;
    add(PriceItem::Kind::Kernel, name, often, kernels + launches);
    if (work.isSingleThread())
      result.singleThreaded += often;
  }

  static const Container *containerOf(const Sdfg &sdfg, const Node &node) { return sdfg.find(node.container()); }

  void copy(const Sdfg &sdfg, const State &state, Dataflow::EdgeId id, const NodeWork &work, double often) {
    const DataEdge &edge = state.edges[id];
    const Container *from = containerOf(sdfg, state.nodes[edge.from]), *to = containerOf(sdfg, state.nodes[edge.to]);
    auto isThere = [](const Container *of) { return of && of->isOnDevice(); };
    if (isThere(from) == isThere(to)) {
      std::string source = originOf(sdfg, state.nodes[edge.from].data),
                  target = originOf(sdfg, state.nodes[edge.to].data);
      run(source + " -> " + target, work, isThere(from), often);
      return;
    }
    std::int64_t bytes = work.bytes / 2; // a copy reads and writes
    Direction direction = isThere(to) ? Direction::HostToDevice : Direction::DeviceToHost;
    double time = static_cast<double>(machine.copy(direction, bytes));
    add(isThere(to) ? PriceItem::Kind::ToDevice : PriceItem::Kind::ToHost,
        state.nodes[isThere(to) ? edge.from : edge.to].data, often, often * time, often * static_cast<double>(bytes));
    (isThere(to) ? result.toDevice : result.toHost) += often * time;
    (isThere(to) ? result.toDeviceCount : result.toHostCount) += often;
    (isThere(to) ? result.toDeviceBytes : result.toHostBytes) += often * static_cast<double>(bytes);
  }

  const placement::Machine &machine;
  std::map<std::pair<PriceItem::Kind, std::string>, std::size_t> places; ///< Of items.
};

} // namespace

Result<GraphPrice> priceOf(const Program &program, const placement::Machine &machine,
                           const std::map<std::string, std::int64_t, std::less<>> &assume) {
  Pricer pricer(machine);
  if (Result<void> done = pricer.level(program.root, 1, Sizes(assume)); !done)
    return done.error();
  return pricer.result;
}

} // namespace ferry::sdfg
