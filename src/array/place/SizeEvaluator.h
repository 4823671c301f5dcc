// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes, trip counts and conditions of a program for given arguments, as far as they follow from shapes and scalars.

#pragma once

#include "array/place/Observations.h"
#include "array/place/PlacementInterface.h"
#include "placement/number.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <optional>
#include <vector>

namespace ferry::array {

/// What is known of one argument of the entry.
struct ArgumentInput {
  std::optional<std::vector<int64_t>> shape; ///< Of an array.
  std::optional<int64_t> scalar;             ///< Of an integer or a bool.
};

/// The arguments that a plan is made for. All optional: what is missing is assumed.
struct PlacementInputs {
  std::vector<ArgumentInput> arguments;
  /// By the name of a let-bound value or size parameter.
  llvm::StringMap<int64_t> assumptions;
  /// What an earlier run found.
  Observations observed;
};

/// What is assumed where nothing is known.
struct Assumed {
  static constexpr int64_t extent = 1000;
  static constexpr int64_t trips = 100;
};

/// What the program calls the extents of an argument, in strings that are empty where it does not; nothing if it names
/// none of them: the argument attribute `array.extents`.
llvm::ArrayRef<mlir::Attribute> extentNames(mlir::func::FuncOp function, unsigned argument);

class SizeEvaluator {
public:
  SizeEvaluator() : SizeEvaluator(PlacementInputs()) {}
  explicit SizeEvaluator(const PlacementInputs &inputs) : inputs(std::make_shared<PlacementInputs>(inputs)) {}

  /// The value of an integer, index or bool, if it follows from the inputs or has a typical value.
  std::optional<Estimate> scalar(mlir::Value value);
  /// Its value if it is the same in every execution.
  std::optional<int64_t> exactScalar(mlir::Value value);
  /// An extent or count: `scalar`, at least 0, assumed if unknown.
  Estimate count(mlir::Value value);
  /// Extents of an array, assumed where unknown.
  Extents extents(mlir::Value array);
  /// Number of elements of an array, 1 for a scalar; bytes of all of them. At most 2^44, which no memory holds: a run
  /// that asks for more fails before prices matter, which can be counted so.
  int64_t elements(mlir::Value value);
  int64_t bytes(mlir::Value value);
  /// Trips of an entered loop, at least 1.
  Estimate trips(mlir::Operation *loop);
  /// What an earlier run found, if it came by.
  std::optional<Observation> observed(mlir::Operation *op, Aspect aspect, unsigned result = 0,
                                      unsigned dimension = 0) const;
  /// Trips of an entered loop on the average, and the probability of a branch's first arm, as an earlier run found
  /// them: nothing if it did not come by.
  std::optional<placement::Rational> observedTrips(mlir::Operation *loop) const;
  std::optional<placement::Rational> observedProbability(mlir::Operation *branch) const;
  bool hasObservations() const { return !inputs->observed.empty(); }

  /// What follows from the arguments alone, no assumption or observation.
  SizeEvaluator &withoutGuesses();

private:
  explicit SizeEvaluator(std::shared_ptr<const PlacementInputs> inputs) : inputs(std::move(inputs)) {}
  void evaluateInOrder(mlir::Value value);
  void visit(mlir::Region &region);
  std::optional<Estimate> compute(mlir::Value value);
  Extents assumedExtents(mlir::BlockArgument argument);
  std::optional<Estimate> ofOperation(mlir::Operation *op, mlir::Value value);
  std::optional<Estimate> ofArgument(mlir::BlockArgument argument);
  std::optional<Estimate> assumption(mlir::Value value);
  Extents computeExtents(mlir::Value array);
  void settle(mlir::Value array, const Extents &computed);
  void settleParameters(mlir::Operation *loop);
  void forget(size_t known, mlir::Operation *loop);

  std::shared_ptr<const PlacementInputs> inputs;
  llvm::DenseMap<mlir::Value, std::optional<Estimate>> scalars;
  llvm::DenseMap<mlir::Value, Extents> shapes;
  std::vector<mlir::Value> evaluated;        ///< Those in either map, in that order.
  llvm::DenseSet<mlir::Operation *> visited; ///< Functions, and loops whose parameters are settled.
  size_t forgotten = 0;
  std::unique_ptr<SizeEvaluator> certain;
};

/// Bytes of one element in memory; a bool takes one.
int64_t elementBytes(mlir::Type type);

} // namespace ferry::array
