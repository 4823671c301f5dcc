// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/types/scope.h"

namespace ferry::futhark::types {

void Environment::add(const Environment &other) {
  for (const auto &[name, entry] : other.values)
    values[name] = entry;
  for (const auto &[name, entry] : other.types)
    types[name] = entry;
  for (const auto &[name, entry] : other.moduleTypes)
    moduleTypes[name] = entry;
}

namespace {

template <typename Entry>
const Entry *find(const Scope *scope, Names<Entry> Environment::*names, const std::string &name) {
  for (; scope; scope = scope->parent) {
    const Names<Entry> &here = scope->names.*names;
    if (here.empty())
      continue;
    if (auto found = here.find(name); found != here.end())
      return &found->second;
  }
  return nullptr;
}

} // namespace

const ValueEntry *Scope::value(const std::string &name) const { return find(this, &Environment::values, name); }
const TypeEntry *Scope::type(const std::string &name) const { return find(this, &Environment::types, name); }
const std::shared_ptr<const ModuleType> *Scope::moduleType(const std::string &name) const {
  return find(this, &Environment::moduleTypes, name);
}

} // namespace ferry::futhark::types
