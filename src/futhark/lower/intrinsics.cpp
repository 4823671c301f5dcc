// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The prelude's built-in operations by name: "f64.sqrt" is a member of a number module, the others are listed here.

#include "futhark/lower/evaluator.h"
#include "futhark/lower/scalars.h"

#include "llvm/ADT/StringMap.h"

namespace ferry::futhark::lowering {

namespace {

bool hasUnknownSizes(const ConcreteType &type) {
  auto each = [](const std::vector<ConcreteRef> &types) {
    return llvm::any_of(types, [](const ConcreteRef &part) { return hasUnknownSizes(*part); });
  };
  if (auto array = std::get_if<ConcreteType::Array>(&type.node))
    return !array->size || hasUnknownSizes(*array->element);
  if (auto record = std::get_if<ConcreteType::Record>(&type.node))
    return each(record->fields);
  if (auto sum = std::get_if<ConcreteType::Sum>(&type.node))
    return llvm::any_of(sum->constructors, each);
  return false;
}

} // namespace

/// One function for each operation that is more than a method of the evaluator.
struct Evaluator::Intrinsics {
  using Arguments = llvm::ArrayRef<Value>;
  using Operation = Value (*)(Evaluator &, const Closure &, Arguments);

  static Value mapOver(Evaluator &e, const Closure &, Arguments a) {
    return e.map(a.drop_front(), [&](Arguments elements) { return e.apply(a[0], elements); });
  }

  static Value zipAll(Evaluator &e, const Closure &, Arguments a) { return e.zip(a); }
  static Value unzipAll(Evaluator &e, const Closure &, Arguments a) { return e.unzip(a[0]); }

  // reduce_by_index, reduce_by_index_2d, reduce_by_index_3d
  static Value combine(Evaluator &e, const Closure &closure, Arguments a) {
    llvm::StringRef name = closure.intrinsic->name;
    unsigned rank = name.ends_with("_2d") ? 2 : name.ends_with("_3d") ? 3 : 1;
    return e.reduceByIndex(rank, a[0], a[1], a[2], a[3], a[4]);
  }

  static Value scratch(Evaluator &e, const Closure &closure, Arguments a) {
    if (hasUnknownSizes(*closure.typeArguments[0]))
      e.unsupported(e.range, "`flatmap` to arrays of a size that only its function tells");
    return Value::array(a[0].handle, e.blankArray(*closure.typeArguments[0], {a[0].handle}));
  }

  static Value unflatten(Evaluator &e, const Closure &closure, Arguments a) {
    mlir::Value rows = closure.sizeArguments[0], columns = closure.sizeArguments[1];
    if (!rows || !columns)
      e.unsupported(e.range, "`unflatten` to sizes that no value tells");
    return e.unflatten(rows, columns, a[0]);
  }

  static Value within(Evaluator &e, const Closure &, Arguments a) {
    using mlir::arith::CmpIPredicate;
    mlir::Value size = a[0].handle, index = a[1].handle;
    mlir::Value inside = e.emit.fold<mlir::arith::AndIOp>(e.emit.compare(CmpIPredicate::sge, index, e.emit.index(0)),
                                                          e.emit.compare(CmpIPredicate::slt, index, size));
    e.emit.check(inside, "Index [{0}] out of bounds for array of shape [{1}].", {index, size});
    return a[1];
  }

