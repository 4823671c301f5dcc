// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is asked for, the bounds of the loops that it depends on and the conditions of the branches in between form a
// slice of the program, which is evaluated once for each combination of trips.

#include "array/place/Counting.h"

#include "array/place/WholeNumbers.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace ferry::array {

namespace {

/// So many combinations of trips are gone through, at most.
constexpr int64_t kMostTrips = 200'000;
/// Of a chain of operations, each computed from the one before.
constexpr unsigned kLongestChain = 500;

class Slice {
public:
  /// `at` is where the values are wanted.
  Slice(Operation *at, SizeEvaluator &sizes) : at(at), sizes(sizes) {}

  /// False if the value depends on more than can be counted.
  bool add(Value value, unsigned length = 0) {
    if (slots.contains(value))
      return true;
    if (length > kLongestChain)
      return false;
    if (auto exact = sizes.exactScalar(value))
      return give(value, exact);
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!loop || argument != loop.getInductionVar() || !loop->isProperAncestor(at) || loop.getUnsignedCmp())
        return false;
      loops.insert(loop);
      return give(value, std::nullopt) &&
             llvm::all_of(ValueRange{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()},
                          [&](Value bound) { return add(bound, length + 1); });
    }
    Operation *op = value.getDefiningOp();
    if (!isEvaluable(op) || !llvm::all_of(op->getOperands(), [&](Value operand) { return add(operand, length + 1); }))
      return false;
    Node node{op, {}, values.size()};
    for (Value operand : op->getOperands())
      node.operands.push_back(slots.lookup(operand));
    nodes.push_back(std::move(node));
    return give(value, std::nullopt);
  }

  /// Whether it depends on the trips of loops.
  bool varies() const { return !loops.empty(); }

  std::optional<int64_t> valueOf(Value value) const { return values[slots.lookup(value)]; }

  /// Calls `visit` each time that the run comes by, as far as the loops here decide that. False if that is too often,
  /// or if `visit` says so.
  bool forEach(function_ref<bool()> visit) {
    nest.assign(loops.begin(), loops.end());
    llvm::sort(nest, [](scf::ForOp a, scf::ForOp b) { return a->isProperAncestor(b); });
    addGuards();
    left = kMostTrips;
    return goThrough(0, visit);
  }

private:
  struct Node {
    Operation *op;
    SmallVector<size_t, 3> operands;
    size_t slot;
  };

  bool give(Value value, std::optional<int64_t> known) {
    slots[value] = values.size();
    values.push_back(known);
    return true;
  }

  // Branches around the place that depend on the same trips. Any other is as likely in each.
  void addGuards() {
    for (Operation *inner = at; inner->getParentOp() && inner != nest.front(); inner = inner->getParentOp()) {
      auto branch = dyn_cast<scf::IfOp>(inner->getParentOp());
      if (!branch)
        continue;
      Slice alone(branch, sizes);
      bool isCountable = alone.add(branch.getCondition()) && alone.varies() &&
                         llvm::all_of(alone.loops, [&](scf::ForOp loop) { return loops.contains(loop); });
      if (isCountable && add(branch.getCondition()))
        guards.push_back({branch.getCondition(), branch.getThenRegion().isAncestor(inner->getParentRegion())});
    }
  }

  void compute() {
    for (const Node &node : nodes)
      values[node.slot] = evaluate(node.op, [&](unsigned index) { return values[node.operands[index]]; });
  }

  bool goThrough(size_t depth, function_ref<bool()> visit) {
    compute();
    if (depth == nest.size()) {
      for (auto [condition, wanted] : guards) {
        auto value = valueOf(condition);
        if (!value)
          return false;
        if ((*value != 0) != wanted)
          return true;
      }
      return visit();
    }
    scf::ForOp loop = nest[depth];
    auto lower = valueOf(loop.getLowerBound()), upper = valueOf(loop.getUpperBound()), step = valueOf(loop.getStep());
    if (!lower || !upper || !step || *step <= 0)
      return false;
    size_t induction = slots.lookup(loop.getInductionVar());
    for (int64_t i = *lower; i < *upper;) {
      values[induction] = i;
      if (--left < 0 || !goThrough(depth + 1, visit))
        return false;
      if (llvm::AddOverflow(i, *step, i))
        break;
    }
    return true;
  }

  Operation *at;
  SizeEvaluator &sizes;
  llvm::SetVector<scf::ForOp> loops;
  std::vector<scf::ForOp> nest; ///< The same, outermost first.
  std::vector<Node> nodes;      ///< Operands first.
  std::vector<std::pair<Value, bool>> guards;
  llvm::DenseMap<Value, size_t> slots;
  std::vector<std::optional<int64_t>> values; ///< By slot, in the present trips.
  int64_t left = 0;
};

} // namespace

std::optional<placement::Rational> countedProbability(scf::IfOp branch, SizeEvaluator &sizes) {
  Slice slice(branch, sizes);
  Value condition = branch.getCondition();
  if (!slice.add(condition) || !slice.varies())
    return std::nullopt;
  int64_t times = 0, taken = 0;
  bool isCounted = slice.forEach([&] {
    auto value = slice.valueOf(condition);
    ++times;
    taken += value && *value != 0;
    return value.has_value();
  });
  return isCounted && times > 0 ? std::optional(placement::Rational(taken, times)) : std::nullopt;
}

std::optional<placement::Rational> countedTrips(scf::ForOp loop, SizeEvaluator &sizes) {
  Slice slice(loop, sizes);
  if (!slice.add(loop.getLowerBound()) || !slice.add(loop.getUpperBound()) || !slice.add(loop.getStep()) ||
      !slice.varies())
    return std::nullopt;
  int64_t entries = 0;
  placement::Wide trips = 0;
  bool isCounted = slice.forEach([&] {
    auto lower = slice.valueOf(loop.getLowerBound()), upper = slice.valueOf(loop.getUpperBound()),
         step = slice.valueOf(loop.getStep());
    if (!lower || !upper || !step || *step <= 0)
      return false;
    placement::Wide distance = placement::Wide(*upper) - *lower;
    entries += distance > 0;
    trips += distance > 0 ? (distance + *step - 1) / *step : 0;
    return true;
  });
  return isCounted && entries > 0 ? std::optional(placement::Rational(trips, entries)) : std::nullopt;
}

} // namespace ferry::array
