// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Placement of one function, for callers that have the arguments at hand.

#pragma once

#include "array/place/PlacementReport.h"
#include "array/place/ProblemBuilder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace ferry::array {

struct PlacementOptions {
  placement::Machine machine;
  Strategy strategy = Strategy::automatic;
  std::vector<NamedPin> pins;
  PlacementInputs inputs;
  bool ticks = false;   ///< Make the program advance the virtual clock (array.tick).
  bool trace = false;   ///< Make it say which operation runs and what is copied by the plan's names: ticks as well.
  bool observe = false; ///< Make it record what the plan assumes, and compare what is on the device (array.observe).
};

/// Places a function whose loops are rotated. Errors are reported at the function: pins that contradict each other or
/// name nothing, numbers out of range. A function that has sides already stays as it is, and has no report.
llvm::LogicalResult placeFunction(mlir::func::FuncOp function, const PlacementOptions &options,
                                  std::optional<PlacementReport> *report = nullptr);

/// Reports an assumption that is about no size or whole number of the function, or that its value cannot be.
llvm::LogicalResult checkAssumptions(mlir::func::FuncOp function, const PlacementInputs &inputs);

/// Reads a plan's name or a file of pins, a JSON object {"plan": "auto", "pins": {"NAME": "host"}}, into the options.
/// The error is one line that starts with the file's name.
std::optional<std::string> readPlan(llvm::StringRef plan, PlacementOptions &options);

/// "NAME=host" or "NAME=device".
std::optional<NamedPin> parsePin(llvm::StringRef text);

} // namespace ferry::array