  static const llvm::StringMap<Operation> &byName();
};

const llvm::StringMap<Evaluator::Intrinsics::Operation> &Evaluator::Intrinsics::byName() {
  static const llvm::StringMap<Operation> operations = {
      {"map", mapOver},
      {"map2", mapOver},
      {"map3", mapOver},
      {"map4", mapOver},
      {"map5", mapOver},
      {"zip", zipAll},
      {"zip3", zipAll},
      {"zip4", zipAll},
      {"zip5", zipAll},
      {"unzip", unzipAll},
      {"unzip3", unzipAll},
      {"unzip4", unzipAll},
      {"unzip5", unzipAll},
      {"reduce", [](Evaluator &e, const Closure &, Arguments a) { return e.reduce(a[0], a[1], a[2], false); }},
      {"reduce_comm", [](Evaluator &e, const Closure &, Arguments a) { return e.reduce(a[0], a[1], a[2], true); }},
      {"scan", [](Evaluator &e, const Closure &, Arguments a) { return e.scan(a[0], a[1], a[2]); }},
      {"filter", [](Evaluator &e, const Closure &, Arguments a) { return e.filter(a[0], a[1]); }},
      {"scatter", [](Evaluator &e, const Closure &, Arguments a) { return e.scatter(1, a[0], a[1], a[2]); }},
      {"scatter_2d", [](Evaluator &e, const Closure &, Arguments a) { return e.scatter(2, a[0], a[1], a[2]); }},
      {"scatter_3d", [](Evaluator &e, const Closure &, Arguments a) { return e.scatter(3, a[0], a[1], a[2]); }},
      {"hist", [](Evaluator &e, const Closure &,
                  Arguments a) { return e.reduceByIndex(1, e.replicate(a[2].handle, a[1]), a[0], a[1], a[3], a[4]); }},
      {"reduce_by_index", combine},
      {"reduce_by_index_2d", combine},
      {"reduce_by_index_3d", combine},
      {"iota", [](Evaluator &e, const Closure &, Arguments a) { return e.iota(a[0].handle); }},
      {"replicate", [](Evaluator &e, const Closure &, Arguments a) { return e.replicate(a[0].handle, a[1]); }},
      {"concat", [](Evaluator &e, const Closure &, Arguments a) { return e.concat(a[0], a[1]); }},
      {"transpose", [](Evaluator &e, const Closure &, Arguments a) { return e.transpose(a[0]); }},
      {"flatten", [](Evaluator &e, const Closure &, Arguments a) { return e.flatten(a[0]); }},
      {"unflatten", unflatten},
      {"copy", [](Evaluator &e, const Closure &, Arguments a) { return e.copy(a[0]); }},
      {"manifest", [](Evaluator &e, const Closure &, Arguments a) { return e.copy(a[0]); }},
      {"intrinsics.scratch", scratch},
      {"intrinsics.within", within},
      {"intrinsics.acc_write",
       [](Evaluator &e, const Closure &, Arguments a) { return e.accumulate(a[0], a[1].handle, a[2]); }},
      {"intrinsics.scatter_stream",
       [](Evaluator &e, const Closure &, Arguments a) { return e.stream(a[0], nullptr, a[1], a[2]); }},
      {"intrinsics.hist_stream",
       [](Evaluator &e, const Closure &, Arguments a) { return e.stream(a[0], a[1].closure, a[3], a[4]); }},
      // The derivative that it is given is that of the reverse mode.
      {"with_vjp", [](Evaluator &e, const Closure &, Arguments a) { return e.apply(a[0], a[2]); }},
      {"jvp2", [](Evaluator &e, const Closure &, Arguments a) { return e.jvp(a[0], a[1], a[2]); }},
      {"jmp2", [](Evaluator &e, const Closure &, Arguments a) { return e.jmp(a[0], a[1], a[2]); }},
  };
  return operations;
}

Value Evaluator::applyIntrinsic(const Closure &closure, llvm::ArrayRef<Value> arguments) {
  llvm::StringRef name = closure.intrinsic->name;
  auto [module, member] = name.split('.');
  if (auto prim = types::primNamed(module); prim && !member.empty()) {
    llvm::SmallVector<mlir::Value> operands;
    for (const Value &argument : arguments)
      operands.push_back(argument.handle);
    if (mlir::Value result = callMember(emit, *prim, member, operands))
      return Value::leaf(result);
  }
  const auto &operations = Intrinsics::byName();
  auto found = operations.find(name);
  if (found == operations.end())
    unsupported(range,
                name == "vjp2" || name == "mjp2" ? "reverse-mode derivatives (vjp, mjp)" : "`" + name.str() + "`");
  return found->second(*this, closure, arguments);
}

} // namespace ferry::futhark::lowering
