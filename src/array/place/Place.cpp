// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass: function by function, program → problem → plan → program.

#include "array/place/Place.h"
#include "array/place/DeviceMemory.h"
#include "array/place/PlacePasses.h"
#include "array/place/Prepare.h"
#include "array/place/Realizer.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
namespace engine = ferry::placement;

namespace ferry::array {

#define GEN_PASS_DEF_PLACE
#include "array/place/PlacePasses.h.inc"

namespace {

bool hasSides(func::FuncOp function) {
  auto anySide = [](TypeRange types) {
    return llvm::any_of(types, [](Type type) { return sideOf(type).has_value(); });
  };
  if (anySide(function.getArgumentTypes()) || anySide(function.getResultTypes()))
    return true;
  return function
      .walk([&](Operation *op) {
        return isa<LaunchOp>(op) || anySide(op->getResultTypes()) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

// The message has the chain of requirements; the notes say where the pins among them come from.
LogicalResult reportUnsolved(const Program &program, const engine::Error &error) {
  func::FuncOp function = program.function;
  InFlightDiagnostic diagnostic = function.emitError() << "no placement: " << error.message;
  for (Tag tag = 1; const Step *step = program.step(tag); ++tag)
    if (auto pin = program.pin(step->op());
        pin && StringRef(error.message).contains("'" + describedName(step->op()) + "'"))
      diagnostic.attachNote(pin->location) << "'" << describedName(step->op()) << "' is pinned to the "
                                           << stringifySide(pin->side) << " by '" << pin->name << "'";
  return diagnostic;
}

// What is outside of the module has its arrays on the host.
void placeDeclaration(func::FuncOp function) {
  auto onHost = [](ArrayRef<Type> types) {
    return llvm::map_to_vector(types, [](Type type) {
      return isa<RankedTensorType>(type) && !sideOf(type) ? Type(onSide(type, Side::host)) : type;
    });
  };
  function.setFunctionType(
      FunctionType::get(function.getContext(), onHost(function.getArgumentTypes()), onHost(function.getResultTypes())));
}

// Whether nothing reads what a step makes, at least not where the plan goes.
bool isDead(const Program &program, const Step &step, const engine::Solution &solution) {
  for (Operation *op : step.ops) {
    if (isa<AssertOp>(op) || !(isa<PlaceableOpInterface>(op) || isMemoryEffectFree(op)))
      return false;
    for (Value result : op->getResults())
      if (auto unit = program.unit(result)) {
        if (program.isAlias(result))
          return false;
        engine::Validity after = solution.validAfter(step.tag, *unit);
        if (after.host || after.device)
          return false;
      }
  }
  return llvm::any_of(step.ops, [&](Operation *op) {
    return llvm::any_of(op->getResults(), [&](Value result) { return program.unit(result).has_value(); });
  });
}

// Solves, and again without the steps that turn out to be dead, until none is.
engine::Result<engine::Solution> solveLive(const Program &program, ProblemBuilder &builder, engine::Problem &problem,
                                           const engine::Machine &machine) {
  while (true) {
    problem = builder.build();
    engine::Result<engine::Solution> solution = engine::solve(problem, machine);
    if (!solution)
      return solution;
    bool anyDead = false;
    for (Tag tag = program.lastTag(); tag > 0; --tag) { // users come behind what they use
      const Step *step = program.step(tag);
      bool isPlaced = solution->lowered.statements.count({tag, engine::kNone}) != 0;
      if (step->kind == Step::piece && isPlaced && !builder.isLeftOut(tag) && isDead(program, *step, *solution) &&
          llvm::none_of(step->ops, [&](Operation *op) {
            return llvm::any_of(op->getResults(), [&](Value made) { return builder.isUsed(made, *step); });
          })) {
        builder.leaveOut(tag);
        anyDead = true;
      }
    }
    if (!anyDead)
      return solution;
  }
}

// Whether a run comes by a point where the plan has an array, or makes it.
bool isPresent(Unit unit, const engine::Solution &solution) {
  const std::vector<engine::Point> &points = solution.graph().points;
  for (engine::PointId point = 0; point < points.size(); ++point) {
    if (points[point].frequency == engine::Rational(0))
      continue;
    for (engine::Validity there : {solution.residency->before(point, unit), solution.residency->after(point, unit)})
      if (there.host || there.device)
        return true;
    if (llvm::any_of(points[point].writes, [&](const engine::Write &write) { return write.array == unit; }))
      return true;
  }
  return false;
}

// Whether the plan's prices and counters are those of the run, not of assumptions.
bool isExact(const Program &program, const ProblemBuilder &builder, const engine::Solution &solution) {
  if (!builder.knowsFrequencies())
    return false;
  for (Unit unit = 0; unit < program.unitCount(); ++unit) {
    Extents extents = builder.sizeEvaluator().extents(program.origin(unit));
    if (!llvm::all_of(extents, [](Estimate extent) { return extent.exact; }) && isPresent(unit, solution))
      return false;
  }
  return true;
}

PlacementReport makeReport(const Program &program, bool exact, engine::Problem problem, engine::Solution solution,
                           const DeviceMemory &memory, const engine::Machine &machine, Strategy strategy) {
  func::FuncOp function = program.function;
  PlacementReport report;
  report.function = function.getSymName().str();
  report.machine = machine;
  report.exact = exact;
  report.counters = predict(program, problem, solution, machine);
  DeviceMemory::Peak peak = memory.peak();
  report.counters.peakDeviceBytes = peak.bytes.most;
  report.counters.leastPeakDeviceBytes = peak.bytes.least;
  report.counters.peakAt = peak.at;
  if (strategy == Strategy::arraysOnDevice)
    countElementTraffic(report.counters, program, solution);
  for (Unit unit = 0; unit < program.unitCount(); ++unit)
    report.arrays.push_back({describedName(program.origin(unit)), displayLocation(program.origin(unit).getLoc())});
  report.statements.emplace_back();
  report.pinnedBy.emplace_back();
  for (Tag tag = 1; const Step *step = program.step(tag); ++tag) {
    report.statements.push_back({describedName(step->op()), displayLocation(step->op()->getLoc())});
    auto pin = program.pin(step->op());
    report.pinnedBy.push_back(pin ? pin->name : std::string());
  }
  report.problem = std::move(problem);
  report.solution = std::move(solution);
  return report;
}

} // namespace

// Throws engine::Overflow.
static LogicalResult placePrepared(func::FuncOp function, const PlacementOptions &options,
                                   std::optional<PlacementReport> *report) {
  SizeEvaluator sizes(options.inputs);
  Program program(function);
  ProblemOptions problemOptions{options.machine, options.strategy, options.pins};
  ProblemBuilder builder(program, sizes, problemOptions);
  engine::Problem problem;
  engine::Result<engine::Solution> solution = solveLive(program, builder, problem, options.machine);
  for (Operation *op : builder.impossible()) {
    InFlightDiagnostic diagnostic = op->emitError() << "'" << displayName(op)
                                                    << "' is pinned to the device, but only the host can run it";
    if (auto pin = program.pin(op))
      diagnostic.attachNote(pin->location) << "'" << pin->name << "' pins it";
    return diagnostic;
  }
  for (const std::string &message : builder.unusedPins())
    return function.emitError() << message;
  if (!solution)
    return reportUnsolved(program, solution.error());
  DeviceMemory memory(program, *solution);
  bool exact = isExact(program, builder, *solution);
  RealizeOptions realize;
  realize.ticks = options.ticks || options.trace;
  realize.namesCopies = options.trace;
  realize.memory = options.observe && exact ? &memory : nullptr;
  realize.observe = options.observe;
  realize.elementTraffic = options.strategy == Strategy::arraysOnDevice;
  std::optional<PlacementReport> made;
  if (report)
    made = makeReport(program, exact, problem, *solution, memory, options.machine, options.strategy);
  Realizer realizer(program, builder, *solution, realize);
  realizer.run();
  if (report) {
    made->unplannedTransfers = realizer.unplannedTransfers();
    made->observationSites = realizer.observationSites();
    *report = std::move(made);
  }
  return success();
}

LogicalResult placeFunction(func::FuncOp function, const PlacementOptions &options,
                            std::optional<PlacementReport> *report) {
  if (hasSides(function))
    return success();
  if (function.isExternal()) {
    placeDeclaration(function);
    return success();
  }
  if (!function.getBody().hasOneBlock())
    return function.emitError("cannot be placed: it has several blocks; loops and branches must be scf's");
  turnPinsIntoMarks(function);
  expandSelections(function);
  closeGaps(function);
  nameSites(function);
  foldKnownStructure(function, options.inputs);
  dropDead(function);
  try {
    return placePrepared(function, options, report);
  } catch (const engine::Overflow &) {
    return function.emitError("cannot be placed: a price, a size or how often something runs is out of range; smaller "
                              "sizes and trip counts can be assumed");
  }
}

namespace {

class Place : public impl::PlaceBase<Place> {
public:
  using PlaceBase::PlaceBase;

private:
  void runOnOperation() override {
    PlacementOptions options;
    if (failed(readOptions(options)))
      return signalPassFailure();
    auto functions = getOperation().getOps<func::FuncOp>();
    // Of several functions, each may have what another's assumptions name.
    if (llvm::hasSingleElement(functions) && failed(checkAssumptions(*functions.begin(), options.inputs)))
      return signalPassFailure();
    for (func::FuncOp function : functions) {
      PlacementOptions own = options;
      if (function.isPrivate())
        own.strategy = Strategy::allHost;
      std::optional<PlacementReport> made;
      if (failed(placeFunction(function, own, &made)))
        return signalPassFailure();
      if (made && report)
        print(llvm::errs(), *made);
    }
  }

  LogicalResult readOptions(PlacementOptions &options) {
    auto known = engine::machineByName(machine.getValue());
    if (!known)
      return getOperation().emitError() << "no machine is called '" << machine << "'";
    options.machine = *known;
    options.ticks = ticks;
    if (auto error = readPlan(plan, options))
      return getOperation().emitError() << *error;
    for (const std::string &text : pins) {
      auto pin = parsePin(text);
      if (!pin)
        return getOperation().emitError() << "pin '" << text << "' is not of the form NAME=host or NAME=device";
      options.pins.push_back(*pin);
    }
    for (const std::string &text : arguments) {
      auto argument = parseArgument(text);
      if (!argument)
        return getOperation().emitError()
               << "argument '" << text << "' is neither a number, nor extents such as 10x20, "
               << "nor ? if nothing is known";
      options.inputs.arguments.push_back(*argument);
    }
    for (const std::string &text : assumptions) {
      auto [name, number] = StringRef(text).split('=');
      int64_t value;
      if (number.getAsInteger(10, value))
        return getOperation().emitError() << "assumption '" << text << "' is not of the form NAME=VALUE";
      options.inputs.assumptions[name] = value;
    }
    return success();
  }

  static std::optional<ArgumentInput> parseArgument(StringRef text) {
    ArgumentInput input;
    if (text == "?")
      return input;
    SmallVector<StringRef> parts;
    text.split(parts, 'x');
    std::vector<int64_t> numbers(parts.size());
    for (auto [part, number] : llvm::zip(parts, numbers))
      if (part.getAsInteger(10, number))
        return std::nullopt;
    if (numbers.size() == 1)
      input.scalar = numbers.front();
    if (llvm::all_of(numbers, [](int64_t extent) { return extent >= 0; }))
      input.shape = std::move(numbers);
    else if (numbers.size() > 1)
      return std::nullopt;
    return input;
  }
};

} // namespace
} // namespace ferry::array
