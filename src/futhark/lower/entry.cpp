// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public function of an entry point: parameters from types, sizes checked across arguments.

#include "futhark/lower/evaluator.h"
#include "futhark/lower/locations.h"

using namespace mlir;

namespace ferry::futhark::lowering {

namespace {

void appendTypes(Emitter &emit, const ConcreteType &type, int64_t rank, SmallVectorImpl<Type> &types) {
  auto prim = [&](Prim prim) {
    Type element = emit.typeOf(prim);
    types.push_back(rank ? array::arrayType(element, rank) : element);
  };
  if (auto scalar = std::get_if<Prim>(&type.node))
    return prim(*scalar);
  if (auto array = std::get_if<ConcreteType::Array>(&type.node))
    return appendTypes(emit, *array->element, rank + 1, types);
  if (auto record = std::get_if<ConcreteType::Record>(&type.node))
    for (const ConcreteRef &field : record->fields)
      appendTypes(emit, *field, rank, types);
  if (auto sum = std::get_if<ConcreteType::Sum>(&type.node)) {
    prim(Prim::U8);
    for (const auto &constructor : sum->constructors)
      for (const ConcreteRef &part : constructor)
        appendTypes(emit, *part, rank, types);
  }
}

// For each leaf of a value of the type the names of its extents, empty where they have none. `type` may be null.
void appendExtentNames(TypeRef type, const ConcreteType &concrete, SmallVector<StringRef> names,
                       SmallVectorImpl<SmallVector<StringRef>> &all) {
  type = type ? types::withoutUnique(type) : type;
  if (std::holds_alternative<Prim>(concrete.node)) {
    all.push_back(names);
  } else if (auto rows = std::get_if<ConcreteType::Array>(&concrete.node)) {
    auto array = type ? types::as<types::ArrayType>(type) : nullptr;
    const Binding *size = array && array->size.kind == types::Size::Kind::Variable ? array->size.variable : nullptr;
    bool isNamed = size && size->range.text().find(size->name) != std::string_view::npos; // not made up for `[]`
    names.push_back(isNamed ? StringRef(size->name) : StringRef());
    appendExtentNames(array ? array->element : nullptr, *rows->element, names, all);
  } else if (auto parts = std::get_if<ConcreteType::Record>(&concrete.node)) {
    auto record = type ? types::as<types::RecordType>(type) : nullptr;
    for (auto [i, part] : llvm::enumerate(parts->fields))
      appendExtentNames(record ? record->fields[i].type : nullptr, *part, names, all);
  } else if (auto sum = std::get_if<ConcreteType::Sum>(&concrete.node)) {
    all.push_back(names);
    for (const auto &constructor : sum->constructors)
      for (const ConcreteRef &part : constructor)
        appendExtentNames(nullptr, *part, names, all);
  }
}

// A value of the type with the leaves, its sizes not known. Units have leaves of their own, which are not passed.
Value valueOf(Emitter &emit, const ConcreteType &type, ValueRange &leaves, unsigned rank = 0) {
  auto leaf = [&] {
    mlir::Value value = leaves.front();
    leaves = leaves.drop_front();
    return Value::leaf(value);
  };
  if (std::holds_alternative<Prim>(type.node))
    return leaf();
  if (auto array = std::get_if<ConcreteType::Array>(&type.node))
    return Value::array({}, valueOf(emit, *array->element, leaves, rank + 1));
  std::vector<Value> parts;
  if (auto record = std::get_if<ConcreteType::Record>(&type.node))
    for (const ConcreteRef &field : record->fields)
      parts.push_back(valueOf(emit, *field, leaves, rank));
  if (isUnit(type)) {
    mlir::Value unit = emit.truth(false);
    SmallVector<mlir::Value> sizes(rank, emit.index(0));
    parts.push_back(Value::leaf(
        rank ? emit.create<array::ReplicateOp>(array::arrayType(unit.getType(), rank), sizes, unit) : unit));
  }
  if (auto sum = std::get_if<ConcreteType::Sum>(&type.node)) {
    parts.push_back(leaf());
    for (const auto &constructor : sum->constructors)
      for (const ConcreteRef &part : constructor)
        parts.push_back(valueOf(emit, *part, leaves, rank));
  }
  return Value::record(std::move(parts));
}

// The leaves that are results: all but those of units.
void appendResults(const Value &value, const ConcreteType &type, SmallVectorImpl<mlir::Value> &results) {
  if (value.isLeaf()) {
    results.push_back(value.handle);
  } else if (auto array = std::get_if<ConcreteType::Array>(&type.node)) {
    appendResults(value.parts.front(), *array->element, results);
  } else if (auto record = std::get_if<ConcreteType::Record>(&type.node)) {
    for (size_t i = 0; i < record->fields.size(); ++i)
      appendResults(value.parts[i], *record->fields[i], results);
  } else if (auto sum = std::get_if<ConcreteType::Sum>(&type.node)) {
    results.push_back(value.parts.front().handle);
    size_t next = 1;
    for (const auto &constructor : sum->constructors)
      for (const ConcreteRef &part : constructor)
        appendResults(value.parts[next++], *part, results);
  }
}

void collectSizes(TypeRef type, SmallVectorImpl<const Binding *> &sizes) {
  if (auto unique = types::as<types::UniqueType>(type))
    return collectSizes(unique->inner, sizes);
  if (auto array = types::as<types::ArrayType>(type)) {
    if (array->size.kind == types::Size::Kind::Variable)
      sizes.push_back(array->size.variable);
    return collectSizes(array->element, sizes);
  }
  if (auto record = types::as<types::RecordType>(type))
    for (const types::Field &field : record->fields)
      collectSizes(field.type, sizes);
  if (auto abstract = types::as<types::AbstractRef>(type))
    for (const types::Size &size : abstract->sizeArguments)
      if (size.kind == types::Size::Kind::Variable)
        sizes.push_back(size.variable);
}

} // namespace

void Evaluator::lowerEntry(const typed::Entry &entry) {
  range = entry.definition->binding->range;
  Location location = locationOf(emit.builder.getContext(), range);
  Environment &scope = environments.emplace_back(nullptr);
  FunctionScope construction(*this);
  SmallVector<Type> argumentTypes;
  SmallVector<ConcreteRef> parameterTypes;
  for (const typed::EntryParameter &parameter : entry.parameters) {
    parameterTypes.push_back(concrete(parameter.type, scope, Sizes::Ignored));
    appendTypes(emit, *parameterTypes.back(), 0, argumentTypes);
  }
  func::FuncOp function = construction.begin(entry.name, location, argumentTypes);
  SmallVector<Value> arguments;
  ValueRange leaves = function.getArguments();
  for (auto [type, parameter] : llvm::zip(parameterTypes, entry.parameters)) {
    size_t first = function.getNumArguments() - leaves.size();
    arguments.push_back(valueOf(emit, *type, leaves));
    if (!parameter.name.empty())
      name(arguments.back(), parameter.name);
    SmallVector<SmallVector<StringRef>> extents;
    appendExtentNames(parameter.type, *type, {}, extents);
    for (auto [i, names] : llvm::enumerate(extents))
      if (llvm::any_of(names, [](StringRef name) { return !name.empty(); }))
        function.setArgAttr(first + i, "array.extents", emit.builder.getStrArrayAttr(names));
    for (size_t i = first; parameter.unique && i < function.getNumArguments() - leaves.size(); ++i)
      if (isa<TensorType>(argumentTypes[i]))
        function.setArgAttr(i, "array.unique", emit.builder.getUnitAttr());
  }
  for (auto [parameter, argument] : llvm::zip(entry.definition->function.parameters, arguments))
    if (auto bound = typed::as<typed::BindPattern>(*parameter); bound && argument.isLeaf())
      scope.bind(bound->binding, argument); // Sizes of other parameters may mention it.
  bindEntrySizes(entry, arguments, scope);
  Closure closure;
  closure.function = &entry.definition->function;
  closure.definition = entry.definition;
  for (const Binding *size : entry.definition->binding->scheme.sizeParams) {
    const Value *value = scope.find(size);
    closure.sizeArguments.push_back(value ? value->handle : mlir::Value());
  }
  Value result = closure.function->parameters.empty() ? evaluateBody(closure, {}) : Value::function(std::move(closure));
  SmallVector<mlir::Value> results;
  appendResults(apply(result, arguments), *concrete(entry.definition->function.resultType, scope, Sizes::Ignored),
                results);
  construction.end(results);
}

// The first argument of a size tells it; the others are checked, as are constants and expressions.
void Evaluator::bindEntrySizes(const typed::Entry &entry, llvm::MutableArrayRef<Value> arguments, Environment &scope) {
  for (auto [parameter, argument] : llvm::zip(entry.parameters, arguments)) {
    SmallVector<const Binding *> sizes, unknown;
    collectSizes(parameter.type, sizes);
    llvm::copy_if(sizes, std::back_inserter(unknown), [&](const Binding *size) { return !scope.find(size); });
    bindSizes(unknown, parameter.type, argument, scope);
  }
  for (auto [parameter, argument] : llvm::zip(entry.parameters, arguments)) {
    checkEntrySizes(parameter, parameter.type, argument, scope);
    argument = withSizes(std::move(argument), parameter.type, scope);
  }
}

void Evaluator::checkEntrySizes(const typed::EntryParameter &parameter, TypeRef type, const Value &value,
                                Environment &scope) {
  if (auto unique = types::as<types::UniqueType>(type))
    return checkEntrySizes(parameter, unique->inner, value, scope);
  if (auto record = types::as<types::RecordType>(type))
    for (size_t i = 0; i < record->fields.size(); ++i)
      checkEntrySizes(parameter, record->fields[i].type, value.parts[i], scope);
  auto array = types::as<types::ArrayType>(type);
  if (!array)
    return;
  if (mlir::Value expected = evaluateSize(array->size, scope, true)) {
    mlir::Value found = sizeOf(value);
    // The argument that told the size needs no check.
    auto a = found.getDefiningOp<array::DimOp>(), b = expected.getDefiningOp<array::DimOp>();
    bool isItself = a && b && a.getArray() == b.getArray() && a.getDimension() == b.getDimension();
    std::string name = parameter.name.empty() ? "An argument" : "The argument `" + parameter.name + "`";
    std::string size = types::toString(array->size);
    bool isNumber = array->size.kind == types::Size::Kind::Constant;
    if (!isItself)
      emit.require(emit.compare(arith::CmpIPredicate::eq, found, expected),
                   name + " of type " + parameter.typeName + " has a dimension of size {0}, but " +
                       (isNumber ? size + " is needed." : size + " is {1}."),
                   {found, expected});
  }
  checkEntrySizes(parameter, array->element, value.parts.front(), scope);
}

} // namespace ferry::futhark::lowering
