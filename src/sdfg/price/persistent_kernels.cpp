// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As DaCe 1.0.2 generates it: `__gbar.Sync()` behind each state, the empty one before a loop's choice only once, since
// it makes a `for` of the loop.

#include "sdfg/price/persistent_kernels.h"

#include "sdfg/place/odds.h"
#include "sdfg/place/operations.h"

namespace ferry::sdfg {

using placement::Error;
using placement::Result;

static Result<double> workIn(const Sdfg &sdfg, const State &state, const Units &units, const Sizes &sizes,
                             const placement::Machine &machine) {
  Result<Dataflow> dataflow = Dataflow::of(state);
  if (!dataflow)
    return dataflow.error();
  double total = 0;
  for (const Operation &operation : operationsOf(sdfg, state, *dataflow, units, sizes))
    if (operation.kind != Operation::Kind::Code || operation.work.bytes > 0)
      total += static_cast<double>(deviceTime(operation.work, machine));
  return total;
}

Result<PersistentPrice> persistentPrice(const Sdfg &nested, const Sizes &around, const placement::Machine &machine) {
  Result<ControlFlow> flow = ControlFlow::of(nested);
  if (!flow)
    return flow.error();
  LoopSizes sizes(*flow, around);
  Result<Frequencies> often = frequenciesAt(*flow, sizes, 1);
  if (!often)
    return often.error();
  Units units(nested);
  std::map<const Block *, Rational> controls; // how often their loops are entered
  for (const FlowLoop &loop : flow->loops)
    if (loop.control != kNone && !loop.decidesLast)
      for (FlowEdgeId edge : loop.entries)
        controls[flow->points[loop.control].block] += often->edges[edge];
  PersistentPrice result;
  for (PointId id = 0; id < flow->points.size(); ++id) {
    const FlowPoint &point = flow->points[id];
    if (point.kind != FlowKind::State)
      continue;
    auto control = controls.find(point.block);
    bool isControl = control != controls.end() && point.block->state()->nodes.empty();
    double times = often->points[id].toDouble();
    double waits = isControl ? control->second.toDouble() : times, wait = static_cast<double>(machine.gridBarrier);
    // Of an inner loop's control shared out among its runs in whole picoseconds, as prices are.
    LoopId loop = flow->loopOf(id);
    if (isControl && loop != kNone && flow->loops[loop].parent != kNone) {
      waits = times;
      wait = static_cast<double>((Rational(machine.gridBarrier) * control->second / often->points[id]).ceiling());
    }
    result.waits += waits * wait;
    Result<double> work = workIn(nested, *point.block->state(), units, sizes.in(flow->loopOf(id)), machine);
    if (!work)
      return Error{work.error().kind, "state '" + point.block->label() + "': " + work.error().message};
    result.work += times * *work;
  }
  return result;
}

} // namespace ferry::sdfg
