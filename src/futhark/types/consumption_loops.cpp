// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops: which parts of the parameter they consume, and whether the body may run again after that.
#include "futhark/types/consumption_walker.h"

#include <algorithm>
#include <utility>

namespace ferry::futhark::types {

void ConsumptionWalker::splitLoop(const typed::Pattern &pattern, const Aliases &initial, const Aliases &next,
                                  std::vector<LoopPart> &parts) {
  const auto *record = typed::as<typed::RecordPattern>(pattern);
  if (!record) {
    parts.push_back({&pattern, initial, next});
    return;
  }
  auto field = [](const Aliases &aliases, size_t i, TypeRef type) {
    return i < aliases.fields.size() ? aliases.fields[i] : spread(type, aliases.all());
  };
  for (size_t i = 0; i < record->fields.size(); ++i) {
    const typed::Pattern &inner = *record->fields[i];
    splitLoop(inner, field(initial, i, inner.type), field(next, i, inner.type), parts);
  }
}

// What the body returns for a consumed part must be free to be consumed again.
void ConsumptionWalker::checkLoopPart(const typed::Loop &loop, const LoopPart &part, const std::vector<LoopPart> &parts,
                                      const Roots &bodyNames) {
  std::string message =
      "the loop consumes '" + part.consuming->name + "', but what the body returns for it shares memory with ";
  for (const Binding *name : part.next.all()) {
    if (!bodyNames.count(name))
      failConsumption(loop.body->range, message + quoted(*name) + ", which exists outside the loop", "return a copy");
    for (const LoopPart &other : parts) {
      if (&other != &part && other.next.all().count(name))
        failConsumption(loop.body->range, message + "another part of the result, through " + quoted(*name),
                        "return a copy");
    }
  }
}

// Finds the parts that the loop consumes: declared so, consumed in the body, or handed on to such a part.
Roots ConsumptionWalker::markConsuming(std::vector<LoopPart> &parts) const {
  Roots consuming;
  auto mark = [&](LoopPart &part, const Binding *name) {
    part.consuming = name;
    return consuming.insert(name).second;
  };
  auto nameOf = [](const LoopPart &part) -> const Binding * {
    const auto *bound = typed::as<typed::BindPattern>(*part.pattern);
    return bound ? bound->binding : nullptr;
  };
  auto anyOf = [&](const Binding *name, auto predicate) {
    auto roots = ownRoots.find(name);
    return roots != ownRoots.end() && std::any_of(roots->second.begin(), roots->second.end(), predicate);
  };
  auto isConsumed = [&](const Binding *root) { return consumed.count(root) != 0; };
  for (LoopPart &part : parts)
    if (const Binding *name = nameOf(part); name && (facts.uniqueNames.count(name) || anyOf(name, isConsumed)))
      mark(part, name);
  for (bool changed = true; changed;) {
    changed = false;
    for (const LoopPart &part : parts)
      for (LoopPart &source : parts)
        if (const Binding *name = nameOf(source); part.consuming && name) {
          Roots next = part.next.all();
          if (anyOf(name, [&](const Binding *root) { return next.count(root) != 0; }))
            changed |= mark(source, name);
        }
  }
  return consuming;
}

// What a consumed part becomes shares no memory with anything.
void ConsumptionWalker::clearConsuming(const typed::Pattern &pattern, const Roots &consuming, Aliases &aliases) {
  if (const auto *record = typed::as<typed::RecordPattern>(pattern)) {
    for (size_t i = 0; i < record->fields.size() && i < aliases.fields.size(); ++i)
      clearConsuming(*record->fields[i], consuming, aliases.fields[i]);
  } else if (const auto *name = typed::as<typed::BindPattern>(pattern); name && consuming.count(name->binding)) {
    aliases = spread(pattern.type, {});
  }
}

// A part of the loop's parameter is consumed if its type is marked so, or if it has none and its name is consumed in
// the body; then the loop consumes the initial value.
Aliases ConsumptionWalker::node(const typed::Loop &loop, const typed::Expr &) {
  Aliases initial = walk(*loop.initial);
  Aliases over;
  if (const auto *counted = std::get_if<typed::Loop::Counted>(&loop.form))
    walk(*counted->bound);
  else if (const auto *array = std::get_if<typed::Loop::Over>(&loop.form))
    over = walk(*array->array);

  Roots outerConsumable = std::exchange(consumable, {});
  auto outerConsumed = consumed;
  bind(*loop.parameter, spread(loop.parameter->type, {}), true);
  std::vector<const Binding *> names;
  collectNames(*loop.parameter, names);
  Roots own;
  for (const Binding *name : names)
    own.insert(ownRoots[name].begin(), ownRoots[name].end());
  for (const Binding *name : names)
    if (facts.observedNames.count(name))
      for (const Binding *root : ownRoots[name])
        consumable.erase(root);
  auto usedBefore = std::exchange(used, {});
  if (const auto *array = std::get_if<typed::Loop::Over>(&loop.form))
    bind(*array->element, spread(array->element->type, over.all()), false);
  if (const auto *condition = std::get_if<typed::Loop::While>(&loop.form))
    walk(*condition->condition);
  Aliases next = walk(*loop.body);

  std::vector<LoopPart> parts;
  splitLoop(*loop.parameter, initial, next, parts);
  Roots consuming = markConsuming(parts);
  auto bodyUsed = std::exchange(used, std::move(usedBefore));
  Roots bodyNames = std::exchange(consumable, std::move(outerConsumable));
  consumed = std::move(outerConsumed);
  Roots consumedInitially;
  for (const LoopPart &part : parts) {
    if (!part.consuming)
      continue;
    checkLoopPart(loop, part, parts, bodyNames);
    for (const Binding *name : part.initial.all()) {
      if (!consumedInitially.insert(name).second)
        failConsumption(loop.initial->range,
                        "the loop consumes parts of its initial value that share memory, through " + quoted(*name),
                        "copy one of them");
      if (auto again = bodyUsed.find(name); again != bodyUsed.end())
        failConsumption(again->second,
                        "this may share memory with " + quoted(*name) +
                            ", which the loop around it consumes as its initial value",
                        "use the loop's parameter, or give the loop a copy");
    }
    consume(part.initial, loop.initial->range, "the loop");
  }
  used.insert(bodyUsed.begin(), bodyUsed.end());
  // What is not consumed may still be the initial value, or what the body returns.
  consumable.insert(bodyNames.begin(), bodyNames.end());
  consumable.insert(own.begin(), own.end());
  Aliases result = join(initial, next);
  clearConsuming(*loop.parameter, consuming, result);
  return result;
}

} // namespace ferry::futhark::types
