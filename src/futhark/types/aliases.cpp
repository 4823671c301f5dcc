// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/types/aliases.h"

#include <algorithm>
#include <map>

namespace ferry::futhark::types {

Roots Aliases::all() const {
  Roots result = names;
  for (const Aliases &field : fields)
    result.merge(field.all());
  return result;
}

bool hasMemory(TypeRef type) {
  type = withoutUnique(type);
  if (is<Prim>(type))
    return false;
  if (const auto *record = as<RecordType>(type))
    return std::any_of(record->fields.begin(), record->fields.end(),
                       [](const Field &field) { return hasMemory(field.type); });
  if (const auto *sum = as<SumType>(type)) {
    for (const Constructor &constructor : sum->constructors)
      if (std::any_of(constructor.payload.begin(), constructor.payload.end(), hasMemory))
        return true;
    return false;
  }
  return true;
}

namespace {

Aliases spreadOver(TypeRef type, const Roots &names, bool functionsToo) {
  type = withoutUnique(type);
  Aliases result;
  if (const auto *record = as<RecordType>(type)) {
    for (const Field &field : record->fields)
      result.fields.push_back(spreadOver(field.type, names, functionsToo));
  } else if (hasMemory(type) && (functionsToo || !is<FunctionType>(type))) {
    result.names = names;
  }
  return result;
}

} // namespace

Aliases spread(TypeRef type, const Roots &names) { return spreadOver(type, names, true); }

Aliases spreadData(TypeRef type, const Roots &names) { return spreadOver(type, names, false); }

Aliases join(const Aliases &left, const Aliases &right) {
  Aliases result = left;
  result.names.insert(right.names.begin(), right.names.end());
  for (size_t i = 0; i < right.fields.size(); ++i) {
    if (i < result.fields.size())
      result.fields[i] = join(result.fields[i], right.fields[i]);
    else
      result.fields.push_back(right.fields[i]);
  }
  return result;
}

Aliases rootsOf(typed::Arena &arena, TypeRef type, const Binding *name) {
  const auto *record = as<RecordType>(withoutUnique(type));
  if (!record)
    return spread(type, {name});
  Aliases result;
  for (const Field &field : record->fields) {
    if (!hasMemory(field.type)) {
      result.fields.push_back(spread(field.type, {}));
      continue;
    }
    const Binding *part =
        arena.binding(name->kind, name->name + "." + field.name, name->range, field.type, boundInTypeLevel);
    result.fields.push_back(rootsOf(arena, field.type, part));
  }
  return result;
}

Aliases without(Aliases aliases, const Roots &names) {
  for (const Binding *name : names)
    aliases.names.erase(name);
  for (Aliases &field : aliases.fields)
    field = without(std::move(field), names);
  return aliases;
}

namespace {

void count(const Aliases &aliases, std::map<const Binding *, unsigned> &counts) {
  for (const Binding *name : aliases.names)
    ++counts[name];
  for (const Aliases &field : aliases.fields)
    count(field, counts);
}

TypeRef mark(typed::Arena &arena, TypeRef type, const Aliases &aliases, const Roots &visible,
             const std::map<const Binding *, unsigned> &counts) {
  type = withoutUnique(type);
  if (const auto *record = as<RecordType>(type); record && record->fields.size() == aliases.fields.size()) {
    RecordType result;
    for (size_t i = 0; i < record->fields.size(); ++i)
      result.fields.push_back(
          {record->fields[i].name, mark(arena, record->fields[i].type, aliases.fields[i], visible, counts)});
    return arena.type(std::move(result));
  }
  if (!hasMemory(type) || is<FunctionType>(type))
    return type;
  for (const Binding *name : aliases.names)
    if (visible.count(name) || counts.at(name) > 1)
      return type;
  return arena.type(UniqueType{type});
}

} // namespace

const Binding *sharedByParts(const Aliases &aliases) {
  std::map<const Binding *, unsigned> counts;
  count(aliases, counts);
  for (const auto &[name, number] : counts)
    if (number > 1)
      return name;
  return nullptr;
}

TypeRef markUnique(typed::Arena &arena, TypeRef type, const Aliases &aliases, const Roots &visible) {
  std::map<const Binding *, unsigned> counts;
  count(aliases, counts);
  return mark(arena, type, aliases, visible, counts);
}

} // namespace ferry::futhark::types
