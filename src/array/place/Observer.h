// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a placed program records about itself: where the plan had to assume how often something happens or how long
// something is, an array.observe says what was so.

#pragma once

#include "array/place/ProblemBuilder.h"

#include "mlir/IR/IRMapping.h"

#include <string>
#include <vector>

namespace ferry::array {

class Observer {
public:
  /// What a value of the old program is in the new one: nothing if it is nowhere.
  using Now = llvm::function_ref<mlir::Value(mlir::Value)>;

  /// Emits nothing unless enabled. Both references have to outlive it.
  Observer(const Program &program, ProblemBuilder &problem, bool isEnabled)
      : program(program), problem(problem), isEnabled(isEnabled) {}

  /// Before a loop or branch, and at the start of a trip or of the first arm.
  void entry(mlir::OpBuilder &at, mlir::Operation *structure);
  void inside(mlir::OpBuilder &at, mlir::Operation *structure);
  /// Behind a step: the lengths of what it made.
  void extents(mlir::OpBuilder &at, const Step &step, Now array, Now size);
  /// At the start of a trip: the lengths of what the loop carries.
  void parameters(mlir::OpBuilder &at, mlir::Operation *loop, Now now);
  /// In a kernel that holds a whole loop or branch: all of these; `mapping` is from the old operations to the kernel's.
  void kernel(const Step &step, mlir::IRMapping &mapping);

  /// The names of the sites by the numbers that array.observe has.
  const std::vector<std::string> &sites() const { return names; }

private:
  void record(mlir::OpBuilder &at, mlir::Operation *op, Aspect aspect, mlir::Value number = {}, unsigned result = 0,
              unsigned dimension = 0);
  bool isAssumed(mlir::Operation *structure) const;

  const Program &program;
  ProblemBuilder &problem;
  bool isEnabled;
  llvm::StringMap<unsigned> numbers;
  std::vector<std::string> names;
};

} // namespace ferry::array
