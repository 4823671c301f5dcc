// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assumptions name sizes of arguments, or whole numbers that the program lets be.

#include "array/place/Place.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <string>

using namespace mlir;

namespace ferry::array {

namespace {
// What an assumption can be about: a length has no negative value, a number one of so many bits.
struct Assumable {
  bool isLength = false;
  unsigned width = 64;
};
} // namespace

static std::map<std::string, Assumable> assumablesOf(func::FuncOp function) {
  std::map<std::string, Assumable> all;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    for (Attribute name : extentNames(function, i))
      if (!cast<StringAttr>(name).empty())
        all[cast<StringAttr>(name).str()].isLength = true;
  auto add = [&](Value value) {
    auto name = dyn_cast<NameLoc>(value.getLoc());
    if (name && value.getType().isInteger())
      all.emplace(name.getName().str(), Assumable{false, value.getType().getIntOrFloatBitWidth()});
  };
  function.walk([&](Block *block) {
    llvm::for_each(block->getArguments(), add);
    for (Operation &op : *block)
      llvm::for_each(op.getResults(), add);
  });
  return all;
}

LogicalResult checkAssumptions(func::FuncOp function, const PlacementInputs &inputs) {
  if (inputs.assumptions.empty())
    return success();
  std::map<std::string, Assumable> assumables = assumablesOf(function);
  for (const auto &assumption : inputs.assumptions) {
    StringRef name = assumption.getKey();
    int64_t number = assumption.getValue();
    auto found = assumables.find(name.str());
    if (found == assumables.end()) {
      InFlightDiagnostic error = function.emitError()
                                 << "no size or whole number is called '" << name << "', which an assumption names";
      std::string names = llvm::join(llvm::make_first_range(assumables), ", ");
      if (!names.empty())
        error.attachNote(function.getLoc()) << "there are: " << names;
      return error;
    }
    if (found->second.isLength && number < 0)
      return function.emitError() << "'" << name << "' is a length, and assumed to be " << number;
    unsigned width = found->second.width;
    if (!llvm::isIntN(width, number) && !llvm::isUIntN(width, static_cast<uint64_t>(number)))
      return function.emitError() << "'" << name << "' is assumed to be " << number << ", which its " << width
                                  << " bits cannot hold";
  }
  return success();
}

} // namespace ferry::array
