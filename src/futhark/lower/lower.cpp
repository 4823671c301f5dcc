// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/lower/lower.h"

#include "futhark/lower/evaluator.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Verifier.h"

namespace ferry::futhark {

namespace {

// Type arguments of abstract types around a type.
using TypeArguments = std::vector<std::pair<const types::TypeParam *, types::TypeRef>>;

// Appends what an array of `rank` dimensions of the type consists of.
void appendComponents(types::TypeRef type, unsigned rank, const TypeArguments &arguments,
                      std::vector<EntryComponent> &components) {
  if (auto prim = types::as<types::Prim>(type))
    components.push_back({*prim, rank});
  else if (auto unique = types::as<types::UniqueType>(type))
    appendComponents(unique->inner, rank, arguments, components);
  else if (auto array = types::as<types::ArrayType>(type))
    appendComponents(array->element, rank + 1, arguments, components);
  else if (auto record = types::as<types::RecordType>(type))
    for (const types::Field &field : record->fields)
      appendComponents(field.type, rank, arguments, components);
  else if (auto sum = types::as<types::SumType>(type)) {
    components.push_back({types::Prim::U8, rank});
    for (const types::Constructor &constructor : sum->constructors)
      for (types::TypeRef part : constructor.payload)
        appendComponents(part, rank, arguments, components);
  } else if (auto param = types::as<types::ParamType>(type)) {
    for (size_t i = arguments.size(); i-- > 0;)
      if (arguments[i].first == param->param)
        return appendComponents(arguments[i].second, rank, TypeArguments(arguments.begin(), arguments.begin() + i),
                                components);
  } else if (auto abstract = types::as<types::AbstractRef>(type)) {
    TypeArguments inner = arguments;
    for (size_t i = 0; i < abstract->typeArguments.size(); ++i)
      inner.emplace_back(abstract->type->typeParams[i], abstract->typeArguments[i]);
    appendComponents(abstract->type->representation, rank, inner, components);
  }
}

} // namespace

EntryPoint describe(const typed::Entry &entry) {
  EntryPoint result{entry.name, {}, {}};
  for (const typed::EntryParameter &parameter : entry.parameters) {
    EntryValue &value =
        result.parameters.emplace_back(EntryValue{parameter.name, parameter.typeName, parameter.unique, {}});
    appendComponents(parameter.type, 0, {}, value.components);
  }
  for (const typed::EntryResult &part : entry.results) {
    EntryValue &value = result.results.emplace_back(EntryValue{"", part.typeName, part.unique, {}});
    appendComponents(part.type, 0, {}, value.components);
  }
  return result;
}

mlir::OwningOpRef<mlir::ModuleOp> lower(const typed::Entry &entry, mlir::MLIRContext &context,
                                        Diagnostics &diagnostics) {
  context.loadDialect<array::ArrayDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::math::MathDialect,
                      mlir::scf::SCFDialect>();
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  lowering::Evaluator evaluator(*module, diagnostics);
  try {
    evaluator.lowerEntry(entry);
  } catch (const lowering::Stop &) {
    return nullptr;
  }
  std::string problem;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    if (problem.empty())
      problem = diagnostic.str();
  });
  if (mlir::failed(mlir::verify(*module))) {
    diagnostics.error(entry.definition->binding->range,
                      "internal error while lowering `" + entry.name + "`: " + problem,
                      "this is a mistake in Ferry; please report it with the program");
    return nullptr;
  }
  return module;
}

} // namespace ferry::futhark
